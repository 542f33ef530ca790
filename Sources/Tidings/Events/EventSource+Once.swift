// `once` with one parameter of `observe`. Emitted into the client that uses them.
extension EventSource {
  /// Calls the handler with the owner and the next value, and never again.
  ///
  /// ```swift
  /// opened.once(with: self) { firm, time in firm.begin(at: time) }
  /// ```
  ///
  /// At most one call, and none if the owner, which is held weakly, has been deinitialized. The subscription may be dropped.
  ///
  /// - Parameters:
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - handler: Called with the owner and the next value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which can cancel before the call.
  @_alwaysEmitIntoClient @discardableResult
  public func once<Owner: AnyObject & Sendable>(
    with owner: Owner,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(with: owner, handler, file: file, line: line)
  }

  /// Calls the handler with the next value, on the actor that owns it, and never again.
  ///
  /// ```swift
  /// opened.once(with: self) { firm, time in firm.begin(at: time) }
  /// ```
  ///
  /// At most one call, and none if the actor, which is held weakly, has been deinitialized. The subscription may be dropped.
  ///
  /// - Parameters:
  ///   - owner: Held weakly and handed to the handler.
  ///   - handler: Runs on the owner, with the next value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which can cancel before the call.
  @_alwaysEmitIntoClient @discardableResult
  public func once<Owner: Actor>(
    with owner: Owner, _ handler: @escaping @Sendable (isolated Owner, Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(with: owner, handler, file: file, line: line)
  }

  /// Calls a handler that may throw with the next value, and never again. Errors are passed to `onError`.
  ///
  /// ```swift
  /// opened.once(onError: { print($0) }) { time in try begin(at: time) }
  /// ```
  ///
  /// - Parameters:
  ///   - onError: Called with what the handler throws, where the handler ran.
  ///   - handler: Called with the next value. At most one call, whether or not it throws.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel before the call.
  @_alwaysEmitIntoClient @discardableResult
  public func once<Failure: Error>(
    onError: @escaping @Sendable (Failure) -> Void,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Payload) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(onError: onError, handler, file: file, line: line)
  }

  /// Calls the handler on a delivery target with the next value, and never again.
  ///
  /// ```swift
  /// opened.once(on: .queue(.global())) { time in log(time) }
  /// ```
  ///
  /// - Parameters:
  ///   - target: Where the handler runs.
  ///   - handler: Called with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel before the call.
  @_alwaysEmitIntoClient @discardableResult
  public func once(
    on target: DeliveryTarget, _ handler: @escaping @Sendable (Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(on: target, handler, file: file, line: line)
  }

  /// Awaits the handler with the next value, and never again.
  ///
  /// ```swift
  /// opened.once { time in await archive.open(at: time) }
  /// ```
  ///
  /// - Parameters:
  ///   - handler: Called with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel before the call.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func once(
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Payload) async -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(handler, file: file, line: line)
  }
}
