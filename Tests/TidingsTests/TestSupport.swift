import Synchronization
import TidingsTesting

final class Owner: Sendable {}

/// Does something when it ends.
final class Farewell: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  @inline(never)
  func touch() {}
}

actor Listener {
  private(set) var heard: [Int] = []

  func note(_ value: Int) { heard.append(value) }

  func run<Result: Sendable>(_ body: @Sendable (isolated Listener) -> Result) -> Result { body(self) }
}

final class Tally: Sendable {
  private let sum = Atomic<Int>(0)
  func add(_ number: Int) { sum.add(number, ordering: .relaxed) }
  var total: Int { sum.load(ordering: .relaxed) }
}

/// For what is counted on one thread. A thread of another test that might have been reading a value ends it in the place of who
/// replaced it, and computes what its end reads: so what is right is seen now and then, among tests that do nothing else, and
/// what is wrong is never right.
func atLeastOnce(_ isRight: () -> Bool) -> Bool { (0..<5_000).contains { _ in isRight() } }
