// The closures that the forms of `observe` are made of, where two of them need the same. Compiled by who uses them.
extension EventHandler {
  /// Bound to an object: ends with it.
  @_alwaysEmitIntoClient
  static func bound<Owner: AnyObject & Sendable>(
    to owner: Owner, _ handler: @escaping @isolated(any) @Sendable (Owner, Payload) -> Void, _ site: CallSite
  ) -> EventHandler {
    let (home, call, ending) = (handler.isolation, plain(handler), Ending(owner: owner))
    let bound: Plain<Payload> = { [weak owner] value in
      if let owner { call(owner, value) } else { ending.cancel() }
    }
    return EventHandler(bound, on: home, ending: ending, site: site)
  }

  /// Bound to an actor, on which it runs: ends with it.
  @_alwaysEmitIntoClient
  static func bound<Owner: Actor>(
    onOwner owner: Owner, _ handler: @escaping @Sendable (isolated Owner, Payload) -> Void, _ site: CallSite
  ) -> EventHandler {
    let (call, ending) = (plain(onOwner: handler), Ending(owner: owner))
    let bound: Plain<Payload> = { [weak owner] value in
      if let owner { call(owner, value) } else { ending.cancel() }
    }
    return EventHandler(bound, onOwner: owner, ending: ending, site: site)
  }

  /// What it throws reaches `onError`.
  @_alwaysEmitIntoClient
  static func catching<Failure: Error>(
    _ onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @isolated(any) @Sendable (Payload) throws(Failure) -> Void, _ site: CallSite
  ) -> EventHandler {
    let (home, call) = (handler.isolation, plain(handler))
    let catching: Plain<Payload> = { value in
      do throws(Failure) { try call(value) } catch { onError(error) }
    }
    return EventHandler(catching, on: home, ending: nil, site: site)
  }
}
