#if Service
public import ServiceLifecycle
public import TidingsRemote

/// A relay as one of a program's services: it is closed when the program shuts down.
///
/// ```swift
/// let group = ServiceGroup(services: [worker, RelayService(relay)], logger: logger)
/// try await group.run()
/// ```
///
/// A group shuts its services down in the reverse order, so the relay, which comes last, is closed first: it takes no new
/// messages in, lets the handlers that are running finish, acknowledges what they have handled, stores values and messages that are
/// on their way, and disconnects. What the services before it send afterwards is rejected. A service that sends while it shuts
/// down comes after the relay in the list.
///
/// If the task is cancelled instead, the relay is closed too.
public struct RelayService: Service {
  private let relay: Relay

  /// - Parameter relay: The relay. It works from when it was made, not from when the service runs.
  public init(_ relay: Relay) { self.relay = relay }

  /// Returns when the program shuts down and the relay is closed.
  public func run() async throws {
    // Cancellation ends the wait too, by an error.
    try? await gracefulShutdown()
    await relay.close()
  }
}
#endif
