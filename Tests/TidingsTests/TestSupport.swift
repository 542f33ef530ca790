import Tidings
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
  /// Whether all are gone, in the end: what was replaced while other threads were reading, also those of other tests, is let
  /// go by a later write.
  func allGo() async -> Bool {
    let later = Observed(0)
    for _ in 0..<200_000 where alive > 0 {
      later.update { $0 += 1 }
      await Task.yield()
    }
    return alive == 0
  }
}
