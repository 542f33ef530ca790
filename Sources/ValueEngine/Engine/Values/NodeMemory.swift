import Synchronization

/// Memory of nodes and links, in slabs. A thread has a free list for each size; what it reclaims, it uses again. A thread that ends
/// leaves its lists to others.
///
/// A node takes two lines: 120 bytes of fields, then its two locks. A node of a long value has a third line for the words 2 to 4.
struct NodeMemory: ~Copyable {
  private var short: UnsafeMutableRawPointer?
  private var long: UnsafeMutableRawPointer?
  private var links: UnsafeMutableRawPointer?

  private static var shortSize: Int { 128 }
  private static var longSize: Int { 192 }
  private static var linkSize: Int { 48 }

  mutating func makeNode(_ body: Body) -> NodePointer {
    assert(MemoryLayout<Node>.stride <= 120 && MemoryLayout<ParkingLock>.stride == 4)
    let memory =
      body.words > 1
      ? Self.pop(&long, Self.longSize, alignment: 64) : Self.pop(&short, Self.shortSize, alignment: 128)
    let node = memory.bindMemory(to: Node.self, capacity: 1)
    node.initialize(to: Node(body))
    node.publicationLock.initialize(to: ParkingLock())
    node.linkLock.initialize(to: ParkingLock())
    if body.words > 1 { for index in 0..<3 { (node.moreWords + index).initialize(to: Word(0)) } }
    return node
  }
  mutating func takeBack(_ node: NodePointer) {
    if node.has(Node.isLong) { Self.push(node, &long) } else { Self.push(node, &short) }
  }
  @inline(__always)
  mutating func makeLink(_ sub: NodePointer, reads dep: NodePointer, _ number: UInt) -> LinkPointer {
    let link = Self.pop(&links, Self.linkSize, alignment: 16).bindMemory(to: Link.self, capacity: 1)
    link.initialize(to: Link(sub, reads: dep, number))
    return link
  }
  mutating func takeBack(_ link: LinkPointer) { Self.push(link, &links) }

  mutating func leave() {
    for (first, size) in [(short, Self.shortSize), (long, Self.longSize), (links, Self.linkSize)] {
      if let first { FreeLists.shared.add(first, size) }
    }
    (short, long, links) = (nil, nil, nil)
  }

  @inline(__always)
  private static func pop(
    _ first: inout UnsafeMutableRawPointer?, _ size: Int, alignment: Int
  ) -> UnsafeMutableRawPointer {
    let slot = first ?? grow(size, alignment)
    first = slot.load(as: UnsafeMutableRawPointer?.self)
    return slot
  }
  @inline(__always)
  private static func push(_ slot: UnsafeMutableRawPointer, _ first: inout UnsafeMutableRawPointer?) {
    slot.storeBytes(of: first, as: UnsafeMutableRawPointer?.self)
    first = slot
  }
  @inline(never)
  private static func grow(_ size: Int, _ alignment: Int) -> UnsafeMutableRawPointer {
    if let left = FreeLists.shared.take(size) { return left }
    let count = 32
    let slab = UnsafeMutableRawPointer.allocate(byteCount: size * count, alignment: alignment)
    for index in 0..<count {
      let next = index + 1 < count ? slab + (index + 1) * size : nil
      (slab + index * size).storeBytes(of: next, as: UnsafeMutableRawPointer?.self)
    }
    return slab
  }
}

/// The lists of threads that have ended.
private final class FreeLists: @unchecked Sendable {  // `lists` is accessed under the lock
  static let shared = FreeLists()
  private let lock = ParkingLockPointer.allocate(capacity: 1)
  private var lists: [(first: UnsafeMutableRawPointer, size: Int)] = []
  init() { lock.initialize(to: ParkingLock()) }

  func add(_ first: UnsafeMutableRawPointer, _ size: Int) {
    let held = HeldLock(lock)
    lists.append((first, size))
    held.release()
  }
  func take(_ size: Int) -> UnsafeMutableRawPointer? {
    let held = HeldLock(lock)
    let index = lists.lastIndex { $0.size == size }
    let first = index.map { lists.remove(at: $0).first }
    held.release()
    return first
  }
}

extension NodePointer {
  /// The words 2 to 4 of a long value.
  var moreWords: WordPointer {
    @inline(__always) get { (UnsafeMutableRawPointer(self) + 128).assumingMemoryBound(to: Word.self) }
  }
}
