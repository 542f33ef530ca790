/// A call that begins when its thread neither computes nor notifies and is in no transaction.
struct PendingStart: BitwiseCopyable {
  /// The call, retained.
  let call: Unmanaged<StartCall>
  /// The causal depth of the code that left it. What the call causes is deeper.
  let depth: Int
}

/// The closure of a start. It stays on its thread, so it need not be `Sendable`.
final class StartCall {
  private let body: (_ here: (any Actor)?) -> Void
  init(_ body: @escaping (_ here: (any Actor)?) -> Void) { self.body = body }

  /// Makes the call on the actor `here`, on which the thread is, or on none.
  @_optimize(size)
  func callAsFunction(_ here: (any Actor)?) { body(here) }
}
