/// Where nodes lie: side by side in pieces of 64 KB, which are used again and never given back.
///
/// In blocks of the allocator's, wherever it had room, a chain of a thousand took a seventh longer. Debug builds use those all
/// the same: the address sanitizer then sees a node that has gone.
struct NodeStore {
  /// Rooms for nodes, each with the address of the next. Begins as zeros, as all of the graph.
  private var free: UnsafeMutableRawPointer?

  /// Of a node, in whole cache lines.
  static var size: Int { (MemoryLayout<Node>.size + 63) & ~63 }
  static var perPiece: Int { 512 }

  /// Nil when a piece is needed.
  mutating func take() -> UnsafeMutableRawPointer? {
    guard let first = free else { return nil }
    free = first.load(as: UnsafeMutableRawPointer?.self)
    return first
  }
  mutating func giveBack(_ room: UnsafeMutableRawPointer) {
    room.storeBytes(of: free, as: UnsafeMutableRawPointer?.self)
    free = room
  }
  /// Another thread may have added one, too.
  mutating func add(_ piece: Piece) {
    piece.last.storeBytes(of: free, as: UnsafeMutableRawPointer?.self)
    free = piece.first
  }

  /// Rooms in a row, the last without a next.
  struct Piece {
    let first: UnsafeMutableRawPointer
    let last: UnsafeMutableRawPointer

    /// To be made outside the lock.
    init() {
      first = .allocate(byteCount: size * perPiece, alignment: 4096)
      last = first + size * (perPiece - 1)
      var room = first
      while room < last {
        room.storeBytes(of: room + size, as: UnsafeMutableRawPointer?.self)
        room += size
      }
      last.storeBytes(of: nil, as: UnsafeMutableRawPointer?.self)
    }
  }
}

extension Node {
  static func allocate() -> NodePointer {
    #if DEBUG
    let room: UnsafeMutableRawPointer? = .allocate(byteCount: NodeStore.size, alignment: 64)
    #else
    var room = graph.withLock { $0.nodes.take() }
    if room == nil {
      let piece = NodeStore.Piece()
      room = graph.withLock { graph in
        graph.nodes.add(piece)
        return graph.nodes.take()
      }
    }
    #endif
    return room.unsafelyUnwrapped.bindMemory(to: Node.self, capacity: 1)
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
