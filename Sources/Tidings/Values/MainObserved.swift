/// An ``Observed`` as a property that can be read and assigned, in a class on the main actor.
///
/// ```swift
/// @MainActor final class Mixer {
///   @MainObserved var volume = 0.5
///   @MainObserved(changes: .distinct) var isMuted = false
///   func mute() { (volume, isMuted) = (0, true) }
/// }
///
/// let showing = mixer.$volume.observe(.initial) { change in slider.position = change.new }
/// mixer.volume += 0.1
/// ```
///
/// Code on the main actor uses the property like a plain one. An assignment calls the handlers on the main actor in place,
/// before it returns, as `set` does. `$volume` is the ``Observed``: it can be observed, derived from, chained to, passed to
/// ``PropertyChanges``, and set or updated from any thread.
///
/// `volume += 0.1` reads and then writes. If other threads also set the property, use `$volume.update { $0 += 0.1 }`, which
/// loses no write.
///
/// A setter has to know the actor that it runs on, so the type of the wrapper fixes it: this one is for the main actor. In a
/// single isolation of any other kind use ``LocalObserved``; for classes on other actors use the macros of `TidingsMacros`.
@frozen @MainActor @propertyWrapper
public struct MainObserved<Value: Sendable> {
  /// The `Observed` that stores the property: `$property`.
  public nonisolated let projectedValue: Observed<Value>

  /// Makes the property with a value of its own.
  ///
  /// - Parameters:
  ///   - wrappedValue: The initial value.
  ///   - label: The name in reports and in ``Observed/diagnostics``.
  ///   - changes: Which assignments count as a change.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  @_alwaysEmitIntoClient
  public nonisolated init(
    wrappedValue: Value, label: String? = nil, changes: ChangePolicy<Value> = .every, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      projectedValue: Observed(
        wrappedValue, label: label, changes: changes, maximumDepth: maximumDepth, file: file, line: line))
  }

  /// Makes a property that shows an existing value, which it shares with others.
  ///
  /// ```swift
  /// _volume = MainObserved(projectedValue: shared)
  /// ```
  ///
  /// - Parameter projectedValue: The value to show.
  @_alwaysEmitIntoClient
  public nonisolated init(projectedValue: Observed<Value>) { self.projectedValue = projectedValue }

  /// The value. Setting it notifies every handler; handlers on the main actor are called in place.
  @_alwaysEmitIntoClient
  public var wrappedValue: Value {
    get { projectedValue.value }
    nonmutating set { projectedValue.set(newValue, isolation: MainActor.shared) }
  }
}
