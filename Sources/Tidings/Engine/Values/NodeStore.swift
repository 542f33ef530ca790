/// Where nodes of one size lie: side by side in pieces of some 64 KB, which are used again and never given back.
///
/// In blocks of the allocator's, wherever it had room, a chain of a thousand took a seventh longer. Debug builds use those all
/// the same: the address sanitizer then sees a use after free.
struct NodeStore {
  /// Rooms for nodes, each with the address of the next.
  private var free: UnsafeMutableRawPointer?

  /// In whole cache lines, with its home record if it has one.
  static func size(withHome: Bool) -> Int { withHome ? Node.room + Context.usualSize : Node.room }

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
    let count: Int

    /// To be made outside the lock.
    init(of size: Int) {
      count = (1 << 16) / size
      first = .allocate(byteCount: size * count, alignment: 4096)
      last = first + size * (count - 1)
      var room = first
      while room < last {
        room.storeBytes(of: room + size, as: UnsafeMutableRawPointer?.self)
        room += size
      }
      last.storeBytes(of: nil, as: UnsafeMutableRawPointer?.self)
    }
  }
}

/// Those of all graphs, without a home record and with one.
private struct NodeStores: @unchecked Sendable {  // protected by their lock
  var withoutHome = NodeStore()
  var withHome = NodeStore()
  static let shared = Lock(NodeStores())

  mutating func with<R>(home: Bool, _ body: (inout NodeStore) -> R) -> R {
    home ? body(&withHome) : body(&withoutHome)
  }
}

extension Node {
  static func allocate(withHome: Bool) -> NodePointer {
    let size = NodeStore.size(withHome: withHome)
    #if DEBUG
    let room: UnsafeMutableRawPointer? = .allocate(byteCount: size, alignment: 64)
    #else
    var room = NodeStores.shared.withLock { $0.with(home: withHome) { $0.take() } }
    if room == nil {
      let piece = NodeStore.Piece(of: size)
      room = NodeStores.shared.withLock {
        $0.with(home: withHome) { store in
          store.add(piece)
          return store.take()
        }
      }
    }
    #endif
    let node = room.unsafelyUnwrapped.bindMemory(to: Node.self, capacity: 1)
    if withHome {
      home(of: node).initialize(to: Record())
      home(of: node).pointee.retire()
    }
    return node
  }
  /// Of a node that has been deinitialised.
  static func deallocate(_ node: NodePointer, withHome: Bool) {
    #if DEBUG
    node.deallocate()
    #else
    NodeStores.shared.withLock { $0.with(home: withHome) { $0.giveBack(UnsafeMutableRawPointer(node)) } }
    #endif
  }
}
