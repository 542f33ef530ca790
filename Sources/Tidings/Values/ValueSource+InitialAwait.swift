// `.initial` with asynchronous handlers. Emitted into the client that uses them.
extension ValueSource {
  /// Awaits the handler with the current value, and then with every change, one call after the other.
  ///
  /// ```swift
  /// subscription = price.observe(.initial, buffering: .newest(1)) { change in await archive.store(change.new) }
  /// ```
  ///
  /// The current value waits like every other, and counts for the bound.
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - buffering: How many values may wait; see ``EventSource/observe(buffering:_:file:line:)``.
  ///   - handler: Awaited with the current value and every change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func observe(
    _ option: ObserveOption, buffering: BufferingPolicy = .unbounded,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Change<Value>) async -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    changes(option).observe(buffering: buffering, handler, file: file, line: line)
  }

  /// Awaits a handler that may throw with the current value, and then with every change.
  ///
  /// ```swift
  /// subscription = price.observe(.initial, onError: { print($0) }) { change in try await archive.save(change.new) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - buffering: How many values may wait; see ``EventSource/observe(buffering:_:file:line:)``.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Awaited with the current value and every change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func observe<Failure: Error>(
    _ option: ObserveOption, buffering: BufferingPolicy = .unbounded, onError: @escaping @Sendable (Failure) -> Void,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Change<Value>) async throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    changes(option).observe(buffering: buffering, onError: onError, handler, file: file, line: line)
  }

  /// Awaits the handler with the owner and the current value, and then with every change.
  ///
  /// ```swift
  /// price.observe(.initial, with: archive) { archive, change in await archive.store(change.new) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - buffering: How many values may wait; see ``EventSource/observe(buffering:_:file:line:)``.
  ///   - handler: Awaited with the current value and every change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    _ option: ObserveOption, with owner: Owner, buffering: BufferingPolicy = .unbounded,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Change<Value>) async -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    changes(option).observe(with: owner, buffering: buffering, handler, file: file, line: line)
  }

  /// Awaits a handler that may throw with the owner and the current value, and then with every change.
  ///
  /// ```swift
  /// price.observe(.initial, with: archive, onError: { print($0) }) { archive, change in try await archive.save(change.new) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - buffering: How many values may wait; see ``EventSource/observe(buffering:_:file:line:)``.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Awaited with the current value and every change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe<Owner: AnyObject & Sendable, Failure: Error>(
    _ option: ObserveOption, with owner: Owner, buffering: BufferingPolicy = .unbounded,
    onError: @escaping @Sendable (Failure) -> Void,
    @_inheritActorContext _ handler:
      @escaping @isolated(any) @Sendable (Owner, Change<Value>) async throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    changes(option).observe(with: owner, buffering: buffering, onError: onError, handler, file: file, line: line)
  }

  /// Awaits the handler with the current value, and then with every change, on the actor that owns it.
  ///
  /// ```swift
  /// price.observe(.initial, with: self) { archive, change in await archive.store(change.new) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - owner: The actor on which the handler runs, and which is passed to it; held weakly.
  ///   - buffering: How many values may wait; see ``EventSource/observe(buffering:_:file:line:)``.
  ///   - handler: Runs on the owner, with the current value and every change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe<Owner: Actor>(
    _ option: ObserveOption, with owner: Owner, buffering: BufferingPolicy = .unbounded,
    _ handler: @escaping @Sendable (isolated Owner, Change<Value>) async -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    changes(option).observe(with: owner, buffering: buffering, handler, file: file, line: line)
  }

  /// Awaits a handler that may throw with the current value, then every change, on the actor that owns it.
  ///
  /// ```swift
  /// price.observe(.initial, with: self, onError: { print($0) }) { ledger, change in try await ledger.save(change.new) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - owner: The actor on which the handler runs, and which is passed to it; held weakly.
  ///   - buffering: How many values may wait; see ``EventSource/observe(buffering:_:file:line:)``.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Runs on the owner, with the current value and every change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe<Owner: Actor, Failure: Error>(
    _ option: ObserveOption, with owner: Owner, buffering: BufferingPolicy = .unbounded,
    onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @Sendable (isolated Owner, Change<Value>) async throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    changes(option).observe(with: owner, buffering: buffering, onError: onError, handler, file: file, line: line)
  }
}
