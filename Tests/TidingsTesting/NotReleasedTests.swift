import Testing
import Tidings
import TidingsTesting

@Suite("Objects that are not released")
@MainActor
struct NotReleasedTests {
  @Test("An object that nothing keeps is released")
  func released() throws {
    let ticked = Event<Int>()
    try expectReleased { Weakly(ticked) }
  }

  @Test("A handler that captures its owner, which keeps the subscription, is named with its place")
  func handler() {
    let (ticked, other) = (Event<Int>("ticked"), Event<Int>("other"))
    let error = #expect(throws: NotReleased.self) { try expectReleased { Strongly(ticked, other) } }
    #expect(error?.handlers.map(\.source) == ["ticked"] && error?.type == "Strongly")
    #expect(error?.description.contains("observe(with: self)") == true)
    #if DEBUG
    #expect(error?.handlers.map(\.site.line) == [Strongly.line])
    #endif
    #expect(ticked.subscriptionCount == 0 && other.subscriptionCount == 0)
  }

  @Test("A derived value whose closure captures its owner is named")
  func derived() {
    let error = #expect(throws: NotReleased.self) {
      try expectReleased {
        let cart = Cart()
        _ = cart.total.value
        return cart
      }
    }
    #expect(error?.handlers.isEmpty == true && error?.derivedProperties == ["total"])
    #expect(error?.description.contains("The closure of 'total' keeps its owner") == true)
  }

  @Test("An object that the test itself keeps is not blamed on a closure")
  func outside() {
    var kept: [Weakly] = []
    let ticked = Event<Int>()
    let error = #expect(throws: NotReleased.self) {
      try expectReleased {
        kept.append(Weakly(ticked))
        return kept[0]
      }
    }
    #expect(error?.handlers.isEmpty == true && error?.derivedProperties.isEmpty == true)
  }
}

@MainActor private final class Weakly {
  private var subscriptions: Set<Subscription> = []
  private var sum = 0
  init(_ ticked: Event<Int>) { ticked.observe { [weak self] tick in self?.sum += tick }.store(in: &subscriptions) }
}

@MainActor private final class Strongly {
  private var subscriptions: Set<Subscription> = []
  private var sum = 0
  nonisolated static let line: UInt = #line + 3
  init(_ ticked: Event<Int>, _ other: Event<Int>) {
    other.observe { [weak self] tick in self?.sum += tick }.store(in: &subscriptions)
    ticked.observe { tick in self.sum += tick }.store(in: &subscriptions)
  }
}

@MainActor private final class Cart {
  private let quantity = Observed(1)
  lazy var total = Derived { self.quantity.value * 2 }
}
