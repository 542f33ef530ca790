// `.initial` with several parameters of `observe`. Emitted into the client that uses them.
extension ValueSource {
  /// Calls a handler that may throw, with the owner and the current value, and then with every change.
  ///
  /// ```swift
  /// price.observe(.initial, with: self, onError: { print($0) }) { firm, change in try firm.quote(change.new) }
  /// ```
  ///
  /// A handler on an actor receives the current value through its queue, too; see ``changes(_:)``.
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Called with the current value and every change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject & Sendable, Failure: Error>(
    _ option: ObserveOption, with owner: Owner, onError: @escaping @Sendable (Failure) -> Void,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Change<Value>) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    changes(option).observe(with: owner, onError: onError, handler, file: file, line: line)
  }

  /// Calls a handler that may throw with the current value, and then with every change, on the actor that owns it.
  ///
  /// ```swift
  /// price.observe(.initial, with: self, onError: { print($0) }) { firm, change in try firm.quote(change.new) }
  /// ```
  ///
  /// A handler on an actor receives the current value through its queue, too; see ``changes(_:)``.
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - owner: The actor on which the handler runs, and which is passed to it; held weakly.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Runs on the owner, with the current value and every change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: Actor, Failure: Error>(
    _ option: ObserveOption, with owner: Owner, onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @Sendable (isolated Owner, Change<Value>) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    changes(option).observe(with: owner, onError: onError, handler, file: file, line: line)
  }

  /// Calls the handler on a delivery target with the owner and the current value, and then with every change.
  ///
  /// ```swift
  /// price.observe(.initial, on: .queue(.global()), with: self) { firm, change in firm.log(change.new) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - target: Where the handler runs, through the subscription's own queue.
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - handler: Called with the current value and every change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    _ option: ObserveOption, on target: DeliveryTarget, with owner: Owner,
    _ handler: @escaping @Sendable (Owner, Change<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    changes(option).observe(on: target, with: owner, handler, file: file, line: line)
  }

  /// Calls a handler that may throw on a delivery target with the current value, and then with every change.
  ///
  /// ```swift
  /// subscription = price.observe(.initial, on: target, onError: { print($0) }) { change in try quote(change.new) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - target: Where the handler runs, through the subscription's own queue.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Called with the current value and every change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  @_alwaysEmitIntoClient
  public func observe<Failure: Error>(
    _ option: ObserveOption, on target: DeliveryTarget, onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @Sendable (Change<Value>) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    changes(option).observe(on: target, onError: onError, handler, file: file, line: line)
  }

  /// Calls a handler that may throw on a delivery target, with the owner and the current value, then every change.
  ///
  /// ```swift
  /// price.observe(.initial, on: target, with: firm, onError: { print($0) }) { firm, change in try firm.quote(change.new) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - target: Where the handler runs, through the subscription's own queue.
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Called with the current value and every change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject & Sendable, Failure: Error>(
    _ option: ObserveOption, on target: DeliveryTarget, with owner: Owner,
    onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @Sendable (Owner, Change<Value>) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    changes(option).observe(on: target, with: owner, onError: onError, handler, file: file, line: line)
  }
}
