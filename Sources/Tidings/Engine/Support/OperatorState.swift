/// State of an operator, for one subscription.
@usableFromInline
final class OperatorState<Value>: @unchecked Sendable {  // accessed by the delivering thread alone
  @usableFromInline var value: Value
  @usableFromInline init(_ value: Value) { self.value = value }
}

/// State of an operator that several threads access.
@usableFromInline
final class GuardedState<Value>: Sendable {
  private let value: Lock<Value>
  @usableFromInline init(_ value: Value) { self.value = Lock(value) }
  /// `body` destroys nothing: what it takes out, it returns.
  @usableFromInline
  func withLock<R>(_ body: (inout Value) -> R) -> R { value.withLock(body) }
}
