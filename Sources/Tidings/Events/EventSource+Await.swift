// Asynchronous handlers. Emitted into the client that uses them: each is little more than closures.
extension EventSource {
  /// Awaits the handler with every value that is emitted from now on, one call after the other, for as long as the
  /// subscription is kept.
  ///
  /// ```swift
  /// subscription = traded.observe(buffering: .newest(100)) { trade in await archive.store(trade) }
  /// ```
  ///
  /// **Order.** The calls of one subscription never overlap. Each begins when the call before it has returned, so they
  /// receive the values in the order of the event. Values that are emitted meanwhile wait in a queue of the subscription;
  /// the emitter never waits. Each subscription awaits its handler independently of the others.
  ///
  /// **Backpressure.** `buffering` says how many values may wait in addition to the one that is being handled, and which are
  /// dropped beyond that. ``Subscription/droppedCount`` counts the dropped values.
  ///
  /// **Waiting.** `emitAndWait`, `drained()` and `finish()` of the subscription also wait for a suspended call. A handler
  /// that would wait for itself in this way is reported, and not waited for.
  ///
  /// **Cancelling.** `cancel()` drops the values that wait; on the handler's actor no call begins afterwards. A call that has
  /// begun completes, and its task is not cancelled.
  /// Calls run in a task of their own, so what they emit is caused by no other value.
  ///
  /// - Parameters:
  ///   - buffering: How many values may wait.
  ///   - handler: Runs on the actor on which it was formed, or on none.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1); each value costs the emitter a lock and a copy, and a new task when none is running.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func observe(
    buffering: BufferingPolicy = .unbounded,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Payload) async -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      .awaiting(buffering, CallSite(file: file, line: line)) { value, permit in
        await permit.call(handler, value, isolation: handler.isolation)
      })
  }

  /// Awaits a handler that may throw. Errors are passed to `onError`, and the next value is still handled.
  ///
  /// ```swift
  /// subscription = traded.observe(onError: { print("not stored:", $0) }) { trade in try await store.save(trade) }
  /// ```
  ///
  /// - Parameters:
  ///   - buffering: How many values may wait; see ``observe(buffering:_:file:line:)``.
  ///   - onError: Called with what the handler throws, before the next value is handled.
  ///   - handler: Runs on the actor on which it was formed, or on none.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func observe<Failure: Error>(
    buffering: BufferingPolicy = .unbounded, onError: @escaping @Sendable (Failure) -> Void,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Payload) async throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      .awaiting(buffering, CallSite(file: file, line: line)) { value, permit in
        await permit.call(handler, value, onError: onError, isolation: handler.isolation)
      })
  }

  /// Awaits the handler with the owner and every value, until the owner is deinitialized.
  ///
  /// ```swift
  /// traded.observe(with: store) { store, trade in await store.upload(trade) }
  /// ```
  ///
  /// The owner is held weakly, and strongly while a call runs. The subscription may be dropped.
  ///
  /// - Parameters:
  ///   - owner: Handed to the handler, which should not capture it.
  ///   - buffering: How many values may wait; see ``observe(buffering:_:file:line:)``.
  ///   - handler: Runs on the actor on which it was formed, or on none.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    with owner: Owner, buffering: BufferingPolicy = .unbounded,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Payload) async -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      .awaiting(boundTo: owner, buffering, CallSite(file: file, line: line)) { owner, value, permit in
        await permit.call(handler, owner, value, onError: nil, isolation: handler.isolation)
      })
  }

  /// Awaits a handler with an owner. The handler may throw; errors are passed to `onError`.
  ///
  /// ```swift
  /// traded.observe(with: store, onError: { print($0) }) { store, trade in try await store.save(trade) }
  /// ```
  ///
  /// - Parameters:
  ///   - owner: Handed to the handler, which should not capture it; held weakly.
  ///   - buffering: How many values may wait; see ``observe(buffering:_:file:line:)``.
  ///   - onError: Called with what the handler throws, before the next value is handled.
  ///   - handler: Runs on the actor on which it was formed, or on none.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe<Owner: AnyObject & Sendable, Failure: Error>(
    with owner: Owner, buffering: BufferingPolicy = .unbounded, onError: @escaping @Sendable (Failure) -> Void,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Payload) async throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      .awaiting(boundTo: owner, buffering, CallSite(file: file, line: line)) { owner, value, permit in
        await permit.call(handler, owner, value, onError: onError, isolation: handler.isolation)
      })
  }

  /// Awaits the handler on the actor that owns it, with every value, until the actor is deinitialized.
  ///
  /// ```swift
  /// traded.observe(with: self) { ledger, trade in await ledger.book(trade) }
  /// ```
  ///
  /// - Parameters:
  ///   - owner: The actor on which the handler runs, and which is passed to it; held weakly.
  ///   - buffering: How many values may wait; see ``observe(buffering:_:file:line:)``.
  ///   - handler: Runs on the owner.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe<Owner: Actor>(
    with owner: Owner, buffering: BufferingPolicy = .unbounded,
    _ handler: @escaping @Sendable (isolated Owner, Payload) async -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      .awaiting(boundTo: owner, buffering, CallSite(file: file, line: line)) { owner, value, permit in
        guard let owner = owner() else { return false }
        await permit.call(handler, value, onError: nil, on: owner)
        return true
      })
  }

  /// Awaits a handler that may throw, on the actor that owns it. Errors are passed to `onError`.
  ///
  /// ```swift
  /// traded.observe(with: self, onError: { print($0) }) { ledger, trade in try await ledger.save(trade) }
  /// ```
  ///
  /// - Parameters:
  ///   - owner: The actor on which the handler runs, and which is passed to it; held weakly.
  ///   - buffering: How many values may wait; see ``observe(buffering:_:file:line:)``.
  ///   - onError: Called with what the handler throws, before the next value is handled.
  ///   - handler: Runs on the owner.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe<Owner: Actor, Failure: Error>(
    with owner: Owner, buffering: BufferingPolicy = .unbounded, onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @Sendable (isolated Owner, Payload) async throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      .awaiting(boundTo: owner, buffering, CallSite(file: file, line: line)) { owner, value, permit in
        guard let owner = owner() else { return false }
        await permit.call(handler, value, onError: onError, on: owner)
        return true
      })
  }
}

extension EventHandler {
  /// A handler of which each value is one call, in a queue.
  @_alwaysEmitIntoClient
  static func awaiting(
    _ buffering: BufferingPolicy, _ site: CallSite, _ selfCancellation: SelfCancellation? = nil,
    _ call: @escaping @Sendable (Payload, CallPermit) async -> Void
  ) -> EventHandler {
    let slot = AwaitingSlot(buffering, site)
    return EventHandler(
      passing: { value, context in slot.post(context) { permit in await call(value, permit) } }, to: slot,
      selfCancellation: selfCancellation, site)
  }

  /// The same for a handler with an owner, whose call says whether it has found the owner. The subscription ends with it.
  @_alwaysEmitIntoClient
  static func awaiting<Owner: AnyObject & Sendable>(
    boundTo owner: Owner, _ buffering: BufferingPolicy, _ site: CallSite,
    _ call: @escaping @Sendable (@escaping @Sendable () -> Owner?, Payload, CallPermit) async -> Bool
  ) -> EventHandler {
    let selfCancellation = SelfCancellation(owner: owner)
    let owner: @Sendable () -> Owner? = { [weak owner] in owner }
    return awaiting(buffering, site, selfCancellation) { value, permit in
      if !(await call(owner, value, permit)) { selfCancellation.cancel() }
    }
  }
}
