/// Where nodes lie: side by side in pieces of 64 KB, which are used again and never given back.
///
/// In blocks of the allocator's, wherever it had room, a chain of a thousand took a seventh longer. Debug builds use those all
/// the same: the address sanitizer then sees a node that has gone.
struct NodeStore {
  // Begins as zeros, as all of the graph.

  /// Nodes that have gone, each with the address of the next.
  private var free: UnsafeMutableRawPointer?
  /// The rest of the newest piece.
  private var fresh: UnsafeMutableRawPointer?
  private var freshCount = 0

  /// Of a node, in whole cache lines.
  private static var size: Int { (MemoryLayout<Node>.size + 63) & ~63 }
  private static var perPiece: Int { 512 }

  /// Under the lock: nil when there is none, and a piece is needed.
  mutating func take() -> UnsafeMutableRawPointer? {
    if let first = free {
      free = first.load(as: UnsafeMutableRawPointer?.self)
      return first
    }
    guard freshCount > 0, let first = fresh else { return nil }
    freshCount -= 1
    fresh = first + Self.size
    return first
  }
  mutating func giveBack(_ node: UnsafeMutableRawPointer) {
    node.storeBytes(of: free, as: UnsafeMutableRawPointer?.self)
    free = node
  }
  /// Where another thread was faster, its piece's rest goes with the free ones.
  mutating func add(piece: UnsafeMutableRawPointer) {
    while freshCount > 0 {
      freshCount -= 1
      giveBack(fresh! + freshCount * Self.size)
    }
    fresh = piece
    freshCount = Self.perPiece
  }
  static func newPiece() -> UnsafeMutableRawPointer {
    .allocate(byteCount: size * perPiece, alignment: 4096)
  }
}

extension Node {
  static func allocate() -> NodePointer {
    #if DEBUG
    return UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<Node>.size, alignment: 64)
      .bindMemory(to: Node.self, capacity: 1)
    #else
    var room = graph.withLock { $0.nodes.take() }
    if room == nil {
      let piece = NodeStore.newPiece()
      room = graph.withLock { graph in
        graph.nodes.add(piece: piece)
        return graph.nodes.take()
      }
    }
    return room.unsafelyUnwrapped.bindMemory(to: Node.self, capacity: 1)
    #endif
  }
  /// Of a node that has been deinitialised.
  static func deallocate(_ node: NodePointer) {
    #if DEBUG
    node.deallocate()
    #else
    graph.withLock { $0.nodes.giveBack(UnsafeMutableRawPointer(node)) }
    #endif
  }
}
