import Testing
import TidingsMacros
import TidingsTesting

@Suite("Initializers of models")
@MainActor struct InitializerTests {
  @Test("An initializer assigns first what has no initial value, then what has one; neither notifies")
  func assigning() {
    let ticket = Position(limit: 90, quantity: 3)
    #expect(ticket.limit == 90 && ticket.quantity == 3 && ticket.note == "new")
  }

  @Test(
    "An initializer that throws, wherever it throws, releases what was initialized and nothing else", arguments: 0..<4)
  func throwing(at step: Int) {
    let canaries = Canaries()
    #expect(throws: Failure.self) { try Position(canaries, failingAt: step) }
    #expect(canaries.alive == 0)
  }
}

private struct Failure: Error {}

@ObservedProperties @MainActor private final class Position {
  var quantity = 1
  var limit: Double
  var note: String? = "old"
  private(set) var fills: [Int] = [1]
  var canary: Canary
  @Unobserved var cache = ["a": 1]
  let id: Int
  @Derived var total: Double { Double(quantity) * limit }

  init(limit: Double, quantity: Int) {
    self.limit = limit
    canary = Canaries().make()
    id = 1
    self.quantity = quantity
    note = "new"
  }

  init(_ canaries: Canaries, failingAt failure: Int) throws {
    func step(_ number: Int) throws -> Int {
      if number == failure { throw Failure() }
      return number
    }
    limit = Double(try step(0))
    canary = try step(1) == 1 ? canaries.make() : Canaries().make()
    id = try step(2)
    quantity = try step(3)
  }
}
