/// A value that is computed from others, and tells when it changes.
///
/// ```swift
/// let total = Derived { Double(quantity.value) * price.value }
/// ```
@dynamicMemberLookup
public final class Derived<Value: Sendable>: ValueSource {
  @usableFromInline let cell: Cell<Value>

  @inlinable
  public init(
    _ label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable () -> Value
  ) where Value: Equatable {
    cell = Cell(label: label, maximumDepth: maximumDepth, file: file, line: line, compute)
  }

  @inlinable @_disfavoredOverload
  public init(
    _ label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable () -> Value
  ) {
    cell = Cell(anything: label, maximumDepth: maximumDepth, file: file, line: line, compute)
  }
  deinit { letGo(cell.node) }

  @inlinable
  public var value: Value { cell.value }

  public func attach(
    _ handler: EventHandler<Change<Value>>, tellingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    cell.attach(handler, tellingInitial: tellingInitial, isolation)
  }
  public var reader: ValueReader<Value> { cell.reader }
}

/// Reads values in a `Derived`'s closure without depending on them.
public func untracked<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try withoutNoting(body) }
