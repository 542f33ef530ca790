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
    "An initializer that throws, wherever it throws, releases what was initialized and nothing else",
    .timeLimit(.minutes(20)), arguments: 0..<4)
  func throwing(at step: Int) async {
    let deinitialized = Recorder<Void>()
    #expect(throws: Failure.self) { try Position(deinitialized, failingAt: step) }
    #expect(await deinitialized.values(atLeast: step > 1 ? 1 : 0).count == (step > 1 ? 1 : 0))
  }
}

private struct Failure: Error {}

@ObservedProperties @MainActor private final class Position {
  var quantity = 1
  var limit: Double
  var note: String? = "old"
  private(set) var fills: [Int] = [1]
  var witness: Witness
  @Unobserved var cache = ["a": 1]
  let id: Int
  @Derived var total: Double { Double(quantity) * limit }

  init(limit: Double, quantity: Int) {
    self.limit = limit
    witness = Witness(Recorder())
    id = 1
    self.quantity = quantity
    note = "new"
  }

  init(_ deinitialized: Recorder<Void>, failingAt failure: Int) throws {
    func step(_ number: Int) throws -> Int {
      if number == failure { throw Failure() }
      return number
    }
    limit = Double(try step(0))
    witness = try step(1) == 1 ? Witness(deinitialized) : Witness(Recorder())
    id = try step(2)
    quantity = try step(3)
  }
}
