/// A value that notifies its handlers when it changes.
///
/// ```swift
/// let price = Observed(100.0)
/// let subscription = price.observe { change in print(change.old!, "→", change.new) }
/// price.set(101.5)
/// price.update { $0 += 1 }
/// ```
///
/// Every member may be used from any thread at any time, handlers included. Handlers are called after the change, when the
/// new value can already be read. They receive every change, in the order in which the changes were made; `old` of each is
/// `new` of the one before. Order, actors and lifetime are those of the handlers of an ``Event``.
///
/// `value` has no setter, because delivery needs the isolation of the caller, which a setter does not know.
/// ``LocalObserved``, for a single isolation, has one. As a property wrapper this type makes a property that reads the
/// value; `$` in front sets and observes it:
///
/// ```swift
/// @MainActor final class Player {
///   @Observed(changes: .distinct) var volume = 0.5
///   func mute() { $volume.set(0) }
/// }
/// ```
///
/// A `Sendable` class cannot have properties with any wrapper; declare `let volume = Observed(0.5)` instead.
@dynamicMemberLookup
@propertyWrapper
public final class Observed<Value: Sendable>: ValueSource {
  @usableFromInline let cell: Cell<Value>

  /// The one initializer that stores something: with library evolution, the code of a client may only call it.
  @usableFromInline
  init(cell: Cell<Value>) { self.cell = cell }

  /// Makes a value.
  ///
  /// - Parameters:
  ///   - value: The initial value.
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - changes: Which writes count as a change.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  @_alwaysEmitIntoClient
  public convenience init(
    _ value: Value, label: String? = nil, changes: ChangePolicy<Value> = .every, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      cell: Cell(
        value, areEquivalent: changes.untyped, label: label, maximumDepth: maximumDepth, file: file, line: line))
  }

  /// Makes a value as a property wrapper: the property reads the value, `$property` is this object.
  ///
  /// - Parameters:
  ///   - wrappedValue: The initial value.
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - changes: Which writes count as a change.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  @_alwaysEmitIntoClient
  public convenience init(
    wrappedValue: Value, label: String? = nil, changes: ChangePolicy<Value> = .every, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      wrappedValue, label: label, changes: changes, maximumDepth: maximumDepth, file: file, line: line)
  }
  deinit { cell.close() }

  /// The current value, as the property that this wraps.
  @_alwaysEmitIntoClient
  public var wrappedValue: Value {
    get { cell.value }
    @available(
      *, unavailable,
      message: "use $property.set(…) or $property.update { … }; on the main actor a @MainObserved var is assigned"
    )
    set { cell.set(newValue, nil, self) }
  }
  /// This object: `$property`.
  public var projectedValue: Observed<Value> { self }

  /// The current value.
  ///
  /// In a transaction it includes the writes of this thread. In the closure of a ``Derived`` it is the value of the moment
  /// for which that is computed.
  ///
  /// - Complexity: O(1).
  @_alwaysEmitIntoClient
  public var value: Value {
    get { cell.value }
    @available(*, unavailable, message: "use set(_:), or update { … } to change it in place")
    set { fatalError("use set(_:)") }
  }

  /// Replaces the value and notifies every handler.
  ///
  /// Returns when every handler that needs no hop has been called, as `emit` of an event does. If a handler of this value
  /// sets it, the change is delivered when the current one has reached every handler. Handlers of derived values follow; if
  /// a handler of any value sets, they wait until all handlers of sources have been called. In a
  /// ``transaction(isolation:_:)`` the notification waits for its end.
  ///
  /// - Parameters:
  ///   - new: The new value.
  ///   - isolation: The caller's actor. Filled in by the compiler; do not pass it.
  /// - Complexity: O(*n*) in the number of handlers and of the values that are derived from it.
  @_alwaysEmitIntoClient
  public func set(_ new: Value, isolation: isolated (any Actor)? = #isolation) {
    cell.set(new, isolation, self)
  }

  /// Changes the value through a closure, atomically: no write is lost between reading and writing.
  ///
  /// ```swift
  /// let rank = ranking.update { names in
  ///   names.append("Ada")
  ///   return names.count
  /// }
  /// ```
  ///
  /// The update is one change with the right old and new value, however much of the value `body` changes. The concurrency is
  /// optimistic: no lock is held while `body` runs, and if another thread writes meanwhile, `body` runs again on the newer
  /// value. So it should have no other effect. After a few runs other threads wait until it has finished. A `body` that
  /// writes the value itself is rejected with a report.
  ///
  /// In a transaction `body` may run again, inside the transaction and before the writes appear; the value that `update` has
  /// returned is then that of the first run.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - body: Changes the value. If it throws, nothing is written.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  /// - Complexity: That of `set(_:isolation:)` and of `body`. `body` changes a copy, because other threads, and `body`
  ///   itself, read the old value meanwhile without waiting. So the first mutation of a collection copies its storage,
  ///   O(*n*) in its elements, once per update.
  @_alwaysEmitIntoClient @discardableResult
  public func update<R, E: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping (inout Value) throws(E) -> R
  ) throws(E) -> R {
    try cell.update(body, isolation, self)
  }

  /// An event of each change, delivered before the value is replaced.
  ///
  /// ```swift
  /// let subscription = price.willChange.observe { change in undo.push(change.old!) }
  /// ```
  ///
  /// In three cases the value has already been replaced: if a handler of the same value sets it, in a transaction, and if
  /// two threads set it simultaneously. The event is then delivered just before the handlers of the change. If another
  /// thread overtakes a change, the event is delivered again, with the value that the change then replaces.
  public var willChange: AnyEventSource<Change<Value>> { cell.willChange }

  /// The same value as a type that can be read and observed, and not set.
  public var readOnly: ReadOnly<Value> { ReadOnly(self) }

  public func attach(
    _ handler: EventHandler<Change<Value>>, sendingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    cell.attach(handler, sendingInitial: sendingInitial, isolation)
  }
  public var reader: ValueReader<Value> { cell.reader }

  /// Returns when every change that was made before this call has been handled by every handler, on any actor and behind any
  /// operators.
  ///
  /// Changes that are made meanwhile are not waited for. See ``Event/drained()``.
  public func drained() async { await cell.drained() }

  /// The state of this value now: its label, its subscriptions and where they were made, changes that wait.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var diagnostics: Diagnostics { cell.diagnostics }
}
