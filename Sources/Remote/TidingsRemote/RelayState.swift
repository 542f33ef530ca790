/// The state of a relay's connection, as a value to observe.
public enum RelayState: Sendable, Equatable {
  /// No connection has been made yet.
  case connecting
  /// Connected to the broker or file of this name.
  case connected(String)
  /// The connection was lost and is being restored.
  case reconnecting(attempt: Int)
  /// Closed by the program; it does not open again.
  case closed
}
