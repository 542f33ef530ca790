/// A slab allocator for nodes of one size: slots side by side in slabs of some 64 KB, with a free list. Slabs are never given back.
///
/// With separate blocks of the system's allocator, a chain of 1,000 values took 14 % longer. Debug builds still use such blocks, so
/// that the address sanitizer sees a use after free.
struct NodeStore {
  /// Slots for nodes, each with the address of the next.
  private var first: UnsafeMutableRawPointer?
  private(set) var count = 0
  var isEmpty: Bool { count == 0 }

  /// The size of a slot, in whole cache lines; includes the home version if the node has one.
  static func size(withHome: Bool) -> Int { withHome ? Node.slotSize + SpareMemory.usualSize : Node.slotSize }

  /// Takes a free slot; nil if there is none.
  mutating func take() -> UnsafeMutableRawPointer? {
    guard let slot = first else { return nil }
    first = Self.next(after: slot)
    count &-= 1
    return slot
  }
  /// Takes the first slots, at most the given number.
  @inline(never)
  mutating func takeRun(of most: Int) -> NodeStore {
    var run = NodeStore()
    guard let first, most > 0 else { return run }
    (run.first, run.count) = (first, 1)
    var last = first
    while run.count < most, let next = Self.next(after: last) {
      last = next
      run.count += 1
    }
    self.first = Self.next(after: last)
    count -= run.count
    last.storeBytes(of: nil, as: UnsafeMutableRawPointer?.self)
    return run
  }
  mutating func giveBack(_ slot: UnsafeMutableRawPointer) {
    slot.storeBytes(of: first, as: UnsafeMutableRawPointer?.self)
    first = slot
    count &+= 1
  }
  /// Adds a run of slots before the others.
  @inline(never)
  mutating func add(_ run: NodeStore) {
    guard var last = run.first else { return }
    while let next = Self.next(after: last) { last = next }
    add(from: run.first.unsafelyUnwrapped, to: last, run.count)
  }
  /// Adds the slots of a new slab. Another thread may have added one, too.
  mutating func add(_ slab: Slab) { add(from: slab.first, to: slab.last, slab.count) }
  @inline(never)
  private mutating func add(from first: UnsafeMutableRawPointer, to last: UnsafeMutableRawPointer, _ count: Int) {
    last.storeBytes(of: self.first, as: UnsafeMutableRawPointer?.self)
    self.first = first
    self.count += count
  }
  private static func next(after slot: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    slot.load(as: UnsafeMutableRawPointer?.self)
  }

  /// Adjacent slots; the last one has no next slot.
  struct Slab {
    let first: UnsafeMutableRawPointer
    let last: UnsafeMutableRawPointer
    let count: Int

    /// Allocates a slab. Call outside the lock.
    init(of size: Int) {
      count = (1 << 16) / size
      first = .allocate(byteCount: size * count, alignment: 4096)
      last = first + size * (count - 1)
      var slot = first
      while slot < last {
        slot.storeBytes(of: slot + size, as: UnsafeMutableRawPointer?.self)
        slot += size
      }
      last.storeBytes(of: nil, as: UnsafeMutableRawPointer?.self)
    }
  }
}

/// The free slots that no thread keeps, without a home version and with one.
private struct NodeStores: @unchecked Sendable {  // protected by their lock
  var withoutHome = NodeStore()
  var withHome = NodeStore()
  static let shared = Lock(NodeStores())

  mutating func with<R>(home: Bool, _ body: (inout NodeStore) -> R) -> R {
    home ? body(&withHome) : body(&withoutHome)
  }
}

/// Slots that a thread keeps for its next nodes: some adjacent ones at a time from the store, and those that it gives back. When
/// two threads took single slots in turn, each prefetched nodes of the other: on two threads, `bench: cores: wide 1-100` took 50 %
/// more.
struct NodeSlots {
  private(set) var withoutHome = NodeStore()
  private(set) var withHome = NodeStore()
  private static var run: Int { 32 }
  /// The most slots of each size that a thread keeps. A thread that frees nodes made by others collects slots up to this number,
  /// for as long as it lives.
  static var most: Int { 128 }

  mutating func take(home: Bool) -> UnsafeMutableRawPointer {
    if let slot = home ? withHome.take() : withoutHome.take() { return slot }
    var run = NodeStores.shared.withLock { $0.with(home: home) { $0.takeRun(of: Self.run) } }
    if run.isEmpty {
      let slab = NodeStore.Slab(of: NodeStore.size(withHome: home))
      run = NodeStores.shared.withLock {
        $0.with(home: home) { store in
          store.add(slab)
          return store.takeRun(of: Self.run)
        }
      }
    }
    defer { if home { withHome = run } else { withoutHome = run } }
    return run.take().unsafelyUnwrapped
  }
  mutating func giveBack(_ slot: UnsafeMutableRawPointer, home: Bool) {
    if home { withHome.giveBack(slot) } else { withoutHome.giveBack(slot) }
    let count = home ? withHome.count : withoutHome.count
    if _slowPath(count > Self.most) {
      giveBack(home ? withHome.takeRun(of: count / 2) : withoutHome.takeRun(of: count / 2), home)
    }
  }
  /// Gives back all slots when the thread ends.
  mutating func giveBackAll() {
    giveBack(withHome.takeRun(of: withHome.count), true)
    giveBack(withoutHome.takeRun(of: withoutHome.count), false)
  }
  private func giveBack(_ run: NodeStore, _ home: Bool) {
    NodeStores.shared.withLock { $0.with(home: home) { $0.add(run) } }
  }
}

extension Node {
  /// Makes a node, which retains the body.
  static func make(_ body: Body) -> NodePointer {
    let node = allocate(withHome: body.values.words != 0)
    node.initialize(to: Node(isSource: body.isSource, .passRetained(body), body.values))
    return node
  }
  private static func allocate(withHome: Bool) -> NodePointer {
    #if DEBUG
    let slot = UnsafeMutableRawPointer.allocate(byteCount: NodeStore.size(withHome: withHome), alignment: 64)
    #else
    let slot = Context.current.pointee.memory.nodeSlots.take(home: withHome)
    #endif
    let node = slot.bindMemory(to: Node.self, capacity: 1)
    if withHome {
      home(of: node).initialize(to: Version())
      home(of: node).pointee.retire()
    }
    return node
  }
  /// Frees the slot of a node that has been deinitialised.
  static func deallocate(_ node: NodePointer, withHome: Bool) {
    #if DEBUG
    node.deallocate()
    #else
    Context.current.pointee.memory.nodeSlots.giveBack(UnsafeMutableRawPointer(node), home: withHome)
    #endif
  }
}
