extension KeptEvent {
  /// Removes what the store keeps for the handlers of a name: its place, what it has yet to handle, and its dead messages.
  ///
  /// ```swift
  /// try await placed.removeConsumer("billing")
  /// ```
  ///
  /// From then on retention no longer keeps messages for it. A consumer that no process handles any more, and that is not
  /// removed, makes a journal grow for ever.
  ///
  /// Cancel the handlers of the name first, in every process. One that is still there begins anew, with the first message that
  /// the store keeps, and so does one that is added later.
  ///
  /// - Parameter consumer: The name under which messages were handled. If the store knows none of that name, nothing happens.
  /// - Throws: ``TransportError``. Then some of it may be removed.
  public func removeConsumer(_ consumer: String) async throws {
    try await link.transport.removeConsumer(consumer, of: subject)
  }
}
