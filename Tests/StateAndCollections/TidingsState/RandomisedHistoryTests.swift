import Testing
import TidingsTesting

@Suite("Randomised: a history beside handlers of derived values, against plain arrays of states")
struct RandomisedHistoryTests {
  @Test("Undo and redo restore the values after each propagation")
  func againstStates() async {
    await Runs.forEachSeed(Runs.size(60, full: 1_000), of: "history and derived values") { seed in
      var random = SplitMix64(seed)
      let machine = HistoryMachine()
      for _ in 0..<150 {
        guard let problem = machine.step({ random.number(below: $0) }) else { continue }
        Issue.record("TIDINGS_SEED=\(seed): \(problem)\n\(machine.operations.suffix(12).joined(separator: ", "))")
        return false
      }
      return true
    }
  }
}
