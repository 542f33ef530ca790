/// Calls a closure when it is released.
@usableFromInline
final class AtEnd: Sendable {
  private let call: @Sendable () -> Void
  @usableFromInline init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  deinit { call() }
}
