#if NATS
import Tidings

/// A variable that closures on several threads share.
final class Locked<Value: Sendable>: Sendable {
  private let value: Lock<Value>
  init(_ value: Value) { self.value = Lock(value) }
  func withLock<R>(_ body: (inout Value) -> R) -> R { value.withLock(body) }
}
#endif
