/// A value that tells when it changes.
///
/// ```swift
/// let price = Observed(100.0)
/// let subscription = price.observe { change in print(change.old!, "→", change.new) }
/// price.set(101.5)
/// price.update { $0 += 1 }
/// ```
@dynamicMemberLookup
@propertyWrapper
public final class Observed<Value: Sendable>: ValueSource {
  @usableFromInline let cell: Cell<Value>

  /// - Parameters:
  ///   - value: What it is first.
  ///   - label: What reports and ``diagnosis`` call it.
  ///   - changes: Which settings count as a change.
  ///   - maximumDepth: How deep handlers may cause each other before it counts as a circle and is refused with a report. 10,000
  ///     unless given.
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
  @inlinable
  public convenience init(
    wrappedValue: Value, label: String? = nil, changes: ChangePolicy<Value> = .every, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      wrappedValue, label: label, changes: changes, maximumDepth: maximumDepth, file: file, line: line)
  }
  deinit { cell.end() }

  @inlinable
  public var wrappedValue: Value { cell.value }
  public var projectedValue: Observed<Value> { self }

  /// The value now.
  @inlinable
  public var value: Value { cell.value }

  /// Makes `new` the value, and tells every handler.
  @inlinable
  public func set(_ new: Value, isolation: isolated (any Actor)? = #isolation) {
    cell.set(new, isolation, self)
  }

  /// Changes the value in place, atomically: no write is lost between reading and writing.
  @discardableResult
  public func update<R, E: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping (inout Value) throws(E) -> R
  ) throws(E) -> R {
    try cell.update(body, isolation, self)
  }

  public var willChange: Operated<Change<Value>> { cell.willChange }

  public func attach(
    _ handler: EventHandler<Change<Value>>, tellingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    cell.attach(handler, tellingInitial: tellingInitial, isolation)
  }
  public var reader: ValueReader<Value> { cell.reader }
}
