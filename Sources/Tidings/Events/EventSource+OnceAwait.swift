// `once` with asynchronous handlers. Emitted into the client that uses them.
extension EventSource {
  /// Awaits a handler that may throw with the next value, and never again.
  ///
  /// ```swift
  /// opened.once(onError: { print($0) }) { time in try await archive.begin(at: time) }
  /// ```
  ///
  /// - Parameters:
  ///   - onError: Called with what the handler throws.
  ///   - handler: Awaited with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func once<Failure: Error>(
    onError: @escaping @Sendable (Failure) -> Void,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Payload) async throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(onError: onError, handler, file: file, line: line)
  }

  /// Awaits the handler with the owner and the next value, and never again.
  ///
  /// ```swift
  /// opened.once(with: archive) { archive, time in await archive.open(at: time) }
  /// ```
  ///
  /// - Parameters:
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - handler: Awaited with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func once<Owner: AnyObject & Sendable>(
    with owner: Owner,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Payload) async -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(with: owner, handler, file: file, line: line)
  }

  /// Awaits a handler that may throw with the owner and the next value, and never again.
  ///
  /// ```swift
  /// opened.once(with: archive, onError: { print($0) }) { archive, time in try await archive.begin(at: time) }
  /// ```
  ///
  /// - Parameters:
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Awaited with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func once<Owner: AnyObject & Sendable, Failure: Error>(
    with owner: Owner, onError: @escaping @Sendable (Failure) -> Void,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Payload) async throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(with: owner, onError: onError, handler, file: file, line: line)
  }

  /// Awaits the handler with the next value, on the actor that owns it, and never again.
  ///
  /// ```swift
  /// opened.once(with: self) { archive, time in await archive.open(at: time) }
  /// ```
  ///
  /// - Parameters:
  ///   - owner: The actor on which the handler runs, and which is passed to it; held weakly.
  ///   - handler: Runs on the owner, with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func once<Owner: Actor>(
    with owner: Owner,
    _ handler: @escaping @Sendable (isolated Owner, Payload) async -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(with: owner, handler, file: file, line: line)
  }

  /// Awaits a handler that may throw with the next value, on the actor that owns it, and never again.
  ///
  /// ```swift
  /// opened.once(with: self, onError: { print($0) }) { archive, time in try await archive.begin(at: time) }
  /// ```
  ///
  /// - Parameters:
  ///   - owner: The actor on which the handler runs, and which is passed to it; held weakly.
  ///   - onError: Called with what the handler throws.
  ///   - handler: Runs on the owner, with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func once<Owner: Actor, Failure: Error>(
    with owner: Owner, onError: @escaping @Sendable (Failure) -> Void,
    _ handler: @escaping @Sendable (isolated Owner, Payload) async throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    callingOnce.observe(with: owner, onError: onError, handler, file: file, line: line)
  }
}
