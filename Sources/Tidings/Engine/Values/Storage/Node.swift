// The graph of values consists of nodes, the links between them, and versions, which hold values.
//
// All three are raw memory. Links are accessed under the graph's lock only. So are nodes, except for their atomic and constant
// properties. While a pin of another thread can reach a version, only its `validUntil` and `previous` may change.
import Synchronization

@usableFromInline typealias NodePointer = UnsafeMutablePointer<Node>
@usableFromInline typealias VersionPointer = UnsafeMutablePointer<Version>
typealias LinkPointer = UnsafeMutablePointer<Link>

/// A value, observed or derived.
@usableFromInline
struct Node: ~Copyable {
  // One cache line: the fields that invalidating, validating, computing and publishing use. The first field is accessed only under
  // the lock: the thread sanitizer reports a change of any property at the address of the whole struct.

  /// See `Node+Flags.swift`.
  var flags: UInt8
  let isSource: Bool
  /// The offset of the value in a version. It is in this cache line, so a computation need not fetch the next one. In the next
  /// line, a chain of 1,000 values that fits no cache took 25 % longer.
  private let offset: UInt16
  /// How many threads are computing it, and how many validation stacks it is on; see `idleCommits`.
  var running: UInt16
  var validating: UInt16
  /// The address of the newest version; 0 for a derived value that was never computed.
  @usableFromInline let newest: Atomic<UInt>
  /// A write needs more than storing the value: the node has a policy, handlers of `willChange`, replicas, or a writer in its turn.
  @usableFromInline let isCautious: Atomic<Bool>
  /// A version of it fits a block of the usual size.
  let isUsual: Bool
  /// The size of its value in words, if the value may be overwritten in place; else 0. See `Version`.
  @usableFromInline let words: UInt8
  /// The bits of `isKept` and `isFinal`.
  private(set) var marks: UInt8
  /// A sequence lock over its home version, for reads without the lock: odd while that is being written.
  @usableFromInline let sequence: Atomic<UInt32>
  /// Counts the facades, the links from values that read it, the batch that is to notify it, and one for all its handlers.
  var references: UInt32
  /// Changes when the node is published, so that an interrupted validation looks again.
  var generation: UInt32
  /// The address of the graph that it is in, or of one that was merged into that; see `GraphLock.swift` for its other values.
  @usableFromInline let graph: Atomic<UInt>
  /// The list of links to the nodes that it read when it was last computed, in the order of reading.
  var deps: LinkPointer?
  /// The list of links from the nodes that read it.
  var subs: LinkPointer?
  let body: Unmanaged<Body>

  // A second cache line: the fields that structural changes and notification use.

  /// Its handlers, made when first asked for. Retained.
  var list: Unmanaged<HandlerList>?
  /// A separate version with the value last notified, while a derived value has handlers.
  var notified: VersionPointer?
  /// The number of the notified version, or one less than the newest if a comparison found the two values different. A replica uses
  /// the field for `pinsAtCommit`.
  var notifiedNumber: UInt
  var lastSub: LinkPointer?
  /// The number of the last publication that consumed it: a value read twice is linked once.
  var stamp: UInt
  /// The count of versions before the newest one, the count at which they are trimmed, and the greatest causal depth at which one
  /// was replaced.
  var olderCount: Int
  var olderLimit: UInt32
  var olderDepth: UInt32

  /// The thread whose turn it is to write the source; other threads wait. In a replica: the thread that made it.
  let reservation: Atomic<UInt>

  init(isSource: Bool, _ body: Unmanaged<Body>, _ values: Values) {
    running = 0
    validating = 0
    isCautious = Atomic(false)
    marks = 0
    sequence = Atomic(0)
    references = 1
    generation = 0
    graph = Atomic(Node.alone)
    notifiedNumber = 0
    stamp = 0
    olderCount = 0
    olderLimit = 4
    olderDepth = 0
    reservation = Atomic(0)
    newest = Atomic(0)
    self.isSource = isSource
    flags = isSource ? 0 : Node.stale
    self.body = body
    offset = UInt16(values.offset)
    isUsual = values.isUsual
    words = UInt8(values.words)
  }

  /// It is among the sources whose copies are kept for pins in other graphs.
  var isKept: Bool {
    get { marks & 1 != 0 }
    set { marks = newValue ? marks | 1 : marks & ~1 }
  }
  /// It never changes again, see `Graph+Finality.swift`.
  var isFinal: Bool { marks & Node.finalMark != 0 }
  mutating func becomeFinal() { marks |= Node.finalMark }
  static var finalMark: UInt8 { 2 }

