/// A key path as one that may be sent, for a caller that uses it as a name only.
///
/// A literal that captures nothing is fixed when the program is built. Where it names a property of an actor it is no `Sendable`
/// type, since reading through it elsewhere would be a race; comparing it reads nothing. `Sendable` is a mark in the type and has
/// no representation.
func asSendable<Root, Value>(_ keyPath: KeyPath<Root, Value>) -> any KeyPath<Root, Value> & Sendable {
  unsafeBitCast(keyPath, to: (any KeyPath<Root, Value> & Sendable).self)
}
