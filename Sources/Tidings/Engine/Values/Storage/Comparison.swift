typealias ComparisonPointer = UnsafeMutablePointer<Comparison>

/// A comparison of the value last notified with the newest one, for when the versions do not show whether they are equal.
///
/// A step holds the address of the comparison, because steps are returned in registers.
struct Comparison {
  let node: NodePointer
  /// Copies of the two versions.
  let notified: VersionPointer
  let newest: VersionPointer
  let numbers: (notified: UInt, newest: UInt)

  /// Copies the comparison into memory, for a step.
  func allocated() -> ComparisonPointer {
    let pointer = ComparisonPointer.allocate(capacity: 1)
    pointer.initialize(to: self)
    return pointer
  }
  /// Takes the comparison out of a step, and frees the memory.
  static func consume(_ pointer: ComparisonPointer) -> Comparison {
    defer { pointer.deallocate() }
    return pointer.move()
  }
}
