public import Tidings

/// A value, or a part of one, that can be read, observed and written: what an interactor edits.
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
  private let write: @MainActor @Sendable (Value) -> Void
  private let change: @MainActor @Sendable (@escaping @Sendable (inout Value) -> Void) -> Void

  /// A part that is the whole of a value.
  ///
  /// - Parameter whole: The value, which is retained.
  public init(_ whole: Observed<Value>) {
    readOnly = whole.readOnly
    write = { whole.set($0) }
    change = { whole.update($0) }
  }

  private init<Whole>(_ whole: Projection<Whole>, _ path: any WritableKeyPath<Whole, Value> & Sendable) {
    readOnly = ReadOnly(whole.readOnly[dynamicMember: path])
    write = { new in whole.change { $0[keyPath: path] = new } }
    change = { body in whole.change { body(&$0[keyPath: path]) } }
  }

  /// A member of the part.
  public subscript<Member: Sendable>(
    dynamicMember path: any WritableKeyPath<Value, Member> & Sendable
  ) -> Projection<Member> { Projection<Member>(self, path) }

  /// The current value of the part.
  public var value: Value { readOnly.value }
  /// Writes the part: one change of the whole value.
  ///
  /// - Parameter new: The new value of the part.
  @MainActor public func set(_ new: Value) { write(new) }
}
