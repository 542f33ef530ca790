// What the graph of values is made of: nodes, the links between them, and versions, which hold values.
//
// All three are raw memory. Links are touched under the graph's lock only, and so are nodes, except for what is atomic in them and
// for what never changes. Of a version that a pin of another thread can reach, `validUntil` and `previous` may change at any time,
// and nothing else does.
import Synchronization

@usableFromInline typealias NodePointer = UnsafeMutablePointer<Node>
@usableFromInline typealias VersionPointer = UnsafeMutablePointer<Version>
typealias LinkPointer = UnsafeMutablePointer<Link>

/// A value, observed or derived.
@usableFromInline
struct Node: ~Copyable {
  // One cache line: what invalidating, validating, computing and publishing look at. The first field is none that is looked at
  // without the lock: to the thread sanitizer a change of any property is one at the address of the whole.

  /// See `Node+Flags.swift`.
  var flags: UInt8
  let isSource: Bool
  /// The offset of the value in a version. Here and not in the next line, which a computation then need not fetch: a chain of a
  /// thousand, which fits no cache, took a quarter longer.
  private let offset: UInt16
  /// How many threads are computing it, and how many validation stacks it is on; see `idleCommits`.
  var running: UInt16
  var validating: UInt16
  /// The address of the newest version; 0 for a derived value that was never computed.
  @usableFromInline let newest: Atomic<UInt>
  /// Writing asks more than putting a value in: a policy, or handlers of `willChange`.
  @usableFromInline let isCautious: Atomic<Bool>
  /// A version of it fits a block of the usual size.
  let isUsual: Bool
  /// How many words of a version a value takes that may be written over in place; 0 where that is not so, see `Version`.
  @usableFromInline let words: UInt8
  /// It is among the sources whose copies are kept for pins in other graphs.
  var isKept: Bool
  /// A sequence lock over its home version, for reads without the lock: odd while that is being written.
  @usableFromInline let sequence: Atomic<UInt32>
  /// Facades, links from what reads it, the batch that is to notify it, and one for all its handlers.
  var references: UInt32
  /// Changes when it is published: a validation that was interrupted looks again.
  var generation: UInt32
  /// The address of the graph that it is in, or of one that was merged into that; see `GraphLock.swift` for what else.
  @usableFromInline let graph: Atomic<UInt>
  /// What it read when it was last computed, in the order of reading.
  var deps: LinkPointer?
  /// What read it.
  var subs: LinkPointer?
  let body: Unmanaged<Body>

  // Another: what is needed where the structure changes, and for notifying.

  /// Its handlers, made when first asked for. Retained.
  var list: Unmanaged<HandlerList>?
  /// A version of its own with the value last notified, while there are handlers of a derived value.
  var notified: VersionPointer?
  /// The number of that version, or one less than the newest after a comparison that found it another; see `pinsAtCommit`.
  var notifiedNumber: UInt
  var lastSub: LinkPointer?
  /// The number of the last publication that consumed it: a value read twice is linked once.
  var stamp: UInt
  /// Versions before the newest one, how many there may be before it is looked whether they are needed, and how deep in a
  /// chain of causes the deepest was replaced.
  var olderCount: Int
  var olderLimit: UInt32
  var olderDepth: UInt32

  /// The thread whose turn it is to write it: others wait. Of a replica: the thread that made it.
  let reservation: Atomic<UInt>

