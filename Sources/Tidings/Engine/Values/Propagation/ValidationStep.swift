/// What is to be done next, outside the lock.
enum ValidationStep {
  /// Nothing: what was asked for is known.
  case none
  /// Compute the node, and publish the result.
  case compute(NodePointer)
  /// The node depends on itself: report it. It keeps the value that it has, for this pin.
  case reportCycle(NodePointer)
  /// Compare what was notified with a newer value.
  case compareValues(ComparisonPointer)

  var isNone: Bool { @inline(__always) get { if case .none = self { true } else { false } } }
}
