import Testing
import TidingsMacros
import TidingsTesting

@ObservedProperties actor Account {
  var balance = 0.0
  private(set) var deposits: [Double] = []
  @Derived var line: String { "\(deposits.count): \(balance)" }

  func deposit(_ amount: Double) {
    transaction {
      balance += amount
      deposits.append(amount)
    }
  }

  func note(_ amount: Double) { deposits.append(amount) }

  /// Returns the values that a handler on the actor has received when the assignment returns.
  func receivedInPlace() -> [Double] {
    let received = Recorder<Double>()
    let token = $balance.observe { change in
      self.preconditionIsolated()
      received(change.new)
    }
    balance = 7
    token.cancel()
    return received.values
  }
}

@Suite("Models that are actors")
struct ActorTests {
  @Test("Assignments in the actor call its handlers in place")
  func inPlace() async {
    #expect(await Account().receivedInPlace() == [7])
  }

  @Test("Its properties are read and observed from anywhere, and set by the actor")
  func elsewhere() async {
    let (account, received) = (Account(), Recorder<String>())
    let token = account.$line.observe { change in received(change.new) }
    await account.deposit(5)
    #expect(received.values == ["1: 5.0"])
    #expect(account.$balance.value == 5)
    #expect(account.$deposits.value == [5])
    token.cancel()
  }

  @Test("Nothing that other threads update is lost while the actor assigns others")
  func threads() async {
    let (account, rounds) = (Account(), 1_000)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<rounds { account.$balance.update { $0 += 1 } } }
      }
      group.addTask { for _ in 0..<rounds { await account.note(1) } }
    }
    #expect(account.$deposits.value.count == rounds)
    #expect(account.$balance.value == Double(4 * rounds))
  }
}
