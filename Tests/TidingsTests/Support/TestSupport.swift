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
