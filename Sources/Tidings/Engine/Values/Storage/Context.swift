// The state of one thread that uses values. Only that thread accesses it, except for its pin. Under the lock of the graph, other
// threads read the snapshot, and read and write the links to the pins before and after it.

@usableFromInline typealias ContextPointer = UnsafeMutablePointer<Context>

@usableFromInline
struct Context: ~Copyable {
  /// First: `CausalScope.current` finds it at the address of the context.
  var scope: CausalScope
  /// The fields that inlined code of clients uses. They are one stored property, because each property that clients can see adds
  /// four functions to every client. Code names the parts directly: in a debug build, each use through a computed property is a
  /// copy on the stack.
  ///
  /// - `quick`: The snapshot, while a closure is being computed there, reads are noted, and `isSpecial` is false. A value that has
  ///   a version at that snapshot is then read without further checks. Else 0.
  /// - `graph`: The address of the graph in which this thread is pinned, or was last, or of one that was merged into that.
  /// - `snapshot`: The snapshot at which this thread is pinned; 0 when it is not.
  /// - `readEnd`, `readLimit`: The end of the noted reads, and the end of their memory.
  /// - `notifying`: How many nested notifications are under way. The outermost one delivers the notifications that the others
  ///   leave.
  /// - `isInTransaction`: A transaction is under way on this thread.
  /// - `needsCare`: A `set` is more than a commit: it belongs to a transaction, or is made by the closure of an `update`.
  @usableFromInline
  var seen:
    (
      quick: UInt, graph: UInt, snapshot: UInt, readEnd: UnsafeMutablePointer<Read>,
      readLimit: UnsafeMutablePointer<Read>, notifying: Int, isInTransaction: Bool, needsCare: Bool
    )
  /// The reads of the computations under way. An entry without a node comes before the reads of each computation: a search from the
  /// end stops there.
  var reads: UnsafeMutablePointer<Read>
  /// How often a closure has read what the transaction under way has written. Such a read is no link, so it is not among `reads`.
  var readsOfOwnWrites: UInt

  /// A closure is being computed, and not inside `untracked`.
  var isTracking: Bool {
    didSet { seen.quick = isTracking && !isSpecial ? seen.snapshot : 0 }
  }
  /// Values of this thread alone, for the pin under way.
  private(set) var overlay: SnapshotOverlay
  /// Reads see the writes of the transaction under way.
  var isOverlaid: Bool {
    didSet { isSpecial = isOverlaid || !overlay.isEmpty }
  }
  /// Reads must also consult the overlay or the write log.
  private(set) var isSpecial: Bool {
    didSet { if isSpecial { seen.quick = 0 } }
  }

  var validationStack: RawStack<ValidationFrame>
  /// The notifications that this thread is to deliver.
  var notifications: NotificationQueue
  /// The objects that this thread is to destroy.
  var destruction: DestructionQueue
  /// Holds a plain result from the end of its computation until it is published, and the new value of a source until it is
  /// committed. A thread never has more than one of these at a time.
  @usableFromInline let scratch: VersionPointer
  var memory: SpareMemory
  /// Shows the snapshot to other threads.
  let announcement: AnnouncementPointer

  /// The number of the pin, and its neighbours in the list of pins, oldest first. Protected by the lock of the graph in which this
  /// thread is pinned.
  var pin: (number: UInt, previous: ContextPointer?, next: ContextPointer?)

  /// The transaction under way.
  var writeLog: WriteLogPointer? {
    didSet {
      seen.isInTransaction = writeLog != nil
      scope.isInTransaction = seen.isInTransaction
      seen.needsCare = seen.isInTransaction || !updates.isEmpty
    }
  }
  /// The updates whose closures are being run again, each with whether the closure itself has written the value.
  private var updates: RawStack<Update>
  private struct Update: BitwiseCopyable {
    let node: NodePointer
    var isWritten = false
  }
  mutating func beginUpdate(_ node: NodePointer) {
    updates.push(Update(node: node))
    seen.needsCare = true
  }
  /// True if its own closure wrote the value.
  mutating func endUpdate() -> Bool {
    let isWritten = updates.pop().isWritten
    seen.needsCare = seen.isInTransaction || !updates.isEmpty
    return isWritten
  }
  /// The closure of an update is being run again.
  var isUpdating: Bool { !updates.isEmpty }
  mutating func noteWrite(to node: NodePointer) {
    for index in 0..<updates.count where updates[index].node == node { updates[index].isWritten = true }
  }
  /// Whether this thread has the writers' turn, and the nodes that it has reserved, each with a reference.
  var turn: (isHeld: Bool, nodes: RawStack<NodePointer>)

