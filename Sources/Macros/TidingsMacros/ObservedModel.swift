public import Tidings

/// A class or an actor of observed properties: what `@ObservedProperties` conforms its type to.
///
/// ```swift
/// let before = ticket.snapshot()
/// ticket.quantity = 10
/// ticket.restore(before)
/// ```
///
/// The macro writes the one requirement; the rest comes with it, also to subclasses, whose snapshots hold the properties of
/// their superclasses as well.
public protocol ObservedModel: AnyObject {
  /// Every observed property, those of a superclass first. Written by the macro.
  nonisolated var _observedProperties: [ModelProperty] { get }
}

extension ObservedModel {
  /// The values of all observed properties, all of one moment, whatever other threads write meanwhile.
  ///
  /// ```swift
  /// let before = ticket.snapshot()
  /// ```
  ///
  /// May be called from any thread. In a `transaction` it has what the transaction wrote.
  ///
  /// - Complexity: O(*n*) in the number of properties; values are shared with the model, not copied.
  public func snapshot() -> ModelSnapshot<Self> {
    let properties = _observedProperties
    let values = readTogether { properties.map { $0.read() } }
    return ModelSnapshot(
      values: Dictionary(zip(properties.map(\.name), values), uniquingKeysWith: { _, last in last }))
  }

  /// Writes the values of a snapshot, all in one transaction: of this object, or of another of the same type.
  ///
  /// ```swift
  /// ticket.restore(before)
  /// ```
  ///
  /// May be called from any thread, also in a transaction, which it then is part of. Handlers are called as by any assignment.
  /// A property that has an equal value, or the same object, is not written, so it notifies no handler. Values whose type is
  /// neither `Equatable` nor a class are always written.
  ///
  /// - Parameters:
  ///   - snapshot: What ``snapshot()`` returned.
  ///   - isolation: The caller's actor. Filled in by the compiler; do not pass it.
  /// - Complexity: O(*n*) in the number of properties, and what their changes cause.
  public func restore(_ snapshot: ModelSnapshot<Self>, isolation: isolated (any Actor)? = #isolation) {
    let properties = _observedProperties
    transaction(isolation: isolation) {
      for property in properties {
        if let value = snapshot.values[property.name] { property.write(value, isolation) }
      }
    }
  }
}

/// The values that the observed properties of a model had at one moment, for undo: see ``ObservedModel/snapshot()``.
public struct ModelSnapshot<Model>: Sendable {
  let values: [String: any Sendable]
}

/// One observed property of a model, without its type. Written by the macro.
public struct ModelProperty: Sendable {
  let name: String
  let read: @Sendable () -> any Sendable
  let write: @Sendable (_ value: any Sendable, _ isolation: isolated (any Actor)?) -> Void

  /// - Parameters:
  ///   - name: The name of the property, which is its key in a snapshot.
  ///   - property: What stores it.
  public init<Value>(_ name: String, _ property: Observed<Value>) {
    self.name = name
    read = { property.value }
    write = { new, isolation in
      guard let new = new as? Value, !isEqual(property.value, new) else { return }
      property.set(new, isolation: isolation)
    }
  }
}

/// Whether both are equal, or one object, as far as their type says.
private func isEqual<Value>(_ one: Value, _ other: Value) -> Bool {
  func compare<Known: Equatable>(_ one: Known) -> Bool { (other as? Known) == one }
  if let one = one as? any Equatable { return compare(one) }
  guard Value.self is AnyObject.Type else { return false }
  return one as AnyObject === other as AnyObject
}

/// Returns what `read` returns, with all values read at the same moment: a computation is given the values of one snapshot.
///
/// ```swift
/// let (quantity, price) = readTogether { (ticket.$quantity.value, ticket.$price.value) }
/// ```
///
/// - Parameter read: Only reads. It runs on the calling thread, and perhaps more than once.
/// - Returns: What the closure returned.
public func readTogether<Values: Sendable>(_ read: @escaping @Sendable () -> Values) -> Values {
  Derived { read() }.value
}
