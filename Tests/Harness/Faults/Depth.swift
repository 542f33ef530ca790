import Synchronization
import Tidings

/// Operations that nest, or would nest without a queue, on a thread with a small stack. Each stays within the bounds that the
/// contract names.
enum Depth {
  static func run(stack: Int) {
    Threads(1, stack: stack) { _ in
      emissions()
      nestedEmissions()
      nestedInOneIsolation()
      sets()
      derivedValues()
    }.join()
    print("✔ depth, with a stack of \(stack) bytes")
  }

  /// A handler that emits what it causes, near the depth at which a cycle is rejected.
  private static func emissions() {
    let event = Event<Int>("faults.serial")
    let reached = Mutex(0)
    let token = event.observe { [weak event] number in
      reached.withLock { $0 = number }
      if number < 9_000 { event?.emit(number + 1) }
    }
    event.emit(0)
    check(reached.withLock { $0 } == 9_000, "a chain of emissions ended at \(reached.withLock { $0 })")
    token.cancel()
  }

  /// Under `.immediate` they nest: a cycle is rejected before the stack ends, and the program continues.
  private static func nestedEmissions() {
    let event = Event<Int>("faults.immediate", policy: .immediate)
    let reached = Mutex(0)
    let rejected = Mutex(0)
    let reports = Diagnostics.reports.observe { _ in rejected.withLock { $0 += 1 } }
    let token = event.observe { [weak event] number in
      reached.withLock { $0 = max($0, number) }
      event?.emit(number + 1)
    }
    event.emit(0)
    check(reached.withLock { $0 } >= 10, "a cycle was rejected at \(reached.withLock { $0 })")
    check(rejected.withLock { $0 } > 0, "a cycle was not reported")
    token.cancel()
    reports.cancel()
  }

  /// Local events and local hooks call their handlers within one another under every policy.
  private static func nestedInOneIsolation() {
    let rejected = Mutex(0)
    let reports = Diagnostics.reports.observe { _ in rejected.withLock { $0 += 1 } }
    let event = LocalEvent<Int>("faults.local")
    var emitted = 0
    let token = event.observe { [weak event] number in
      emitted = max(emitted, number)
      event?.emit(number + 1)
    }
    event.emit(0)
    check(emitted >= 10 && rejected.withLock { $0 } > 0, "a local cycle was rejected at \(emitted)")
    token.cancel()
    let hook = LocalHook<Int, Int, Never>("faults.localHook")
    let before = rejected.withLock { $0 }
    var asked = 0
    let handling = hook.handle { [weak hook] number in
      asked = max(asked, number)
      return hook?.all(number + 1).count ?? 0
    }
    _ = hook.all(0)
    check(asked >= 10 && rejected.withLock { $0 } > before, "a cycle of questions was rejected at \(asked)")
    handling.cancel()
    reports.cancel()
  }

  /// Each value's handler sets the next one.
  private static func sets() {
    let values = (0..<2_000).map { _ in Observed(0) }
    let tokens = zip(values, values.dropFirst()).map { value, next in value.observe { next.set($0.new) } }
    values[0].set(7)
    check(values.allSatisfy { $0.value == 7 }, "a chain of sets was not set to its end")
    for token in tokens { token.cancel() }
  }

  /// Each is computed from the one before. Read from the first on, as a first read of the last takes stack for all.
  private static func derivedValues() {
    let source = Observed(0)
    var values = [Derived { source.value + 1 }]
    for _ in 1..<2_000 {
      let before = values[values.count - 1]
      values.append(Derived { before.value + 1 })
      _ = values[values.count - 1].value
    }
    source.set(5)
    check(values[values.count - 1].value == 2_005, "a chain of derived values gives \(values[values.count - 1].value)")
  }
}
