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
  /// What a violation names, so that the round can be repeated.
  static let place = Mutex("before the first round")

  func run() async {
    let start = now()
    let statistics = Statistics()
    let deliveries = DeliveryLoad(statistics)
    let values = ValueLoad(statistics)
    let hooks = HookLoad(statistics)
    let reports = Diagnostics.reports.observe { check(false, "the library reports: \($0.message)") }
    var elapsed: Int { Int((now() - start) / 1_000_000_000) }
    var (round, warm, largest, printed) = (0, Int?.none, 0, 0)
    var (resident, warmAllocated) = (0, 0)
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
      }
      deliveries.checkEmpty()
      let kept = await keptCopies()
      check(kept <= 2, "payloads or captures are left: \(Ballast.description)")
      if kept > 0 { statistics.count("rounds after which an older version of a value was kept") }
      round += 1
      guard let now = Memory.resident else { continue }
      resident = now
      if elapsed >= max(seconds / 10, min(120, seconds / 2)), round >= 2, warm == nil {
        (warm, warmAllocated) = (resident, Memory.allocated ?? 0)
      }
      largest = max(largest, resident)
      if elapsed >= printed + 60 {
        printed = elapsed
        let allocated = Memory.allocated.map { ", \(Memory.text($0)) allocated" } ?? ""
        say("  \(elapsed) s, \(round) rounds, \(Memory.text(resident)) resident\(allocated)")
      }
    }
    statistics.printAll()
    say("\n\(round) rounds in \(elapsed) s, seed \(seed)")
    if let warm {
      say(
        "resident after the warm-up \(Memory.text(warm)), at the end \(Memory.text(resident)), at most \(Memory.text(largest))"
      )
      // For some minutes the fragments of the allocator still grow; what is in use does not.
      let limit = warm * 105 / 100 + (seconds < 600 ? 8_000_000 : 0)
      if let allocated = Memory.allocated {
        say("allocated after the warm-up \(Memory.text(warmAllocated)), at the end \(Memory.text(allocated))")
        // Queues and graphs keep the largest capacity that they ever needed, which still grows for an hour.
        check(
          allocated <= warmAllocated * 105 / 100 + 2_000_000,
          "what is allocated grew from \(warmAllocated) to \(allocated) bytes")
      }
      check(resident <= limit, "memory grew from \(warm) to \(resident) bytes")
    } else {
      say("memory is not measured on this platform")
    }
    say("✔ nothing lost, nothing twice, order kept, nothing left")
    withExtendedLifetime(reports) {}
  }

  private func runs(_ load: String) -> Bool { only.isEmpty || only.contains(load) }

  /// How many stamps are alive beside the one that the values of `ValueLoad` have; more than two if anything else is alive.
  ///
  /// Known: an older version that was kept for a thread which was computing may outlive that computation, contrary to sentence
  /// 15. Each of the two values then keeps one, until it is looked at again. Tasks may release what they hold a moment later.
  private func keptCopies() async -> Int {
    var turns = 0
    while Ballast.alive > 1, turns < 200 {
      try? await Task.sleep(for: .milliseconds(2))
      turns += 1
    }
    let stamps = Ballast.alive(.stamp)
    return stamps == Ballast.alive ? max(0, stamps - 1) : .max
  }
}