  init(isSource: Bool, _ body: Unmanaged<Body>, _ values: Values) {
    running = 0
    validating = 0
    isCautious = Atomic(false)
    isKept = false
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

  mutating func forgetOlder() { (olderCount, olderDepth) = (0, 0) }
  var isInPlace: Bool { @inline(__always) get { words != 0 } }

  /// Under the lock, around what changes the value of its home version.
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

  /// Under the lock.
  var latest: VersionPointer? {
    @inline(__always) get { VersionPointer(bitPattern: newest.load(ordering: .relaxed)) }
    @inline(__always) nonmutating set { newest.store(UInt(bitPattern: newValue), ordering: .releasing) }
  }
  /// Its newest value is right for no snapshot, though a commit invalidates what reads it as ever: it was computed in a cycle,
  /// for one pin.
  var isUnknown: Bool { latest.map { $0.pointee.validFrom == Version.never } ?? true }
}

/// The version that is stored after a node whose values are written over in place. Its newest value is there, unless a pin sees
/// what was there before: so a thread that is not pinned finds the newest value without the lock.
@_alwaysEmitIntoClient @inline(__always)
func home(of node: NodePointer) -> VersionPointer {
  (UnsafeMutableRawPointer(node) + Node.slotSize).assumingMemoryBound(to: Version.self)
}
extension Node {
  /// Of a node, in whole cache lines.
  @usableFromInline static var slotSize: Int { 128 }
}

/// The version whose value is right at `snapshot`. Without the lock: by a thread that is pinned there.
///
/// Not a method, which would borrow the whole node while others change the rest of it.
@_alwaysEmitIntoClient @inline(__always)
func version(of node: NodePointer, at snapshot: UInt) -> VersionPointer? {
  var next = VersionPointer(bitPattern: node.pointee.newest.load(ordering: .acquiring))
  while let version = next {
    // First, as it is written last: a value that no pin sees may be written over, and be right for this snapshot or a later one.
    let until = version.pointee.validUntil.load(ordering: .acquiring)
    if version.pointee.validFrom <= snapshot { return snapshot < until ? version : nil }
    next = VersionPointer(bitPattern: version.pointee.storedPrevious.load(ordering: .acquiring))
  }
  return nil
}

/// That `sub` read `dep`, and which version of it.
struct Link {
  let dep: NodePointer
  let sub: NodePointer
  /// 0 where it was read in a cycle: that matches no version. Such a link does not retain its dep, or values in a cycle would keep
  /// each other for ever.
  var number: UInt
  var nextDep: LinkPointer?
  var nextSub: LinkPointer?
  var previousSub: LinkPointer?
}

/// A value and the snapshots for which it is right: `validFrom` to before `validUntil`. The value is stored after it.
@usableFromInline
struct Version: ~Copyable {
  /// Incremented when the value differs from the one before; two versions of one node with one number hold equal values.
  /// Begins with 1. Read without the lock by an update, between two looks at the node's sequence. First, so `number` is set and not
  /// modified: to the thread sanitizer a modification is one of the address of the whole.
  @usableFromInline let storedNumber: Atomic<UInt>
  @usableFromInline let storedFrom: Atomic<UInt>
  @usableFromInline let validUntil: Atomic<UInt>
  /// The address of the version before it. Of one that pins may be looking at it only ever changes to one further back.
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
  /// The first of the snapshots. Of a version that no pin sees it may go up at any time: pins that pass it are before both.
  @_alwaysEmitIntoClient
  var validFrom: UInt {
    @inline(__always) get { storedFrom.load(ordering: .relaxed) }
    nonmutating set { storedFrom.store(newValue, ordering: .relaxed) }
  }

  /// In words, of plain bits, no more of them than the version is large: they may be written over where no thread can be reading,
  /// and read while they are, if what was read is dropped then. 0 for all others.
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

  /// The value of one version that is written over in place to another.
  @inline(__always)
  static func copyValue(_ from: VersionPointer, to: VersionPointer, of node: NodePointer) {
    let (from, to) = (words(of: from), words(of: to))
    to[0].store(from[0].load(ordering: .relaxed), ordering: .relaxed)
    if _slowPath(node.pointee.words > 1) {
      for index in 1..<Int(node.pointee.words) {
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
    one.pointee.store(other.pointee.load(ordering: .relaxed), ordering: .relaxed)
    other.pointee.store(word, ordering: .relaxed)
  }

  /// Its value is seen by no pin, and is for the caller to destroy; but a thread that looks for an older version may be passing, so
  /// the memory must stay until the current pins have ended.
  func retire() { validUntil.store(0, ordering: .relaxed) }
  var isRetired: Bool { validUntil.load(ordering: .relaxed) == 0 }

  /// Under the lock. A thread that has passed the version already may follow it to one that was made meanwhile, as a copy that is
  /// kept for a pin of another graph: that sees what is in it.
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
