/// Memory that a thread keeps for what it makes next.
struct SpareMemory {
  /// Blocks of the usual size, for versions: each holds the address of the next.
  private var firstBlock: UnsafeMutableRawPointer?
  private var blocks = 0
  var nodeSlots = NodeSlots()
  /// For the next values that it connects.
  var graphs = SpareGraphs()
  /// That of a transaction that is over.
  private var writeLog: WriteLogPointer?

  static var usualSize: Int { 64 }

  /// A block of the usual size.
  @inline(__always)
  mutating func takeBlock() -> UnsafeMutableRawPointer {
    guard let first = firstBlock else { return Self.newBlock() }
    firstBlock = first.load(as: UnsafeMutableRawPointer?.self)
    blocks &-= 1
    return first
  }
  static func newScratch() -> VersionPointer { newBlock().initializeMemory(as: Version.self, to: Version()) }
  @inline(never)
  static func newBlock() -> UnsafeMutableRawPointer {
    .allocate(byteCount: usualSize, alignment: 16)
  }
  @inline(__always)
  mutating func giveBack(block: UnsafeMutableRawPointer) {
    if _slowPath(blocks == 16) { return block.deallocate() }
    block.storeBytes(of: firstBlock, as: UnsafeMutableRawPointer?.self)
    firstBlock = block
    blocks &+= 1
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

  mutating func takeWriteLog() -> WriteLogPointer {
    if let spare = writeLog {
      writeLog = nil
      return spare
    }
    let new = WriteLogPointer.allocate(capacity: 1)
    new.initialize(to: WriteLog())
    return new
  }
  mutating func giveBack(_ log: WriteLogPointer) {
    // A deinit may have written in a transaction of its own.
    if writeLog != nil { return Self.free(log) }
    writeLog = log
  }
  private static func free(_ log: WriteLogPointer) {
    log.pointee.free()
    log.deinitialize(count: 1)
    log.deallocate()
  }

  /// Its thread ends.
  mutating func free() {
    if let writeLog { Self.free(writeLog) }
    nodeSlots.giveBackAll()
    graphs.giveBackAll()
    while let block = firstBlock {
      firstBlock = block.load(as: UnsafeMutableRawPointer?.self)
      block.deallocate()
    }
  }
}

/// Not inlined: with this in it `set` is more than the compiler puts into a client's loop, and took 21 of 330 instructions more.
@usableFromInline @inline(never)
func takeBack(_ version: VersionPointer, of node: NodePointer, _ context: ContextPointer) {
  if version == context.pointee.scratch { return }
  context.pointee.memory.giveBack(version, of: node)
}
