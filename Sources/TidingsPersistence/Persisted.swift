public import Tidings

/// A property that is saved in a ``PersistentStore``.
///
/// ```swift
/// @MainActor final class Player {
///   @Persisted("volume", in: store) var volume = 0.5
///   @Persisted("name", in: store) var name = "Player 1"
/// }
///
/// player.$volume.set(0.7)
/// ```
///
/// The property reads the value; `$` in front sets and observes it, as with ``/Tidings/Observed``. In a class on the main actor,
/// ``MainPersisted`` can be assigned. The store must live as long as its values are to be saved.
@propertyWrapper
public struct Persisted<Value: Codable & Sendable>: Sendable {
  /// The `Observed` that stores the property: `$property`.
  public let projectedValue: Observed<Value>

  /// Makes the property with what is stored under the key, or else with the default.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value if none is stored.
  ///   - key: The name in the store. One key has one type of value.
  ///   - store: The store.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: String, in store: PersistentStore, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    projectedValue = store.value(key, default: wrappedValue(), file: file, line: line)
  }

  /// The value.
  public var wrappedValue: Value {
    get { projectedValue.value }
    @available(
      *, unavailable,
      message: "use $property.set(…) or $property.update { … }; on the main actor a @MainPersisted var is assigned"
    )
    nonmutating set { fatalError() }
  }
}

/// A property on the main actor that is saved in a ``PersistentStore`` and can be assigned.
///
/// ```swift
/// @MainActor final class Settings {
///   @MainPersisted("volume", in: store) var volume = 0.5
/// }
///
/// settings.volume = 0.7
/// let showing = settings.$volume.observe(.initial) { change in slider.position = change.new }
/// ```
///
/// An assignment calls the handlers on the main actor in place, before it returns, as `set` does; see ``/Tidings/MainObserved``.
@MainActor @propertyWrapper
public struct MainPersisted<Value: Codable & Sendable> {
  /// The `Observed` that stores the property: `$property`.
  public nonisolated let projectedValue: Observed<Value>

  /// Makes the property with what is stored under the key, or else with the default.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value if none is stored.
  ///   - key: The name in the store. One key has one type of value.
  ///   - store: The store.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  public nonisolated init(
    wrappedValue: @autoclosure () -> Value, _ key: String, in store: PersistentStore, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    projectedValue = store.value(key, default: wrappedValue(), file: file, line: line)
  }

  /// The value. Setting it notifies every handler; handlers on the main actor are called in place.
  public var wrappedValue: Value {
    get { projectedValue.value }
    nonmutating set { projectedValue.set(newValue, isolation: MainActor.shared) }
  }
}
