import TestSupport
import Testing
import TidingsTesting

@Suite("Randomised: events, values and hooks on four threads, against the contract", .slow)
struct EventFuzzTests {
  @Test("In every interleaving the contract allows all actions and receipts")
  func anyInterleaving() async {
    await Runs.forEachSeed(40, of: "event fuzz") { seed in
      let violations = await EventFuzz(seed).run()
      guard !violations.isEmpty else { return true }
      let shown = violations.prefix(5).joined(separator: "\n")
      Issue.record("TIDINGS_SEED=\(seed): \(violations.count) violations, the first of them\n\(shown)")
      return false
    }
  }
}
