/// A value that is computed when a consumer of a stream asks for it.
protocol LatestElementSource<Element>: Sendable {
  associatedtype Element: Sendable
  /// The newest value, computed if it is stale, and its version. Of two that were taken the newer one has the higher version.
  ///
  /// - Returns: `isOpen` is false where the value was invalidated meanwhile: then no handler is called for that, and the caller
  ///   is to come again. `isFinal` is true where it is the last one: then the caller calls `end()`. Nil at the end.
  func take() -> (value: Element, version: UInt, isOpen: Bool, isFinal: Bool)?
  /// The last value was taken: ends the subscription of the stream.
  func end()
  /// The stream has ended, and the value need not be retained any longer.
  func close()
}
