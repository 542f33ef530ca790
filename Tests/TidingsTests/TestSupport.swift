import Foundation
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

extension Canaries {
  /// Whether no more than so many are left, at once or soon. What a value captured waits for computations that are under
  /// way on other threads, and tests run beside each other.
  func settle(atMost count: Int = 0) -> Bool {
    let deadline = Date(timeIntervalSinceNow: 40)
    while alive > count, Date() < deadline { Thread.sleep(forTimeInterval: 0.001) }
    return alive <= count
  }
}
