import Testing
import Tidings
import TidingsTesting

@Suite("Randomised: several threads over several events")
struct RandomisedThreadsTests {
  @Test("All handlers that stay throughout receive the same; none receives before, after or between")
  func severalThreads() async {
    for seed in Runs.seeds(12, of: "threads") {
      let stress = StressTest(seed)
      var differences = await stress.run()
      differences += await ended(stress.canaries)
      guard differences.isEmpty else {
        Issue.record("TIDINGS_SEED=\(seed): \(differences.prefix(5).joined(separator: "\n"))")
        return
      }
    }
  }

  /// When the events are deinitialized so is every capture. A task that delivers for an actor may still hold a reference.
  private func ended(_ canaries: Canaries) async -> [String] {
    await canaries.quiesce() ? [] : ["\(canaries.alive) captures are never released"]
  }
}
