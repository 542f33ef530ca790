typealias ComparisonPointer = UnsafeMutablePointer<Comparison>

/// Whether a value that was notified and the newest one are equal, when the versions do not say.
///
/// A step has its address, as steps are returned in registers.
struct Comparison {
  let node: NodePointer
  /// Copies.
  let notified: VersionPointer
  let newest: VersionPointer
  let numbers: (notified: UInt, newest: UInt)

  /// For a step.
  func allocated() -> ComparisonPointer {
    let pointer = ComparisonPointer.allocate(capacity: 1)
    pointer.initialize(to: self)
    return pointer
  }
  /// Out of a step, and frees the memory.
  static func consume(_ pointer: ComparisonPointer) -> Comparison {
    defer { pointer.deallocate() }
    return pointer.move()
  }
}
