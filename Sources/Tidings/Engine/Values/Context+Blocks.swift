// Memory for records that a thread keeps for its next ones.
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
  static func newRoom() -> RecordPointer { newBlock().initializeMemory(as: Record.self, to: Record()) }
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

  /// A record without a value, for a node.
  @inline(__always)
  mutating func takeRecord(for node: NodePointer) -> RecordPointer {
    let block = node.pointee.isUsual ? takeBlock() : node.pointee.allocateBlock()
    let record = block.bindMemory(to: Record.self, capacity: 1)
    record.initialize(to: Record())
    return record
  }
  /// Takes a record back, whose value has been ended.
  @inline(__always)
  mutating func giveBack(_ record: RecordPointer, of node: NodePointer) {
    if node.pointee.isUsual {
      giveBack(block: UnsafeMutableRawPointer(record))
    } else {
      UnsafeMutableRawPointer(record).deallocate()
    }
  }
}
