/// An ``Observed`` as a property that is read and set, in a class of the main actor.
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
/// The property is a plain one to code on the main actor. An assignment there calls the handlers of the main actor in place, as
/// `set` does, before it returns. `$volume` is the ``Observed``: it is observed, derived from, chained to, given to
/// ``PropertyChanges``, and set or updated from any thread.
///
/// `volume += 0.1` reads, then writes. If other threads set the property too, `$volume.update { $0 += 0.1 }` loses no write.
///
/// A setter has to know the actor that it runs on, which the type of the wrapper says; so this one is for the main actor. In
/// one isolation of any other kind use ``LocalObserved``, and for classes of other actors the macros of `TidingsMacros`.
@MainActor @propertyWrapper
public struct MainObserved<Value: Sendable> {
  /// The value that the property shows: `$property`.
  public nonisolated let projectedValue: Observed<Value>

  /// - Parameters:
  ///   - wrappedValue: What it is first.
  ///   - label: The name in reports and in ``Observed/diagnosis``.
  ///   - changes: Which assignments count as a change.
  ///   - maximumDepth: How deep handlers may cause each other before it counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Left to the compiler.
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

  /// A property that shows a value which exists, shared with others.
  ///
  /// ```swift
  /// _volume = MainObserved(projectedValue: shared)
  /// ```
  ///
  /// - Parameter projectedValue: The value to show.
  @inlinable
  public nonisolated init(projectedValue: Observed<Value>) { self.projectedValue = projectedValue }

  /// The value. Setting it notifies every handler, those of the main actor in place.
  @_alwaysEmitIntoClient
  public var wrappedValue: Value {
    get { projectedValue.value }
    nonmutating set { projectedValue.set(newValue, isolation: MainActor.shared) }
  }
}
