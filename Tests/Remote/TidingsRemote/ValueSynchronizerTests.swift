import Testing
import TidingsTesting

@testable import TidingsRemote

@Suite("The synchronization of a shared value")
struct ValueSynchronizerTests {
  /// A million: `TIDINGS_TARGETS=products TIDINGS_ROUNDS=1000000 swift test -c release -Xswiftc -enable-testing --filter simulated`.
  @Test("Simulated networks end with every write accounted for in every process", .timeLimit(.minutes(60)))
  func simulated() {
    let seeds = Runs.seeds(Runs.size(2_000, full: 20_000), of: "value synchronizer")
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

  @Test("A report of the known revision ends the doubt that an older one has raised")
  func doubt() {
    var synchronizer = ValueSynchronizer(0, writer: "w")
    for revision: UInt64 in [5, 3, 5] {
      synchronizer.receive(
        .init(value: Int(revision), writer: "v", seen: WriterNumbers(), revision: revision), .latest)
      #expect(synchronizer.needsWrite == (revision == 3))
    }
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
