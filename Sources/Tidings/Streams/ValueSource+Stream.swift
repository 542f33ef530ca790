extension ValueSource {
  /// The current value and all later ones, as an asynchronous sequence.
  ///
  /// ```swift
  /// for await price in price.stream(.latest) { show(price) }
  /// ```
  ///
  /// However fast the value changes and whichever threads write, the last value that was written is always delivered, and is
  /// delivered last. `stream(buffering:)` delivers changes, with old and new value.
  ///
  /// With ``ValueStreaming/latest`` a ``Derived`` is computed when the loop requests a value, on the consumer's thread, and
  /// not by the threads that write. A suspended consumer is woken when the value is invalidated, and is suspended again if
  /// the recomputed value is equal. What was never computed was not dropped, so ``EventStream/droppedCount`` does not count it.
  /// After `resume()` such a stream delivers the current value, if it differs from the last one that it delivered.
  ///
  /// - Parameters:
  ///   - values: Every value, or the latest.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The stream, already subscribed.
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
        handler.adapted { pass in { change, context in pass(change.new, context) } },
        sendingInitial: true, isolation: isolation)
    }
  }
}

extension LatestValue: LatestElementSource {}

extension Cell {
  /// A stream of this derived value for consumers that ask for the newest.
  fileprivate func latest(_ site: CallSite) -> EventStream<Value> {
    let latest = LatestValue(self)
    return EventStream(latestOf: latest) { hub in
      let handler = EventHandler<Value>(.stream(hub), site: site)
      return latest.attach(handler.adapted { _ in { _, _ in hub.invalidate() } })
    }
  }
}

/// The derived value that a source is, directly or through ``ReadOnly``.
private func derived<Value: Sendable>(_ source: any ValueSource<Value>) -> Derived<Value>? {
  var source = source
  while let face = source as? ReadOnly<Value> { source = face.source }
  return source as? Derived<Value>
}
