/// Which values a stream of a value delivers.
public struct ValueStreaming: Sendable, Equatable {
  let buffering: BufferingPolicy
  /// Every value, in order.
  public static let every = ValueStreaming(buffering: .unbounded)
  /// The newest value when the consumer requests one. Values in between are skipped; those of a ``Derived`` are not even
  /// computed.
  public static let latest = ValueStreaming(buffering: .newest(1))
}
