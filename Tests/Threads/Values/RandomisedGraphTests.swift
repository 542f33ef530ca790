import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite("Randomised: graphs of values against one that is recomputed", .slow)
struct RandomisedGraphTests {
  @Test(
    """
    17–22. Values, notifications, chains and computations of random graphs are those of a plain graph that computes everything \
    after each change
    """)
  func oneThread() async {
    for seed in Runs.seeds(Runs.size(150, full: 300), of: "graphs") {
      let driver = GraphDriver(seed: seed)
      for step in 0..<60 {
        await driver.step()
        guard driver.problems.isEmpty else {
          Issue.record(
            "TIDINGS_SEED=\(seed), step \(step): \(driver.problems.joined(separator: "\n"))\n\(driver.log.suffix(30))")
          return
        }
      }
    }
  }
}
