import Observation
public import Tidings

extension Derived {
  /// Makes a value of this library from what a closure reads of `@Observable` models on the main actor.
  ///
  /// ```swift
  /// let name = Derived.tracking { model.name }
  /// let title = Derived { "\(name.value): \(price.value)" }
  /// ```
  ///
  /// After a property that the closure has read was changed on the main actor, the closure runs there again. It runs as soon as
  /// the code that made the change has left the actor. So several changes in a row may be notified as one, and until then
  /// `value` is the old one. The last change is always notified, and changes are notified in their order. This does not hold
  /// for models that other threads change: Swift's observation notifies before a change, and not after.
  ///
  /// Values of this library that the closure reads are not tracked; let another `Derived` read both. The result keeps what
  /// the closure captured.
  @MainActor
  public static func tracking(
    _ label: String? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ read: @escaping @MainActor @Sendable () -> Value
  ) -> Derived<Value> {
    let tracker = Tracker(read()) { tracker in
      Task { @MainActor [weak tracker] in tracker?.look(read) }
    }
    tracker.look(read)
    return Derived(label, file: file, line: line) { tracker.seen.value }
  }

  /// The same for models that belong to an actor, which is held weakly and handed to the closure.
  ///
  /// ```swift
  /// let count = Derived.tracking(on: self) { library in library.shelf.books.count }
  /// ```
  public static func tracking<Home: Actor>(
    on home: isolated Home, _ label: String? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ read: @escaping @Sendable (isolated Home) -> Value
  ) -> Derived<Value> {
    let tracker = Tracker(read(home)) { [weak home] tracker in
      Task { [weak home, weak tracker] in
        if let home { await look(tracker, on: home, read) }
      }
    }
    tracker.look { read(home) }
    return Derived(label, file: file, line: line) { tracker.seen.value }
  }

  private static func look<Home: Actor>(
    _ tracker: Tracker<Value>?, on home: isolated Home, _ read: @Sendable (isolated Home) -> Value
  ) {
    tracker?.look { read(home) }
  }
}

/// Reads what a closure finds, and again after it has changed.
private final class Tracker<Value: Sendable>: Sendable {
  let seen: Observed<Value>
  private let lookLater: @Sendable (Tracker) -> Void

  init(_ value: Value, lookLater: @escaping @Sendable (Tracker) -> Void) {
    seen = Observed(value)
    self.lookLater = lookLater
  }

  /// The notice comes before the change, on the actor that changes. A task of that actor begins after it.
  func look(_ read: () -> Value, isolation: isolated (any Actor)? = #isolation) {
    let value = withObservationTracking(read) { [weak self] in
      if let self { lookLater(self) }
    }
    seen.set(value, isolation: isolation)
  }
}
