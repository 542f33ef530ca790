import Foundation
import Synchronization
import Testing

@testable import ValueEngine

/// All tests of the engine, one after the other: a pin of one test retains versions of every other.
@Suite(.serialized) enum ValueEngineTests {}

/// Collects and destroys on this thread until the claim holds; not for ever.
func collect(until isDone: () -> Bool) {
  let context = Context.current
  for _ in 0..<20_000 where !isDone() {
    Reclaimer.collect(context.thread)
    context.finish()
    sched_yield()
  }
}

/// Runs a closure on several threads of its own, and returns when all have finished.
func together(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  let left = Left(count)
  await withCheckedContinuation { continuation in
    for index in 0..<count {
      let thread = Thread {
        body(index)
        if left.count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { continuation.resume() }
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }
}
private final class Left: Sendable {
  let count: Atomic<Int>
  init(_ count: Int) { self.count = Atomic(count) }
}

/// Counts the steps that threads have made together. They wait in a loop, so only for what another thread does immediately.
final class Steps: Sendable {
  private let made = Atomic<Int>(0)
  func make() { made.add(1, ordering: .acquiringAndReleasing) }
  func wait(for number: Int) { while made.load(ordering: .acquiring) < number { sched_yield() } }
}

/// Collects what threads of their own find, for the test to expect: an expectation on another thread belongs to no test.
final class Findings: @unchecked Sendable {  // `found` is accessed under the lock
  private let lock = NSLock()
  private var found: [String] = []
  func check(_ isRight: Bool, _ text: @autoclosure () -> String) {
    if !isRight { lock.withLock { if found.count < 10 { found.append(text()) } } }
  }
  var all: [String] { lock.withLock { found } }
}

final class Counter: Sendable {
  private let atomic = Atomic<Int>(0)
  func add(_ number: Int = 1) { atomic.add(number, ordering: .relaxed) }
  var value: Int { atomic.load(ordering: .acquiring) }
}

/// Counts its instances.
final class Counted: Equatable, Sendable {
  let number: Int
  private let live: Counter
  init(_ number: Int, _ live: Counter) {
    (self.number, self.live) = (number, live)
    live.add()
  }
  deinit { live.add(-1) }
  static func == (one: Counted, other: Counted) -> Bool { one.number == other.number }
}

/// A generator that a seed determines. The seed is printed.
struct SeededRandom {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
  mutating func next(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }
  /// The seed of the environment variable, or a new one.
  static var seed: UInt64 {
    let seed =
      ProcessInfo.processInfo.environment["TIDINGS_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...UInt64.max)
    print("TIDINGS_SEED=\(seed)")
    return seed
  }
  /// How long a randomised test runs.
  static func rounds(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["TIDINGS_ROUNDS"].flatMap { Int($0) } ?? usual
  }
}

private let turns = Atomic<UInt>(1)
/// Something may happen between two reads: else a closure is over before another thread has committed twice.
func letOthersRun() {
  let number = turns.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue >> 40
  if number & 7 == 0 { for _ in 0..<(number >> 4) & 15 { sched_yield() } }
}
