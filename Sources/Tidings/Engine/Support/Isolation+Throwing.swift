// The conversions of `Isolation.swift`, for handlers with an owner that may throw. The reason why they hold is there.

private struct IsolatedPair<O, P, E: Error> { let call: @isolated(any) @Sendable (O, P) throws(E) -> Void }
private struct UnisolatedPair<O, P, E: Error> { let call: @Sendable (O, P) throws(E) -> Void }

@usableFromInline
func plain<O, P, E: Error>(
  throwing handler: @escaping @isolated(any) @Sendable (O, P) throws(E) -> Void
) -> @Sendable (O, P) throws(E) -> Void {
  unsafeBitCast(IsolatedPair(call: handler), to: UnisolatedPair<O, P, E>.self).call
}

private struct OnOwner<O: Actor, P, E: Error> { let call: @Sendable (isolated O, P) throws(E) -> Void }
private struct WithOwner<O: Actor, P, E: Error> { let call: @Sendable (O, P) throws(E) -> Void }

@usableFromInline
func plain<O: Actor, P, E: Error>(
  throwingOnOwner handler: @escaping @Sendable (isolated O, P) throws(E) -> Void
) -> @Sendable (O, P) throws(E) -> Void {
  unsafeBitCast(OnOwner(call: handler), to: WithOwner<O, P, E>.self).call
}
