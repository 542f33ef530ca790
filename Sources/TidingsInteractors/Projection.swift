public import Tidings

/// A value, an element of a collection, or a part of either, that can be read, observed and written: what an interactor edits.
///
/// ```swift
/// let person = Observed(Person(name: "Ada", address: Address(street: "St James's Square", number: 12)))
/// let street = Projection(person).address.street   // Projection<String>
/// street.set("Dorset Street")
/// ```
///
/// Writing a part is one `update` of the whole value, so concurrent writes to other parts are not lost. A part notifies when
/// it changes, and not when only the rest does. It retains the whole value.
@dynamicMemberLookup
public struct Projection<Value: Sendable>: Sendable {
  /// The part, to read and to observe.
  public let readOnly: ReadOnly<Value>
  /// Whether the collection has lost the element of which this is a part. Nil for a part of a value.
  let isRemoved: ReadOnly<Bool>?
  /// Throws ``ElementRemoved``, also from the end of a transaction if another thread removes the element meanwhile.
  let write: @MainActor @Sendable (Value) throws -> Void
  private let change: @MainActor @Sendable (@escaping @Sendable (inout Value) -> Void) throws -> Void

  /// A part that is the whole of a value.
  ///
  /// - Parameter whole: The value, which is retained.
  public init(_ whole: Observed<Value>) {
    readOnly = whole.readOnly
    isRemoved = nil
    write = { whole.set($0) }
    change = { whole.update($0) }
  }

  /// A part that is an element of a collection: of an `ObservedArray` by its `id`, of an `ObservedDictionary` by its key.
  ///
  /// ```swift
  /// let quantity = Projection(positions.reference(to: id))?.quantity   // Projection<Int>?
  /// ```
  ///
  /// It is the same element wherever that is moved. While the collection has no such element, this keeps the last value of it that
  /// was read or observed, and writing does nothing.
  ///
  /// - Parameter reference: The element; the collection is retained.
  /// - Returns: The part; nil if the collection has no such element now.
  public init?(_ reference: ElementReference<Value>) {
    let element = reference.element
    guard let first = element.value else { return nil }
    readOnly = ReadOnly(Derived("projection.element", previous: first) { previous in element.value ?? previous })
    isRemoved = ReadOnly(Derived("projection.isRemoved") { element.value == nil })
    write = { new in
      try reference.update(#isolation) { element in
        if element == nil { throw ElementRemoved() }
        element = new
      }
    }
    change = { body in
      try reference.update(#isolation) { element in
        guard var changed = element else { throw ElementRemoved() }
        body(&changed)
        element = changed
      }
    }
  }

  private init<Whole>(_ whole: Projection<Whole>, _ path: any WritableKeyPath<Whole, Value> & Sendable) {
    readOnly = ReadOnly(whole.readOnly[dynamicMember: path])
    isRemoved = whole.isRemoved
    write = { new in try whole.change { $0[keyPath: path] = new } }
    change = { body in try whole.change { body(&$0[keyPath: path]) } }
  }

  /// A member of the part.
  public subscript<Member: Sendable>(
    dynamicMember path: any WritableKeyPath<Value, Member> & Sendable
  ) -> Projection<Member> { Projection<Member>(self, path) }

  /// The current value of the part.
  public var value: Value { readOnly.value }
  /// Writes the part: one change of the whole value. It does nothing if the element was removed of which this is a part.
  ///
  /// - Parameter new: The new value of the part.
  @MainActor public func set(_ new: Value) { try? write(new) }
}
