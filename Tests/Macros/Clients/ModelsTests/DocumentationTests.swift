import Observation
import Testing
import TidingsMacros
import TidingsTesting

/// The code that the documentation shows, unchanged.
private enum Shown {
  @ObservedProperties @MainActor final class TradeTicket {
    var quantity = 1
    @ObservedAs(.distinct) var price = 100.0
    private(set) var fills: [Int] = []
    @Unobserved var cache: [String: Int] = [:]
    @Derived var total: Double { Double(quantity) * price }
    init() {}
  }

  @ObservedProperties final class Settings: Sendable {
    var count = 0
    @ObservedAs(.distinct) var volume: Double
    init(volume: Double) { self.volume = volume }
  }

  @ObservedProperties(changes: .distinct) @MainActor final class Preferences {
    var theme = "light"
    @ObservedAs(.every) var lastOpened = ""
    init() {}
  }

  @ObservedProperties @MainActor class Sheet {
    var title = ""
    init() {}
  }
  @ObservedProperties @MainActor final class Letter: Sheet {
    var recipient = "Ada"
    @Derived var line: String { "\($title.value) to \(recipient)" }
  }

  @ObservedProperties @MainActor final class Order: Codable {
    var quantity = 1
    var note: String?
    let id: Int
    init(id: Int) { self.id = id }
  }

  @ObservedProperties @MainActor final class Screen: Observable {
    var title = "start"
    var count = 0
    init() {}
  }
}

@Suite("Models, as the documentation shows them")
@MainActor struct DocumentationTests {
  @Test("An assignment of an equal value is a change of those properties alone that say so")
  func distinct() {
    let preferences = Shown.Preferences()
    let (themes, opened) = (preferences.$theme.record(), preferences.$lastOpened.record())
    preferences.theme = "light"
    preferences.lastOpened = ""
    preferences.theme = "dark"
    #expect(themes.values.map(\.new) == ["dark"])
    #expect(opened.values.map(\.new) == [""])
  }

  @Test("A ticket")
  func ticket() {
    let (ticket, printed) = (Shown.TradeTicket(), Recorder<Double>())
    func print(_ total: Double) { printed(total) }
    let subscription = ticket.$total.observe { change in print(change.new) }
    ticket.quantity += 2
    transaction {
      ticket.quantity = 10
      ticket.price = 50
    }  // one change of the total
    let before = ticket.snapshot()
    ticket.quantity = 10
    ticket.restore(before)
    let (quantity, price) = readTogether { (ticket.$quantity.value, ticket.$price.value) }
    #expect(quantity == 10 && price == 50)
    #expect(printed.values == [300, 500])
    subscription.cancel()
  }

  @Test("Settings that threads share")
  func settings() {
    let settings = Shown.Settings(volume: 0.5)
    settings.$count.update { $0 += 1 }
    settings.$volume.set(0.7)
    #expect(settings.count == 1 && settings.volume == 0.7)
  }

  @Test("A subclass, a coded model and a tracked one")
  func others() {
    let (letter, order, screen) = (Shown.Letter(), Shown.Order(id: 1), Shown.Screen())
    letter.title = "Dear"
    order.note = "urgent"
    screen.count = 2
    #expect(letter.line == "Dear to Ada" && letter.$line.value == letter.line)
    #expect(order.id == 1 && screen.title == "start")
  }
}
