/// A value that crosses threads unchecked: the caller asserts that this is safe.
///
/// It is for code on top of `Event` whose signatures were fixed before `Sendable` existed, and which still promises that it
/// works on any thread. Each use gives the reason why that is safe for its values.
package struct UncheckedSendable<Value>: @unchecked Sendable {  // see above
  package let value: Value
  package init(_ value: Value) { self.value = value }
}
