// The closures that several overloads of `observe` share. Emitted into the client that uses them.
extension EventHandler {
  /// A handler that is bound to an object: its subscription ends when the object is deinitialized.
  @_alwaysEmitIntoClient
  static func bound<Owner: AnyObject & Sendable>(
    to owner: Owner, _ handler: @escaping @isolated(any) @Sendable (Owner, Payload) -> Void, _ site: CallSite
  ) -> EventHandler {
    let (home, call, selfCancellation) = (handler.isolation, plain(handler), SelfCancellation(owner: owner))
    return EventHandler(selfCancellation.handler(owner, call), on: home, selfCancellation: selfCancellation, site: site)
  }

  /// A handler that is bound to an actor and runs on it: its subscription ends when the actor is deinitialized.
  @_alwaysEmitIntoClient
  static func bound<Owner: Actor>(
    onOwner owner: Owner, _ handler: @escaping @Sendable (isolated Owner, Payload) -> Void, _ site: CallSite
  ) -> EventHandler {
    let (call, selfCancellation) = (plain(onOwner: handler), SelfCancellation(owner: owner))
    return EventHandler(
      selfCancellation.handler(owner, call), onOwner: owner, selfCancellation: selfCancellation, site: site)
  }

  /// A handler whose errors are passed to `onError`.
  @_alwaysEmitIntoClient
  static func catching<Failure: Error>(
    _ onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @isolated(any) @Sendable (Payload) throws(Failure) -> Void, _ site: CallSite
  ) -> EventHandler {
    let (home, call) = (handler.isolation, plain(handler))
    let catching: PlainHandler<Payload> = { value in
      do throws(Failure) { try call(value) } catch { onError(error) }
    }
    return EventHandler(catching, on: home, selfCancellation: nil, site: site)
  }
}
