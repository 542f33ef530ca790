/// Whether a value that was notified and the newest one are equal, when the versions do not say.
struct Comparison {
  let node: NodePointer
  /// Copies.
  let notified: VersionPointer
  let newest: VersionPointer
  let numbers: (notified: UInt, newest: UInt)
}
