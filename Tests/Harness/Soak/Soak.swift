import Foundation
import Synchronization
import Tidings

/// Rounds of mixed load until the time is over. After each round nothing runs and everything that the round made is released:
/// then its counts are compared, live objects are counted, and memory is measured.
struct Soak {
  let seed: UInt64
  let seconds: Int
  /// The loads to run; all where it is empty.
  let only: [String]
  /// The place that a violation names, so that the round can be repeated.
  static let place = Mutex("before the first round")

  func run() async {
    let start = now()
    let statistics = Statistics()
    let deliveries = DeliveryLoad(statistics)
    let values = ValueLoad(statistics)
    let hooks = HookLoad(statistics)
    let reports = Diagnostics.reports.observe { check(false, "the library reports: \($0.message)") }
    var elapsed: Int { Int((now() - start) / 1_000_000_000) }
    var (round, printed, memory) = (0, 0, MemoryTrend(seconds: seconds))
    say("soak: \(seconds) s, seed \(seed)")
    while elapsed < seconds || round < 3 {
      let seed = seed &* 1_000_003 &+ UInt64(round)
      Self.place.withLock { $0 = "seed \(self.seed), round \(round), \(elapsed) s" }
      await withTaskGroup(of: Void.self) { group in
        if runs("events") { group.addTask { await deliveries.round(values: 1_000, seed: seed) } }
        if runs("streams") {
          group.addTask { await StreamLoad(statistics: statistics).round(values: 1_500, seed: seed) }
        }
        if runs("values") { group.addTask { await values.round(values: 2_000, seed: seed) } }
        if runs("hooks") { group.addTask { await hooks.round(questions: 100, seed: seed) } }
        if runs("products") {
          group.addTask { await ProductLoad(statistics: statistics).round(edits: 200, seed: seed) }
        }
        if runs("relays") { group.addTask { await RelayLoad(statistics: statistics).round(values: 50) } }
        if runs("dialects") { group.addTask { await DialectLoad(statistics: statistics).round(values: 200) } }
      }
      deliveries.checkEmpty()
      await checkNothingIsLeft()
      round += 1
      guard let now = memory.measure(at: elapsed) else { continue }
      if elapsed >= printed + 60 {
        printed = elapsed
        say("  \(elapsed) s, \(round) rounds, \(now)")
      }
    }
    statistics.printAll()
    say("\n\(round) rounds in \(elapsed) s, seed \(seed)")
    memory.checkIsFlat()
    say("✔ nothing lost, nothing twice, order kept, nothing left")
    withExtendedLifetime(reports) {}
  }

  private func runs(_ load: String) -> Bool { only.isEmpty || only.contains(load) }

  /// Checks that nothing is left but the payload that the values of `ValueLoad` have. Tasks may release what they hold a moment
  /// later.
  private func checkNothingIsLeft() async {
    var turns = 0
    while Ballast.alive > 1, turns < 2_000 {
      try? await Task.sleep(for: .milliseconds(2))
      turns += 1
    }
    check(Ballast.alive <= 1, "payloads or captures are left: \(Ballast.description)")
  }
}
