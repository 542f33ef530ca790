/// Calls a closure when it is deinitialized.
@usableFromInline
final class OnDeinit: Sendable {
  private let call: @Sendable () -> Void
  @usableFromInline init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  deinit { call() }
}