  /// The thread is in no computation and in no transaction.
  @_alwaysEmitIntoClient var isPlain: Bool { seen.snapshot == 0 && !seen.isInTransaction }

  /// A node that a computation read, and the number of the version that it read.
  @frozen @usableFromInline struct Read {
    @usableFromInline let node: NodePointer?
    @usableFromInline let number: UInt
    @_alwaysEmitIntoClient init(node: NodePointer?, number: UInt) {
      self.node = node
      self.number = number
    }
  }

  /// Numbers for values that have no version. `ofPin`: a value of this pin alone, computed in a cycle or in a transaction.
  /// `inCycle`: the value that a value in a cycle had before. `ofSnapshot`: a value that is right for the snapshot but belongs to
  /// no node, because another thread has published a later one. A link stores 0 instead of each of them, so no link ever matches
  /// one.
  static var ofPin: UInt { .max - 1 }
  static var inCycle: UInt { .max }
  static var ofSnapshot: UInt { .max - 2 }

  /// A node on the validation stack, which waits until its dependency is known.
  struct ValidationFrame {
    let node: NodePointer
    let link: LinkPointer
    let generation: UInt32
  }

  init() {
    scope = CausalScope(transactions: Transaction.self)
    reads = .allocate(capacity: 16)
    readsOfOwnWrites = 0
    seen = (0, 0, 0, reads, reads + 16, 0, false, false)
    isTracking = false
    overlay = SnapshotOverlay()
    isOverlaid = false
    isSpecial = false
    validationStack = RawStack<ValidationFrame>()
    notifications = NotificationQueue()
    destruction = DestructionQueue()
    scratch = SpareMemory.newScratch()
    memory = SpareMemory()
    announcement = Announcement.take()
    pin = (0, nil, nil)
    updates = RawStack<Update>()
    turn = (false, RawStack<NodePointer>())
  }

  /// The context of this thread; made when first needed.
  @_alwaysEmitIntoClient @inline(__always)
  static var current: ContextPointer {
    keptContext().map { $0.assumingMemoryBound(to: Context.self) } ?? make()
  }
  @_alwaysEmitIntoClient @inline(__always)
  static var currentIfAny: ContextPointer? { keptContext().map { $0.assumingMemoryBound(to: Context.self) } }

  @usableFromInline @inline(never)
  static func make() -> ContextPointer {
    let context = ContextPointer.allocate(capacity: 1)
    context.initialize(to: Context())
    keepContext(context, until: destroyContext)
    return context
  }

  fileprivate static func destroy(_ context: ContextPointer) {
    context.pointee.validationStack.free()
    context.pointee.notifications.free()
    context.pointee.updates.free()
    context.pointee.turn.nodes.free()
    context.pointee.destruction.free()
    context.pointee.memory.free()
    Announcement.giveBack(context.pointee.announcement)
    context.pointee.reads.deallocate()
    context.pointee.scratch.deallocate()
    context.deinitialize(count: 1)
    context.deallocate()
  }

  // MARK: SnapshotOverlay

  /// Stores a value for this pin. Returns the version of the overlay that it replaces, if any.
  mutating func remember(_ entry: SnapshotOverlay.Entry, for node: NodePointer) -> VersionPointer? {
    isSpecial = true
    return overlay.keep(entry, for: node)
  }
  mutating func forget(_ node: NodePointer) -> VersionPointer? {
    defer { isSpecial = isOverlaid || !overlay.isEmpty }
    return overlay.forget(node)
  }
  /// Removes and returns the values that were computed inside a cycle, except that of `head`.
  mutating func forgetPrivate(but head: NodePointer) -> [(node: NodePointer, version: VersionPointer)] {
    defer { isSpecial = isOverlaid || !overlay.isEmpty }
    return overlay.takePrivate(but: head)
  }
  /// Puts the values of this pin aside, so that reads see what all threads see at the snapshot: nothing of the transaction under
  /// way.
  mutating func putOverlayAside() -> SnapshotOverlay {
    let aside = overlay
    overlay = SnapshotOverlay()
    isOverlaid = false
    return aside
  }
  /// Removes and returns the versions that came meanwhile.
  mutating func takeOverlayBack(_ aside: SnapshotOverlay) -> [(node: NodePointer, version: VersionPointer)] {
    let own = overlay.takeAll()
    overlay = aside
    isOverlaid = true
    return own
  }
  /// Removes and returns all versions of the overlay.
  mutating func forgetAll() -> [(node: NodePointer, version: VersionPointer)] {
    isSpecial = isOverlaid
    return overlay.takeAll()
  }
}

private func destroyContext(_ context: UnsafeMutableRawPointer) {
  Context.destroy(context.assumingMemoryBound(to: Context.self))
}
