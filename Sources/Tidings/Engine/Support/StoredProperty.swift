/// Reads the stored property that a key path names, on the thread that delivers.
///
/// In a module whose default isolation is the main actor, a key path to a property of its own types is not `Sendable`, even
/// where the property is stored and the type is `Sendable`: such a property may be read anywhere. A computed property may not;
/// it has no offset in the value.
@usableFromInline
func storedProperty<Root: Sendable, Value: Sendable>(_ keyPath: KeyPath<Root, Value>) -> @Sendable (Root) -> Value {
  // Not `precondition`, which says nothing in a release build.
  guard MemoryLayout<Root>.offset(of: keyPath) != nil else {
    fatalError(
      "a computed property of an actor cannot be read where an event delivers: use a stored one, or mark it nonisolated"
    )
  }
  nonisolated(unsafe) let keyPath = keyPath  // it names an offset, and captures nothing
  return { $0[keyPath: keyPath] }
}
