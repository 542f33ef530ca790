/// A kept message whose handler has failed too often.
public struct DeadLetter<Payload: Sendable>: Sendable {
  /// Nil if this process cannot read it.
  public let payload: Payload?
  /// The id under which it was sent.
  public let id: String
  /// Its place in the store's order.
  public let sequence: UInt64
  /// The error that its handler threw the last time, or a note that the handler did not return.
  public let reason: String
}

extension KeptEvent {
  /// The messages that are dead for the handlers of a name, in the store's order.
  ///
  /// ```swift
  /// let letters = try await placed.deadLetters(of: "billing")
  /// try await placed.putBack(letters, to: "billing")
  /// ```
  ///
  /// A message is dead once its handler has failed as often as ``KeptDelivery`` allows. It is listed as long as the store's
  /// retention keeps it.
  ///
  /// - Parameter consumer: The name under which it was handled.
  /// - Returns: The messages with their reasons.
  /// - Throws: ``TransportError``.
  /// - Complexity: O(*n*) in the number of dead messages.
  public func deadLetters(of consumer: String) async throws -> [DeadLetter<Payload>] {
    try await link.transport.deadMessages(of: subject, as: consumer).map { dead in
      DeadLetter(
        payload: try? schema.decode(dead.message), id: dead.message.id, sequence: dead.message.sequence,
        reason: dead.reason)
    }
  }

  /// Gives dead messages to the handlers again, as if they had never been given: after their cause has been removed.
  ///
  /// They come after messages that were stored later. Messages that are no longer dead are left alone, so it may be repeated.
  ///
  /// - Parameters:
  ///   - letters: Those of ``deadLetters(of:)``, or some of them.
  ///   - consumer: The name under which they were handled.
  /// - Throws: ``TransportError``. Then some of them may be given out again.
  public func putBack(_ letters: some Sequence<DeadLetter<Payload>>, to consumer: String) async throws {
    try await link.transport.putBack(letters.map(\.sequence), of: subject, as: consumer)
  }
}
