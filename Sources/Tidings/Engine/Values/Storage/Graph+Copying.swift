import Synchronization

// Values and versions that are copied under the lock.
extension Graph {
  @inline(__always)
  static func swapValues(_ one: VersionPointer, _ other: VersionPointer, of node: NodePointer) {
    if _fastPath(node.pointee.isInPlace) { return Version.swapValues(one, other, of: node) }
    let offset = node.pointee.valueOffset
    node.pointee.body._withUnsafeGuaranteedRef {
      $0.values.swap(UnsafeMutableRawPointer(one) + offset, UnsafeMutableRawPointer(other) + offset)
    }
  }

  /// A version for a value that is to be stored before one that pins see. It is the home version if that is retired and no
  /// computation of the node is running; else a new one.
  func newestVersion(for node: NodePointer, _ context: ContextPointer) -> VersionPointer {
    if node.pointee.isInPlace, node.pointee.running == 0, home(of: node).pointee.isRetired { return home(of: node) }
    return context.pointee.memory.takeVersion(for: node)
  }

  /// A separate version, with the same number and interval, for a value that pins may still read.
  static func fullCopy(of version: VersionPointer, in node: NodePointer) -> VersionPointer {
    let copy = copy(of: version, in: node)
    copy.pointee.number = version.pointee.number
    copy.pointee.validFrom = version.pointee.validFrom
    copy.pointee.validUntil.store(version.pointee.validUntil.load(ordering: .relaxed), ordering: .relaxed)
    copy.pointee.previous = version.pointee.previous
    return copy
  }
  static func copy(of version: VersionPointer, in node: NodePointer) -> VersionPointer {
    let new = node.pointee.allocateBlock().bindMemory(to: Version.self, capacity: 1)
    new.initialize(to: Version())
    let offset = node.pointee.valueOffset
    node.pointee.body._withUnsafeGuaranteedRef {
      $0.values.copy(UnsafeMutableRawPointer(version) + offset, UnsafeMutableRawPointer(new) + offset)
    }
    return new
  }
}
