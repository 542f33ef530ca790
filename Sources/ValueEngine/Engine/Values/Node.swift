import Synchronization

typealias NodePointer = UnsafeMutablePointer<Node>

/// One value: a source, which commits write, or a computed value. Every field is atomic or constant, because other threads read all
/// of them, and the sanitizer takes an `inout` access to one field for an access to the whole struct.
///
/// A node is **valid** while `validFor == staledAt`. Commits alone write `staledAt`, each with a word that no other commit has;
/// publications alone write `validFor`. So neither needs a read-modify-write, and a publication that was overtaken makes itself void.
/// A source has 0 in `validFor`, and `staledAt` is its lock: the word of the commit that is writing it, else 0.
struct Node: ~Copyable {
  // The first line: all that a read looks at.

  /// Who read the node last, see `ReadMark`.
  let mark = Word(0)
  /// The number of the newest version. It increases when the value differs, and is never used again. It is the value's sequence lock,
  /// too: written before the value is. 0: never computed.
  let number: Word
  let validFor = Word(0)
  let staledAt: Word
  /// The epoch from which the newest version is known to be valid.
  let from = Word(0)
  /// The first word of the newest version, or the address of its box. Further words are after the node, see `NodeMemory`.
  let value = Word(0)
  /// The first link to a node that read this one. Followed within a write section without a lock; changed under the link lock.
  let subs = Word(0)
  let flags: Atomic<UInt32>
  /// One more than the greatest height of what the node has read; 0 for a source. Exact while the node is valid: it orders
  /// notifications. Stored under the publication lock.
  let height = Atomic<UInt32>(0)

  // The second line.

  /// The first link to a node that this one has read. Changed under the publication lock.
  let deps = Word(0)
  /// Increases with each publication that may have changed value or links; `Node.ended` once nothing refers to the node.
  let publications = Word(0)
  let references = Word(1)
  /// The newest of the versions that pins see, see `SourceVersion`. Under the link lock.
  let retained = Word(0)
  /// The number of the thread that was last to begin a validation, a hint that finds cycles.
  let validator = Word(0)
  let body: Unmanaged<Body>
  /// The address of the node's `Watch`; 0 before the first handler. The node has a reference to it until it is destroyed.
  let watch = Word(0)

  static var isSource: UInt32 { 1 }
  /// The value is in a box, because it is no plain memory of up to 32 bytes.
  static var isBoxed: UInt32 { 2 }
  /// The value takes two to four words.
  static var isLong: UInt32 { 4 }
  /// A second thread has read the node.
  static var isShared: UInt32 { 8 }
  /// The node has handlers. Of a source it is changed under the source's lock, of a computed node under the publication lock.
  static var isWatched: UInt32 { 16 }
  static var ended: UInt { .max }

  init(_ body: Body) {
    let isSource = body.isSource
    number = Word(isSource ? 1 : 0)
    staledAt = Word(isSource ? 0 : 1)
    flags = Atomic(
      (isSource ? Node.isSource : 0) | (body.isBoxed ? Node.isBoxed : 0) | (body.words > 1 ? Node.isLong : 0))
    self.body = .passRetained(body)
  }
}

extension NodePointer {
  @inline(__always)
  func has(_ flag: UInt32) -> Bool { pointee.flags.load(ordering: .relaxed) & flag != 0 }
  @inline(__always)
  func add(_ flag: UInt32) { pointee.flags.bitwiseOr(flag, ordering: .sequentiallyConsistent) }
  func remove(_ flag: UInt32) { pointee.flags.bitwiseAnd(~flag, ordering: .sequentiallyConsistent) }

  /// Acquires what the publication, or the commit that unlocked a source, has written.
  @inline(__always)
  var isValid: Bool {
    let validFor = pointee.validFor.load(ordering: .acquiring)
    return validFor == pointee.staledAt.load(ordering: .acquiring)
  }
  // A link is complete before its address is stored: release and acquire.
  @inline(__always)
  var firstSub: LinkPointer? { LinkPointer(bitPattern: pointee.subs.load(ordering: .acquiring)) }
  @inline(__always)
  var firstDep: LinkPointer? { LinkPointer(bitPattern: pointee.deps.load(ordering: .acquiring)) }

  // MARK: References

  /// A handle, a link, or a read that is to become a link holds a reference. The caller has one, so none is ordered.
  @inline(__always)
  func retain() { pointee.references.wrappingAdd(1, ordering: .relaxed) }
  /// For a caller without a reference, which a write section or a pin protects from reclamation. False: the node is being destroyed.
  func retainIfAlive() -> Bool {
    var count = pointee.references.load(ordering: .relaxed)
    while count != 0 {
      let (isDone, found) = pointee.references.compareExchange(expected: count, desired: count &+ 1, ordering: .relaxed)
      if isDone { return true }
      count = found
    }
    return false
  }
  /// True if that was the last one: the caller destroys the node.
  @inline(__always)
  func release() -> Bool {
    pointee.references.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  // MARK: Locks

  /// Guards publication, and the links to what the node has read. Taken before a link lock.
  var publicationLock: ParkingLockPointer {
    @inline(__always) get { UnsafeMutableRawPointer(self + 1).assumingMemoryBound(to: ParkingLock.self) }
  }
  /// Guards the list of dependents, and the retained versions. Taken last.
  var linkLock: ParkingLockPointer { @inline(__always) get { publicationLock + 1 } }
}

typealias LinkPointer = UnsafeMutablePointer<Link>

/// `sub` has read the version `number` of `dep`. The link holds a reference to `dep`.
struct Link: ~Copyable {
  let dep: NodePointer
  let sub: NodePointer
  let number: Word
  let nextDep = Word(0)
  let nextSub: Word
  /// Under the link lock of `dep`.
  let previousSub = Word(0)

  init(_ sub: NodePointer, reads dep: NodePointer, _ number: UInt) {
    (self.dep, self.sub) = (dep, sub)
    self.number = Word(number)
    nextSub = Word(0)
  }
}

extension LinkPointer {
  @inline(__always)
  var nextSub: LinkPointer? { LinkPointer(bitPattern: pointee.nextSub.load(ordering: .acquiring)) }
  @inline(__always)
  var nextDep: LinkPointer? { LinkPointer(bitPattern: pointee.nextDep.load(ordering: .acquiring)) }
}
