import Testing
import TidingsTesting

@testable import TidingsRemote

@Suite("The synchronization of a shared value")
struct ValueSynchronizerTests {
  /// A million: `TIDINGS_ROUNDS=1000000 swift test -c release -Xswiftc -enable-testing --filter simulated`.
  @Test("20,000 simulated networks end with every write accounted for in every process", .timeLimit(.minutes(60)))
  func simulated() {
    let seeds = Runs.seeds(20_000, of: "value synchronizer")
    var wrong = 0
    for (index, seed) in seeds.enumerated() {
      let kind = ValueSynchronizerSimulation.Kind.allCases[index % 2 == 0 ? 0 : 1 + index / 2 % 3]
      var simulation = ValueSynchronizerSimulation(seed: seed, kind)
      guard let problem = simulation.run(steps: 120) else { continue }
      wrong += 1
      if wrong <= 3 { Issue.record("\(kind), round \(index), TIDINGS_SEED=\(seed): \(problem)") }
    }
    print("value synchronizer: \(wrong) of \(seeds.count) runs wrong")
    #expect(wrong == 0)
  }

  private typealias Synchronizer = ValueSynchronizer<Int>
  private let adding = ConflictRule<Int>.merge { base, mine, theirs in theirs + mine - base }

  private func stored(_ write: Synchronizer.Write, by writer: String) -> Synchronizer.Stored {
    Synchronizer.Stored(value: write.value, writer: writer, seen: write.seen, revision: write.expected + 1)
  }

  @Test("Nothing is written before the store has said what it holds")
  func uninformed() {
    var value = Synchronizer(0, writer: "a")
    value.edit { $0 = 1 }
    #expect(value.nextWrite() == nil)
    #expect(!value.isSettled)
    value.receiveAbsence()
    #expect(value.nextWrite()?.value == 1)
  }

  @Test("A write in flight is repeated unchanged, whatever is edited meanwhile")
  func inFlight() {
    var value = Synchronizer(0, writer: "a")
    value.receiveAbsence()
    value.edit { $0 = 1 }
    let first = value.nextWrite()
    value.edit { $0 = 2 }
    let again = value.nextWrite()
    #expect(again?.value == 1)
    #expect(again?.number == first?.number)
  }

  @Test("A write whose answer was lost, and on which another process built, is not counted twice")
  func builtUpon() throws {
    var (first, second) = (Synchronizer(0, writer: "a"), Synchronizer(0, writer: "b"))
    first.receiveAbsence()
    first.edit { $0 += 1 }
    let written = first.nextWrite()
    let lost = stored(try #require(written), by: "a")  // stored; the answer does not come
    second.receive(lost, adding)
    second.edit { $0 += 10 }
    let built = second.nextWrite()
    let upon = stored(try #require(built), by: "b")
    first.receive(upon, adding)
    #expect(first.local == 11)
    #expect(first.isSettled)
  }

  @Test("An older revision changes nothing")
  func backwards() throws {
    var (first, second) = (Synchronizer(0, writer: "a"), Synchronizer(0, writer: "b"))
    first.receiveAbsence()
    var newValues: [Synchronizer.Stored] = []
    for new in 1...3 {
      first.edit { $0 = new }
      let write = first.nextWrite()
      newValues.append(stored(try #require(write), by: "a"))
      first.receive(newValues[new - 1], adding)
    }
    second.receive(newValues[2], adding)
    second.receive(newValues[0], adding)
    second.receive(newValues[1], adding)
    #expect(second.local == 3)
    #expect(second.revision == 3)
  }

  @Test("A writer is found again until 128 others have written since")
  func bounded() {
    var numbers = WriterNumbers().adding(7, of: "a")
    for index in 0..<127 { numbers = numbers.adding(1, of: "w\(index)") }
    #expect(numbers["a"] == 7)
    numbers = numbers.adding(1, of: "one more")
    #expect(numbers["a"] == 0)
    #expect(numbers["w0"] == 1)
  }
}
