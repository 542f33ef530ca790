// Combinations of the parameters of `observe`. Emitted into the client that uses them.
extension EventSource {
  /// Calls a handler with an owner. The handler may throw; errors are passed to `onError`.
  ///
  /// ```swift
  /// traded.observe(with: self, onError: { print($0) }) { ledger, trade in try ledger.book(trade) }
  /// ```
  ///
  /// `onError` runs where the handler ran, immediately. The subscription continues, and may be dropped.
  ///
  /// - Parameters:
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Called with the owner and every value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject & Sendable, Failure: Error>(
    with owner: Owner, onError: @escaping @Sendable (Failure) -> Void,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Payload) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    let (home, call, selfCancellation) = (handler.isolation, plain(throwing: handler), SelfCancellation(owner: owner))
    let bound: PlainHandler<Payload> = selfCancellation.handler(owner) { owner, value in
      do throws(Failure) { try call(owner, value) } catch { onError(error) }
    }
    return attach(
      EventHandler(bound, on: home, selfCancellation: selfCancellation, site: CallSite(file: file, line: line)))
  }

  /// Calls a handler that may throw, on the actor that owns it. Errors are passed to `onError`.
  ///
  /// ```swift
  /// traded.observe(with: self, onError: { print($0) }) { ledger, trade in try ledger.book(trade) }
  /// ```
  ///
  /// `onError` runs where the handler ran, immediately. The subscription continues, and may be dropped.
  ///
  /// - Parameters:
  ///   - owner: Held weakly and handed to the handler.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Runs on the owner, with every value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: Actor, Failure: Error>(
    with owner: Owner, onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @Sendable (isolated Owner, Payload) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    let (call, selfCancellation) = (plain(throwingOnOwner: handler), SelfCancellation(owner: owner))
    let bound: PlainHandler<Payload> = selfCancellation.handler(owner) { owner, value in
      do throws(Failure) { try call(owner, value) } catch { onError(error) }
    }
    return attach(
      EventHandler(bound, onOwner: owner, selfCancellation: selfCancellation, site: CallSite(file: file, line: line)))
  }

  /// Calls the handler on a delivery target with the owner and every value, until the owner is deinitialized.
  ///
  /// ```swift
  /// traded.observe(on: .queue(.global()), with: self) { ticker, trade in ticker.post(trade) }
  /// ```
  ///
  /// - Parameters:
  ///   - target: Where the handler runs, through the subscription's own queue, first in first out.
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - handler: Called with the owner and every value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    on target: DeliveryTarget, with owner: Owner, _ handler: @escaping @Sendable (Owner, Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    let selfCancellation = SelfCancellation(owner: owner)
    return attach(
      EventHandler(
        selfCancellation.handler(owner, handler), on: target, selfCancellation: selfCancellation,
        site: CallSite(file: file, line: line)))
  }

  /// Calls a handler that may throw, on a delivery target. Errors are passed to `onError` there.
  ///
  /// ```swift
  /// subscription = traded.observe(on: .queue(.global()), onError: { print($0) }) { trade in try archive(trade) }
  /// ```
  ///
  /// - Parameters:
  ///   - target: Where the handler runs, through the subscription's own queue, first in first out.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Called with every value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  @_alwaysEmitIntoClient
  public func observe<Failure: Error>(
    on target: DeliveryTarget, onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @Sendable (Payload) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    observe(
      on: target,
      { value in
        do throws(Failure) { try handler(value) } catch { onError(error) }
      }, file: file, line: line)
  }

  /// Calls a handler with an owner, on a delivery target. The handler may throw; errors are passed to `onError` there.
  ///
  /// ```swift
  /// traded.observe(on: target, with: self, onError: { print($0) }) { journal, trade in try journal.book(trade) }
  /// ```
  ///
  /// - Parameters:
  ///   - target: Where the handler runs, through the subscription's own queue, first in first out.
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Called with the owner and every value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject & Sendable, Failure: Error>(
    on target: DeliveryTarget, with owner: Owner, onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @Sendable (Owner, Payload) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    observe(
      on: target, with: owner,
      { owner, value in
        do throws(Failure) { try handler(owner, value) } catch { onError(error) }
      }, file: file, line: line)
  }
}
