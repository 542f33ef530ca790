// Memory for versions that a thread keeps for its next ones.
extension Context {
  static var usualSize: Int { 64 }

  /// A block of the usual size.
  @inline(__always)
  mutating func takeBlock() -> UnsafeMutableRawPointer {
    guard let first = spare else { return Self.newBlock() }
    spare = first.load(as: UnsafeMutableRawPointer?.self)
    spares &-= 1
    return first
  }
  static func newScratch() -> VersionPointer { newBlock().initializeMemory(as: Version.self, to: Version()) }
  @inline(never)
  static func newBlock() -> UnsafeMutableRawPointer {
    .allocate(byteCount: usualSize, alignment: 16)
  }
  @inline(__always)
  mutating func giveBack(block: UnsafeMutableRawPointer) {
    if _slowPath(spares == 16) { return block.deallocate() }
    block.storeBytes(of: spare, as: UnsafeMutableRawPointer?.self)
    spare = block
    spares &+= 1
  }

  /// A version without a value, for a node.
  @inline(__always)
  mutating func takeVersion(for node: NodePointer) -> VersionPointer {
    let block = node.pointee.isUsual ? takeBlock() : node.pointee.allocateBlock()
    let version = block.bindMemory(to: Version.self, capacity: 1)
    version.initialize(to: Version())
    return version
  }
  /// Takes a version back, whose value has been destroyed.
  @inline(__always)
  mutating func giveBack(_ version: VersionPointer, of node: NodePointer) {
    if node.pointee.isUsual {
      giveBack(block: UnsafeMutableRawPointer(version))
    } else {
      UnsafeMutableRawPointer(version).deallocate()
    }
  }
}

/// Not inlined: with this in it `set` is more than the compiler puts into a client's loop, and took 21 of 330 instructions more.
@usableFromInline @inline(never)
func takeBack(_ version: VersionPointer, of node: NodePointer, _ context: ContextPointer) {
  if version == context.pointee.scratch { return }
  context.pointee.giveBack(version, of: node)
}
