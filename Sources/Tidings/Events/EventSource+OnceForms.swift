// `once` with several parameters of `observe`. Emitted into the client that uses them.
extension EventSource {
  /// Calls a handler that may throw, with the owner and the next value, and never again.
  ///
  /// ```swift
  /// opened.once(with: self, onError: { print($0) }) { firm, time in try firm.begin(at: time) }
  /// ```
  ///
  /// `onError` runs where the handler ran.
  ///
  /// - Parameters:
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Called with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func once<Owner: AnyObject & Sendable, Failure: Error>(
    with owner: Owner, onError: @escaping @Sendable (Failure) -> Void,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Payload) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(with: owner, onError: onError, handler, file: file, line: line)
  }

  /// Calls a handler that may throw with the next value, on the actor that owns it, and never again.
  ///
  /// ```swift
  /// opened.once(with: self, onError: { print($0) }) { firm, time in try firm.begin(at: time) }
  /// ```
  ///
  /// `onError` runs where the handler ran.
  ///
  /// - Parameters:
  ///   - owner: The actor on which the handler runs, and which is passed to it; held weakly.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Runs on the owner, with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func once<Owner: Actor, Failure: Error>(
    with owner: Owner, onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @Sendable (isolated Owner, Payload) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(with: owner, onError: onError, handler, file: file, line: line)
  }

  /// Calls the handler on a delivery target with the owner and the next value, and never again.
  ///
  /// ```swift
  /// opened.once(on: .queue(.global()), with: self) { firm, time in firm.log(time) }
  /// ```
  ///
  /// - Parameters:
  ///   - target: Where the handler runs, through the subscription's own queue.
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - handler: Called with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func once<Owner: AnyObject & Sendable>(
    on target: DeliveryTarget, with owner: Owner,
    _ handler: @escaping @Sendable (Owner, Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(on: target, with: owner, handler, file: file, line: line)
  }

  /// Calls a handler that may throw on a delivery target with the next value, and never again.
  ///
  /// ```swift
  /// opened.once(on: .queue(.global()), onError: { print($0) }) { time in try begin(at: time) }
  /// ```
  ///
  /// `onError` runs on the target.
  ///
  /// - Parameters:
  ///   - target: Where the handler runs, through the subscription's own queue.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Called with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func once<Failure: Error>(
    on target: DeliveryTarget, onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @Sendable (Payload) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(on: target, onError: onError, handler, file: file, line: line)
  }

  /// Calls a handler that may throw on a delivery target, with the owner and the next value, and never again.
  ///
  /// ```swift
  /// opened.once(on: target, with: self, onError: { print($0) }) { firm, time in try firm.begin(at: time) }
  /// ```
  ///
  /// `onError` runs on the target.
  ///
  /// - Parameters:
  ///   - target: Where the handler runs, through the subscription's own queue.
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Called with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func once<Owner: AnyObject & Sendable, Failure: Error>(
    on target: DeliveryTarget, with owner: Owner, onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @Sendable (Owner, Payload) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(on: target, with: owner, onError: onError, handler, file: file, line: line)
  }
}
