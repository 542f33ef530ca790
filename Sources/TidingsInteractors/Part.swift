public import Tidings

/// A value that can be read, observed and written, though it may be only a part of another: what an interactor edits.
///
/// ```swift
/// let person = Observed(Person(name: "Ada", address: Address(street: "St James's Square", number: 12)))
/// let street = Part(person).address.street   // Part<String>
/// street.set("Dorset Street")
/// ```
///
/// Writing a part is one `update` of the whole, so other parts keep what others have written. It is told when the part
/// changes and not when only the rest does. It keeps the whole alive.
@dynamicMemberLookup
public struct Part<Value: Sendable>: Sendable {
  /// The part, to read and to observe.
  public let readOnly: ReadOnly<Value>
  private let write: @MainActor @Sendable (Value) -> Void
  private let change: @MainActor @Sendable (@escaping @Sendable (inout Value) -> Void) -> Void

  /// The whole of a value.
  public init(_ whole: Observed<Value>) {
    readOnly = whole.readOnly
    write = { whole.set($0) }
    change = { whole.update($0) }
  }

  private init<Whole>(_ whole: Part<Whole>, _ path: any WritableKeyPath<Whole, Value> & Sendable) {
    readOnly = ReadOnly(whole.readOnly[dynamicMember: path])
    write = { new in whole.change { $0[keyPath: path] = new } }
    change = { body in whole.change { body(&$0[keyPath: path]) } }
  }

  public subscript<Member: Sendable>(
    dynamicMember path: any WritableKeyPath<Value, Member> & Sendable
  ) -> Part<Member> { Part<Member>(self, path) }

  public var value: Value { readOnly.value }
  /// Writes the part: one change of the whole.
  @MainActor public func set(_ new: Value) { write(new) }
}