  mutating func forgetOlder() { (olderCount, olderDepth) = (0, 0) }
  var isInPlace: Bool { @inline(__always) get { words != 0 } }

  /// Begins a change of the value in the home version, under the lock. `endWriting` ends it.
  @inline(__always)
  func beginWriting() {
    assert(sequence.load(ordering: .relaxed) & 1 == 0, "a write within a write")
    sequence.store(sequence.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
  }
  @inline(__always)
  func endWriting() {
    let begun = sequence.load(ordering: .relaxed)
    assert(begun & 1 == 1, "a write within a write")
    sequence.store(begun &+ 1, ordering: .releasing)
  }

  var valueOffset: Int { @inline(__always) get { Int(offset) } }
  /// Its values need no destruction.
  var isPlain: Bool { body._withUnsafeGuaranteedRef { $0.values.destroy == nil } }
  var isQuiet: Bool { body._withUnsafeGuaranteedRef { $0.values.isQuiet } }

  func allocateBlock() -> UnsafeMutableRawPointer {
    body._withUnsafeGuaranteedRef {
      .allocate(byteCount: max($0.values.size, SpareMemory.usualSize), alignment: max($0.values.alignment, 16))
    }
  }

  /// The newest version. Call under the lock.
  var latest: VersionPointer? {
    @inline(__always) get { VersionPointer(bitPattern: newest.load(ordering: .relaxed)) }
    @inline(__always) nonmutating set { newest.store(UInt(bitPattern: newValue), ordering: .releasing) }
  }
  /// Its newest value was computed in a cycle for one pin, so it is right for no snapshot; or there is no value yet. Commits still
  /// invalidate the values that read the node.
  var isUnknown: Bool { latest.map { $0.pointee.validFrom == Version.never } ?? true }
}

/// The version that is stored after a node whose values are overwritten in place. It holds the newest value, unless a pin sees the
/// value that it held before. So a thread that is not pinned can read the newest value without the lock.
@_alwaysEmitIntoClient @inline(__always)
func home(of node: NodePointer) -> VersionPointer {
  (UnsafeMutableRawPointer(node) + Node.slotSize).assumingMemoryBound(to: Version.self)
}
extension Node {
  /// The size of a node, in whole cache lines.
  @usableFromInline static var slotSize: Int { 128 }
}

/// The version whose value is right at `snapshot`. A thread that is pinned at the snapshot calls it without the lock.
///
/// This is not a method: a method would borrow the whole node while other threads change parts of it.
@_alwaysEmitIntoClient @inline(__always)
func version(of node: NodePointer, at snapshot: UInt) -> VersionPointer? {
  var next = VersionPointer(bitPattern: node.pointee.newest.load(ordering: .acquiring))
  while let version = next {
    // Load `validUntil` first, because it is written last. A value that no pin sees may be overwritten, and then be right for this
    // snapshot or a later one.
    let until = version.pointee.validUntil.load(ordering: .acquiring)
    if version.pointee.validFrom <= snapshot { return snapshot < until ? version : nil }
    next = VersionPointer(bitPattern: version.pointee.storedPrevious.load(ordering: .acquiring))
  }
  return nil
}

/// Records that `sub` read `dep`, and which version of it.
struct Link {
  let dep: NodePointer
  let sub: NodePointer
  /// The number of the version that was read. If it was read in a cycle, 0, which matches no version. Such a link does not retain
  /// its dep; otherwise values in a cycle would keep each other alive for ever.
  var number: UInt
  var nextDep: LinkPointer?
  var nextSub: LinkPointer?
  var previousSub: LinkPointer?
}

/// A value and the snapshots for which it is right: `validFrom` to before `validUntil`. The value is stored after the version.
@usableFromInline
struct Version: ~Copyable {
  /// Increases when the value differs from the previous one, so versions of one node with the same number hold equal values. Begins
  /// with 1. An update reads it without the lock, between two loads of the node's sequence. It is the first field, so `number` is
  /// set and not modified in place. The thread sanitizer reports a modification at the address of the whole struct.
  @usableFromInline let storedNumber: Atomic<UInt>
  @usableFromInline let storedFrom: Atomic<UInt>
  @usableFromInline let validUntil: Atomic<UInt>
  /// The address of the version before it. While pins may be reading the version, the address changes only to a version further
  /// back.
  @usableFromInline let storedPrevious: Atomic<UInt>

