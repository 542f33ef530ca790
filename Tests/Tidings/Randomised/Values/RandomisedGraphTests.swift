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
    for seed in Runs.seeds(300, of: "graphs") {
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

  @Test(
    """
    17, 18, 21, 22. After several threads have written to a random graph its values and what last received are right, the \
    chains are unbroken, and no more was notified than changed
    """)
  func severalThreads() async {
    for seed in Runs.seeds(150, of: "graphs, several threads") {
      let stress = GraphStress(seed)
      await stress.run()
      guard stress.problems.isEmpty else {
        Issue.record("TIDINGS_SEED=\(seed): \(stress.problems.all.joined(separator: "\n"))")
        return
      }
    }
  }
}
