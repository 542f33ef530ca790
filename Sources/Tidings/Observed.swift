/// A value that tells when it changes.
///
/// ```swift
/// let price = Observed(100.0)
/// let subscription = price.observe { change in print(change.old!, "→", change.new) }
/// price.set(101.5)
/// price.update { $0 += 1 }
/// ```
///
/// Every member may be used from any thread at any time, handlers included. Handlers are told after the change, when
/// the new value can be read already; every change, in the order in which they were made, `old` of each being `new` of
/// the one before. What is said of the handlers of an ``Event`` holds for these: order, actors, lifetime.
///
/// There is no setter for `value`: delivery wants to know where it is called from, which a setter cannot tell it. In
/// one isolation ``LocalObserved`` has one. As a property wrapper it makes a property that is read as a value, with `$`
/// in front to set and observe it:
///
/// ```swift
/// @MainActor final class Player {
///   @Observed(changes: .distinct) var volume = 0.5
///   func mute() { $volume.set(0) }
/// }
/// ```
///
/// A `Sendable` class cannot have wrapped properties, of any wrapper; it says `let volume = Observed(0.5)`.
@dynamicMemberLookup
@propertyWrapper
public final class Observed<Value: Sendable>: ValueSource {
  @usableFromInline let cell: Cell<Value>

  /// - Parameters:
  ///   - value: What it is first.
  ///   - label: What reports and ``diagnosis`` call it.
  ///   - changes: Which settings count as a change.
  ///   - maximumDepth: How deep handlers may cause each other before it counts as a circle and is refused with a
  ///     report. 10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Left to the compiler.
  ///   - line: The line there.
  @inlinable
  public init(
    _ value: Value, label: String? = nil, changes: ChangePolicy<Value> = .every, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    cell = Cell(
      value, areEquivalent: changes.untyped, label: label, maximumDepth: maximumDepth, file: file, line: line)
  }

  /// As a property wrapper: the property reads the value, `$property` is this object.
  @_alwaysEmitIntoClient
  public convenience init(
    wrappedValue: Value, label: String? = nil, changes: ChangePolicy<Value> = .every, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      wrappedValue, label: label, changes: changes, maximumDepth: maximumDepth, file: file, line: line)
  }
  deinit { cell.end() }

  @_alwaysEmitIntoClient
  public var wrappedValue: Value { cell.value }
  public var projectedValue: Observed<Value> { self }

  /// The value now: this thread's own writes in a transaction, and in the closure of a ``Derived`` that of the moment
  /// at which it is computed.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var value: Value {
    get { cell.value }
    @available(*, unavailable, message: "use set(_:), or update { … } to change it in place")
    set { fatalError("use set(_:)") }
  }

  /// Makes `new` the value, and tells every handler.
  ///
  /// Returns when every handler that needs no hop has been told, as `emit` of an event does; in a handler of this value
  /// the change is told when the current one has reached them all. Handlers of derived values follow; in a handler of any
  /// value they wait until all handlers of sources have been called. In a ``transaction(isolation:_:)`` it waits for its
  /// end. Where the caller is, `isolation`, is found by the compiler; leave it alone.
  ///
  /// - Complexity: O(*n*) in the number of handlers and of what is derived from it.
  @_alwaysEmitIntoClient
  public func set(_ new: Value, isolation: isolated (any Actor)? = #isolation) {
    cell.set(new, isolation, self)
  }

  /// Changes the value in place, atomically: no write is lost between reading and writing.
  ///
  /// ```swift
  /// let rank = ranking.update { names in
  ///   names.append("Ada")
  ///   return names.count
  /// }
  /// ```
  ///
  /// One change, with the right old and new, however much of the value `body` changes. Nothing is locked while it runs:
  /// if another thread writes meanwhile it runs again, on the newer value, so it should do nothing else. After a few runs
  /// other threads wait until it is through; one whose closure writes the value itself is rejected with a report. In a
  /// transaction it may run again, inside that, before the writes appear; the value that `update` has returned is then that
  /// of the first run. If it throws, nothing is written.
  ///
  /// - Complexity: That of `set(_:isolation:)` and of `body`, which changes a value of its own: other threads, and `body`
  ///   itself, read the old one meanwhile and never wait. So the first change of a collection copies its storage, O(*n*) in
  ///   its elements, once an update however many follow.
  @discardableResult
  public func update<R, E: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping (inout Value) throws(E) -> R
  ) throws(E) -> R {
    try cell.update(body, isolation, self)
  }

  /// Tells of each change before the value is replaced.
  ///
  /// ```swift
  /// let subscription = price.willChange.observe { change in undo.push(change.old!) }
  /// ```
  ///
  /// Set from a handler of the same value, in a transaction or from two threads at once, the change is told just before
  /// its handlers hear it, when it has been made already. A change that another thread overtakes is told again, with
  /// the value that it then replaces.
  public var willChange: Operated<Change<Value>> { cell.willChange }

  /// The same value for who may look and not set.
  public var readOnly: ReadOnly<Value> { ReadOnly(self) }

  public func attach(
    _ handler: EventHandler<Change<Value>>, tellingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    cell.attach(handler, tellingInitial: tellingInitial, isolation)
  }
  public var reader: ValueReader<Value> { cell.reader }

  /// What this value looks like now: label, subscriptions and where they were made, changes that wait.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var diagnosis: Diagnosis { cell.diagnosis }
}
