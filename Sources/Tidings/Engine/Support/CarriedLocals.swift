import Synchronization

/// The task-local values of the code that emitted a value which another thread or task delivers: those registered with
/// `carry`.
@usableFromInline
final class CarriedLocals: Sendable {
  /// One task-local that is propagated, and its value.
  @usableFromInline typealias Binding = @Sendable (_ body: () -> Void) -> Void
  private static let captures = Lock<[@Sendable () -> Binding]>([])
  private static let isCarrying = Atomic(false)

  private let bindings: [Binding]
  private init(_ bindings: [Binding]) { self.bindings = bindings }

  @usableFromInline
  static func carry(_ capture: @escaping @Sendable () -> Binding) {
    captures.withLock { $0.appendUnspecialized(capture) }
    isCarrying.store(true, ordering: .releasing)
  }

  /// The values to propagate from here. Requested only where a value is left to another thread or task.
  @inline(__always)
  static var captured: CarriedLocals? { isCarrying.load(ordering: .relaxed) ? capture() : nil }
  @inline(never)
  private static func capture() -> CarriedLocals {
    var bindings: [Binding] = []
    for capture in captures.withLock({ $0 }) { bindings.appendUnspecialized(capture()) }
    return CarriedLocals(bindings)
  }

  func bind(_ body: () -> Void) { bind(from: 0, body) }
  private func bind(from index: Int, _ body: () -> Void) {
    if index == bindings.count { return body() }
    bindings[index]({ bind(from: index + 1, body) })
  }
}
