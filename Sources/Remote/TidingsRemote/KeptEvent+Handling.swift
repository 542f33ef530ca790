extension KeptEvent {
  /// Handles each message once in all processes that handle under this name, unless one of them fails.
  ///
  /// ```swift
  /// placed.handle(as: "billing") { order in try await bill(order) }
  /// ```
  ///
  /// Messages come one after the other, those that were stored before included. A message is acknowledged when the handler
  /// returns. When it throws, the message is given out again after a delay, and so are those of a process that was killed, and of
  /// a call that takes longer than its timeout, if it has one; then it may come after later ones. After five times (see
  /// ``KeptDelivery``) it is dead: reported in `Relay.failures` and left in the store.
  ///
  /// A handler that is formed on an actor runs on it. It handles until it is cancelled or the relay closes; the result may be
  /// dropped.
  ///
  /// - Parameters:
  ///   - consumer: The name under which processes share the messages, and the store remembers what they have handled.
  ///   - handler: Handles one message.
  /// - Returns: What stops the handling.
  @discardableResult
  public func handle(
    as consumer: String,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Payload) async throws -> Void
  ) -> KeptHandling {
    handling(consumer) { message in try await handler(message.payload) }
  }

  /// The same, with the id under which an effect is recorded and the number of the attempt.
  ///
  /// - Parameters:
  ///   - consumer: The name under which processes share the messages.
  ///   - handler: Handles one message; the second parameter says which.
  /// - Returns: What stops the handling.
  @discardableResult
  public func handle(
    as consumer: String,
    @_inheritActorContext _ handler:
      @escaping @isolated(any) @Sendable (Payload, KeptMessage<Payload>) async throws -> Void
  ) -> KeptHandling {
    handling(consumer) { message in try await handler(message.payload, message) }
  }

  private func handling(
    _ consumer: String, _ handler: @escaping @Sendable (KeptMessage<Payload>) async throws -> Void
  ) -> KeptHandling {
    KeptHandling(subject: subject, consumer: consumer, delivery, link) { [schema] claimed in
      let message = claimed.message
      let payload: Payload
      do { payload = try schema.decode(message) } catch { throw KeptHandling.Unreadable(reason: "\(error)") }
      try await handler(
        KeptMessage(payload: payload, id: message.id, attempt: claimed.attempt, sequence: message.sequence))
    }
  }
}
