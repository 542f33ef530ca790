extension ValueSource {
  /// The event of this value: its changes, with old and new value.
  ///
  /// ```swift
  /// let jumps = price.changes.filter { $0.new > 2 * ($0.old ?? $0.new) }
  /// ```
  ///
  /// This is the same source as an event: handlers of the value and of its `changes` are called in the order in which they
  /// were added. It retains the value, as the result of every operator retains its source; a subscription to it does not.
  public var changes: AnyEventSource<Change<Value>> { AnyEventSource(.serial) { attach($0) } }

  /// The event of this value, with the current value first in every subscription, `old` being nil.
  ///
  /// ```swift
  /// price.changes(.initial).observe(with: self, onError: { print($0) }) { firm, change in try firm.quote(change.new) }
  /// ```
  ///
  /// So every overload of `observe`, every operator and every stream begins with the current value. The event can be passed
  /// to other threads, so the isolation of the later `observe` is unknown: a handler on an actor receives the initial value
  /// through its queue. `observe(.initial)` of the value itself calls the handler in place.
  ///
  /// - Parameter option: `.initial`.
  /// - Returns: A source of the changes.
  public func changes(_ option: ObserveOption) -> AnyEventSource<Change<Value>> {
    AnyEventSource(.serial) { attach($0, sendingInitial: true, isolation: nil) }
  }

  /// Calls the handler with the owner and the current value, and then with every change, until the owner is deinitialized.
  ///
  /// ```swift
  /// price.observe(.initial, with: self) { firm, change in firm.quote(change.new) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - handler: Called with the owner and every change.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    _ option: ObserveOption, with owner: Owner,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Change<Value>) -> Void,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      .bound(to: owner, handler, CallSite(file: file, line: line)), sendingInitial: true, isolation: isolation)
  }

  /// Calls the handler with the current value and then with every change, on the actor that owns it.
  ///
  /// ```swift
  /// price.observe(.initial, with: self) { firm, change in firm.quote(change.new) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - owner: Held weakly and handed to the handler.
  ///   - handler: Runs on the owner, with every change.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: Actor>(
    _ option: ObserveOption, with owner: Owner,
    _ handler: @escaping @Sendable (isolated Owner, Change<Value>) -> Void,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      .bound(onOwner: owner, handler, CallSite(file: file, line: line)), sendingInitial: true, isolation: isolation)
  }

  /// Calls a handler that may throw with the current value, and then with every change.
  ///
  /// ```swift
  /// subscription = price.observe(.initial, onError: { print($0) }) { change in try quote(change.new) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - onError: Called with what the handler throws, where the handler ran.
  ///   - handler: Called with every change.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  @_alwaysEmitIntoClient
  public func observe<Failure: Error>(
    _ option: ObserveOption, onError: @escaping @Sendable (Failure) -> Void,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Change<Value>) throws(Failure) -> Void,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      .catching(onError, handler, CallSite(file: file, line: line)), sendingInitial: true, isolation: isolation)
  }

  /// Calls the handler on a delivery target with the current value, and then with every change.
  ///
  /// ```swift
  /// subscription = price.observe(.initial, on: .queue(.global())) { change in log(change.new) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - target: Where the handler runs, through the subscription's own queue.
  ///   - handler: Called with every change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  @_alwaysEmitIntoClient
  public func observe(
    _ option: ObserveOption, on target: DeliveryTarget, _ handler: @escaping @Sendable (Change<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    changes(option).observe(on: target, handler, file: file, line: line)
  }
}
