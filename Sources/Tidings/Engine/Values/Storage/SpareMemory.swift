/// Memory that a thread keeps for the next objects that it makes.
struct SpareMemory {
  /// Blocks of the usual size, for versions: each holds the address of the next.
  private var firstBlock: UnsafeMutableRawPointer?
  private var blocks = 0
  var nodeSlots = NodeSlots()
  /// Graphs for the next values that the thread connects.
  var graphs = SpareGraphs()
  /// The write log of a transaction that has ended.
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
    // A `deinit` may have run a transaction meanwhile.
    if writeLog != nil { return Self.free(log) }
    writeLog = log
  }
  private static func free(_ log: WriteLogPointer) {
    log.pointee.free()
    log.deinitialize(count: 1)
    log.deallocate()
  }

  /// Frees the memory when the thread ends.
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

/// Not inlined. With this code `set` is too large for the compiler to inline it into a client's loop, and took 6 % more
/// instructions.
@usableFromInline @inline(never)
func takeBack(_ version: VersionPointer, of node: NodePointer, _ context: ContextPointer) {
  if version == context.pointee.scratch { return }
  context.pointee.memory.giveBack(version, of: node)
}
