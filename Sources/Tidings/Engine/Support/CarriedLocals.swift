import Synchronization

/// The task-local values of the code that emitted a value which another thread or task delivers: those registered with
/// `carry`.
final class CarriedLocals: Sendable {
  /// One task-local that is propagated, and its value.
  typealias Binding = @Sendable (_ body: () -> Void) -> Void
  private static let captures = Lock<[@Sendable () -> Binding]>([])
  private static let isCarrying = Atomic(false)

  private let bindings: [Binding]
  private init(_ bindings: [Binding]) { self.bindings = bindings }

  static func carry<Value: Sendable>(_ local: TaskLocal<Value>) {
    captures.withLock {
      $0.append {
        let value = local.get()
        return { body in local.withValue(value, operation: body) }
      }
    }
    isCarrying.store(true, ordering: .releasing)
  }

  /// The values to propagate from here. Requested only where a value is left to another thread or task.
  @inline(__always)
  static var captured: CarriedLocals? { isCarrying.load(ordering: .relaxed) ? capture() : nil }
  @inline(never)
  private static func capture() -> CarriedLocals {
    CarriedLocals(captures.withLock { $0 }.map { $0() })
  }

  func bind(_ body: () -> Void) { bind(from: 0, body) }
  private func bind(from index: Int, _ body: () -> Void) {
    if index == bindings.count { return body() }
    bindings[index]({ bind(from: index + 1, body) })
  }
}
