/// The next step of a validation, which is taken outside the lock.
enum ValidationStep {
  /// No step: the value that was asked for is known.
  case none
  /// Compute the node, and publish the result.
  case compute(NodePointer)
  /// Report that the node depends on itself. It keeps its value for this pin.
  case reportCycle(NodePointer)
  /// Compare the value that was notified with a newer value.
  case compareValues(ComparisonPointer)

  var isNone: Bool { @inline(__always) get { if case .none = self { true } else { false } } }
}
