import Testing
import TidingsMacros
import TidingsTesting

@Suite("Models of the main actor")
@MainActor struct MainActorTests {
  @Test("A property is read, assigned and changed in place as any other, and its handlers are called in place")
  func inPlace() {
    let (ticket, received) = (TradeTicket(quantity: 3), Recorder<Int>())
    let token = ticket.$quantity.observe { change in received(change.new) }
    ticket.quantity += 2
    #expect(received.values == [5], "before the assignment has returned")
    ticket.quantity = 7
    #expect(received.values == [5, 7])
    #expect(ticket.quantity == 7)
    token.cancel()
  }

  @Test("A derived property is computed once for each change, and its handlers are called once for each transaction")
  func derived() {
    let (ticket, received) = (TradeTicket(), Recorder<Double>())
    let token = ticket.$withFee.observe { change in received(change.new) }
    transaction {
      ticket.quantity = 10
      ticket.price = 50
    }
    ticket.price = 20
    #expect(received.values == [502, 202])
    #expect(ticket.withFee == 202)
    #expect(ticket.$total.value == 200)
    token.cancel()
  }

  @Test("A body may end with a comment or a directive, and read implicitly unwrapped properties")
  func bodyEnds() {
    let model = Bodies()
    model.note = "four"
    #expect(model.$commented.value == 1)
    #expect(model.$conditional.value == 3)
    #expect(model.$unwrapped.value == 10)
  }

  @Test("A model is equatable on its actor, by an extension")
  func equatable() {
    #expect(Bodies() == Bodies())
  }

  @Test("A derived property is memoized: however often it is read, its body runs once for each change")
  func memoized() {
    let model = Counted()
    #expect(model.$doubled.value == 2)
    #expect(model.$doubled.value == 2)
    #expect(Counted.runs.values.count == 1)
    model.number = 4
    model.other = 1
    #expect(model.$doubled.value == 8)
    #expect(Counted.runs.values.count == 2)
  }

  @Test("With `.distinct` an equal value is no change; without it, it is")
  func distinct() {
    let (ticket, received) = (TradeTicket(), Recorder<String>())
    let tokens = [
      ticket.$price.observe { _ in received("price") }, ticket.$quantity.observe { _ in received("quantity") },
    ]
    ticket.price = 100
    ticket.quantity = 1
    #expect(received.values == ["quantity"])
    withExtendedLifetime(tokens) {}
  }

  @Test("A property with a private setter is observed and not set by others")
  func privateSetter() {
    let (ticket, received) = (TradeTicket(), Recorder<[Int]>())
    let fills: ReadOnly<[Int]> = ticket.$fills
    let token = fills.observe { change in received(change.new) }
    ticket.fill(3)
    ticket.fill(4)
    #expect(received.values == [[3], [3, 4]])
    #expect(ticket.$filled.value == 7)
    token.cancel()
  }

  @Test("`$changes` names what changed by key path, also a property that others cannot set")
  func changes() {
    let (ticket, received) = (TradeTicket(), Recorder<[Bool]>())
    let token = ticket.$changes.observe { change in
      received([change.contains(\.$quantity), change.contains(\.$price), change.contains(\.$fills)])
    }
    transaction {
      ticket.quantity = 10
      ticket.price = 50
    }
    ticket.fill(1)
    #expect(received.values == [[true, true, false], [false, false, true]])
    #expect(ticket.$changes === ticket.$changes, "made once")
    token.cancel()
  }

  @Test("Labels name the class and the property")
  func labels() {
    let ticket = TradeTicket()
    #expect(ticket.$quantity.diagnostics.label == "TradeTicket.quantity")
    #expect(ticket.$total.diagnostics.label == "TradeTicket.total")
  }

  @Test("A property that any thread updates loses no write while the actor assigns others")
  func threads() async {
    let (ticket, rounds) = (TradeTicket(quantity: 0), 2_000)
    let count = ticket.$quantity
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<rounds { count.update { $0 += 1 } } }
      }
      for round in 0..<rounds {
        ticket.price = Double(round)
        ticket.fill(1)
      }
    }
    #expect(ticket.quantity == 4 * rounds)
    #expect(ticket.price == Double(rounds - 1))
    #expect(ticket.fills.count == rounds)
  }

  @Test("An initial value that only the actor may compute")
  func isolatedInitialValue() {
    let (model, received) = (Workshop(), Recorder<[Bool]>())
    let token = model.$changes.observe { change in
      received([change.contains(\.$tool), change.contains(\.$spare), change.contains(\.$tools)])
    }
    model.tool = Tool(2)
    model.$spare.set(Tool(3))
    model.add(Tool(4))
    #expect(received.values == [[true, false, false], [false, true, false], [false, false, true]])
    #expect(model.tool.size + model.spare.size + model.tools[1].size == 9)
    token.cancel()
  }

  @Test("A derived body with guards, local names, closures and shorthand bindings")
  func bodies() {
    let model = Phrase()
    #expect(model.$text.value == "unnamed")
    model.name = "Ada"
    #expect(model.$text.value == "Ada? Ada! 3")
    #expect(model.$text.value == model.text)
    model.marks = ["?"]
    #expect(model.$text.value == "Ada? 2")
  }
}

@ObservedProperties @MainActor private final class Counted {
  nonisolated static let runs = Recorder<Void>()
  var number = 1
  var other = 0
  @Derived var doubled: Int {
    Self.runs(())
    return number * 2
  }
}

@MainActor private final class Tool {
  let size: Int
  init(_ size: Int) { self.size = size }
}

@ObservedProperties @MainActor private final class Workshop {
  var tool: Tool = Tool(1)
  var spare: Tool
  private(set) var tools: [Tool] = [Tool(1)]
  init() { spare = Tool(1) }
  func add(_ tool: Tool) { tools.append(tool) }
}

@ObservedProperties @MainActor private final class Phrase {
  var name: String?
  var marks: [String] = ["?", "!"]
  let prefix = ""
  @Derived var count: Int { marks.count + 1 }
  @Derived var text: String {
    guard let name else { return "unnamed" }
    let prefix = self.prefix + name
    let marks = self.marks.map { [count] mark in count > 0 ? prefix + mark : "" }
    var words = marks
    if let count = Optional(self.count) { words.append("\(count)") }
    return words.joined(separator: " ")
  }
}

@ObservedProperties @MainActor final class Bodies {
  var count: Int = 1
  var note: String!
  let `default` = 2
  nonisolated static let none = 0
  @Derived var commented: Int {
    count  // the last line
  }
  @Derived var conditional: Int {
    #if Bodies
    count
    #else
    count + `default`
    #endif
  }
  @Derived var unwrapped: Int { note.count + self.note.count + self.default + Self.none }
  init() {}
}
extension Bodies: @MainActor Equatable {
  static func == (one: Bodies, other: Bodies) -> Bool { one.count == other.count }
}
