/// Which values a stream of a changing value gives.
public struct ValueStreaming: Sendable, Hashable {
  let buffering: BufferingPolicy
  /// Every one, in order.
  public static let every = ValueStreaming(buffering: .unbounded)
  /// The one that is newest when the consumer asks. What others it had meanwhile is passed over.
  public static let latest = ValueStreaming(buffering: .newest(1))
}

extension ValueSource {
  /// The value of this moment and those that it takes from now on, as a sequence to wait for.
  ///
  /// ```swift
  /// for await price in price.stream(.latest) { show(price) }
  /// ```
  ///
  /// However fast it changes and whichever threads write, the last value that was written is always given, and last.
  /// `stream(buffering:)` gives changes, with old and new.
  ///
  /// - Complexity: O(1).
  public func stream(
    _ values: ValueStreaming, isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line
  ) -> EventStream<Value> {
    EventStream(values.buffering) { hub in
      let handler = EventHandler<Value>(.stream(hub), site: CallSite(file: file, line: line))
      return attach(
        handler.behind { pass in { change, passage in pass(change.new, passage) } },
        tellingInitial: true, isolation: isolation)
    }
  }
}