  @usableFromInline static var open: UInt { .max }
  /// The `validFrom` of a value that is right for no snapshot.
  static var never: UInt { .max }
  init() {
    storedNumber = Atomic(0)
    storedFrom = Atomic(0)
    validUntil = Atomic(Version.open)
    storedPrevious = Atomic(0)
  }

  @_alwaysEmitIntoClient
  var number: UInt {
    @inline(__always) get { storedNumber.load(ordering: .relaxed) }
    nonmutating set { storedNumber.store(newValue, ordering: .relaxed) }
  }
  /// The first of the snapshots. It may increase at any time while no pin sees the version: a pin that passes the version is before
  /// both snapshots.
  @_alwaysEmitIntoClient
  var validFrom: UInt {
    @inline(__always) get { storedFrom.load(ordering: .relaxed) }
    nonmutating set { storedFrom.store(newValue, ordering: .relaxed) }
  }

  /// The size in words of a plain value that is no larger than a version; 0 for all other values. Such a value may be overwritten
  /// in place while no pin sees it. A thread may read it during a write, if it then discards what it read.
  @_alwaysEmitIntoClient @inline(__always)
  static func words(isPlain: Bool, size: Int, alignment: Int) -> Int {
    isPlain && alignment <= 16 && size <= MemoryLayout<Version>.size ? max(1, (size &+ word &- 1) / word) : 0
  }
  @_alwaysEmitIntoClient static var word: Int { @inline(__always) get { MemoryLayout<UInt>.size } }
  @usableFromInline typealias Word = UnsafeMutablePointer<Atomic<UInt>>
  @_alwaysEmitIntoClient @inline(__always)
  static func words(of version: VersionPointer) -> Word {
    UnsafeMutableRawPointer(version + 1).assumingMemoryBound(to: Atomic<UInt>.self)
  }

  /// Copies the value of one version to another, if values are overwritten in place.
  @inline(__always)
  static func copyValue(_ from: VersionPointer, to: VersionPointer, of node: NodePointer) {
    let (from, to) = (words(of: from), words(of: to))
    // relaxed: the words of a plain value; what is in `to` is published later, or the node's sequence releases it.
    to[0].store(from[0].load(ordering: .relaxed), ordering: .relaxed)
    if _slowPath(node.pointee.words > 1) {
      for index in 1..<Int(node.pointee.words) {
        // relaxed: as the first word.
        to[index].store(from[index].load(ordering: .relaxed), ordering: .relaxed)
      }
    }
  }
  @inline(__always)
  static func swapValues(_ one: VersionPointer, _ other: VersionPointer, of node: NodePointer) {
    let (one, other) = (words(of: one), words(of: other))
    swapWord(one, other)
    if _slowPath(node.pointee.words > 1) {
      for index in 1..<Int(node.pointee.words) { swapWord(one + index, other + index) }
    }
  }
  @inline(__always)
  private static func swapWord(_ one: Word, _ other: Word) {
    let word = one.pointee.load(ordering: .relaxed)
    // relaxed: the words of a plain value, as in `copyValue`.
    one.pointee.store(other.pointee.load(ordering: .relaxed), ordering: .relaxed)
    // relaxed: for the same reason.
    other.pointee.store(word, ordering: .relaxed)
  }

  /// No pin sees the value of the version, and the caller destroys it. A thread that looks for an older version may still pass this
  /// one, so the memory must stay until the current pins have ended.
  func retire() { validUntil.store(0, ordering: .relaxed) }
  var isRetired: Bool { validUntil.load(ordering: .relaxed) == 0 }

  /// The version before this one; accessed under the lock. A pinned thread that has passed this version may follow the address to a
  /// version made meanwhile. That may be a copy kept for a pin of another graph. The release store lets that thread see the copy's
  /// contents.
  var previous: VersionPointer? {
    @inline(__always) get { VersionPointer(bitPattern: storedPrevious.load(ordering: .relaxed)) }
    nonmutating set { storedPrevious.store(UInt(bitPattern: newValue), ordering: .releasing) }
  }

  func holds(at snapshot: UInt) -> Bool { validFrom <= snapshot && snapshot < validUntil.load(ordering: .relaxed) }
}

@inline(__always)
func prefetch(_ node: NodePointer) {
  prefetch(UnsafeRawPointer(node))
  prefetch(UnsafeRawPointer(node) + 64)
}
