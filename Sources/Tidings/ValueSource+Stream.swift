/// Which values a stream of a changing value gives.
public struct ValueStreaming: Sendable, Hashable {
  let buffering: BufferingPolicy
  /// Every one, in order.
  public static let every = ValueStreaming(buffering: .unbounded)
  /// The one that is newest when the consumer asks. What others it had meanwhile is passed over; those of a ``Derived`` are
  /// not even computed.
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
  /// With ``ValueStreaming/latest`` a ``Derived`` is computed when the loop asks, on the consumer's thread, and not by those who
  /// write: a consumer that sleeps is woken when the value is invalidated, and sleeps on if it comes out as it was. What was never
  /// computed was not dropped, so ``EventStream/missed`` does not count it. After `resume()` such a stream gives what the value
  /// is then, if that is another than it gave last.
  ///
  /// - Complexity: O(1).
  public func stream(
    _ values: ValueStreaming, isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line
  ) -> EventStream<Value> {
    let site = CallSite(file: file, line: line)
    if values == .latest, let derived = derived(self) { return derived.cell.latest(site) }
    return EventStream(values.buffering) { hub in
      let handler = EventHandler<Value>(.stream(hub), site: site)
      return attach(
        handler.behind { pass in { change, passage in pass(change.new, passage) } },
        tellingInitial: true, isolation: isolation)
    }
  }
}

/// The derived value that a source is, or shows with another face.
private func derived<Value: Sendable>(_ source: any ValueSource<Value>) -> Derived<Value>? {
  var source = source
  while let face = source as? ReadOnly<Value> { source = face.source }
  return source as? Derived<Value>
}
