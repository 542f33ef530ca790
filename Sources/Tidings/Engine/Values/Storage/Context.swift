// What one thread is doing with values. Touched by that thread alone, except for its pin: the snapshot and the links to the pins
// before and after it are read, and the links are written, by other threads under the lock of the graph.

@usableFromInline typealias ContextPointer = UnsafeMutablePointer<Context>

@usableFromInline
struct Context: ~Copyable {
  /// First: `CausalScope.current` finds it at the address of the context.
  var scope: CausalScope
  /// What the code of clients uses. One stored property: each one that clients can see is four functions of every client. Its parts
  /// are named where they are used: through computed properties each use is a copy on the stack in a debug build.
  ///
  /// - `quick`: The snapshot while a closure is being computed there, reads are noted, and nothing is out of the ordinary: a value
  ///   that has a version there is read without further question. Else 0.
  /// - `graph`: The address of the graph in which this thread is pinned, or was last, or of one that was merged into that.
  /// - `snapshot`: The snapshot at which this thread is pinned; 0 when it is not.
  /// - `readEnd`, `readLimit`: The end of what has been read, and of the room for it.
  /// - `notifying`: How many rounds of notifying are under way, one inside the other. The outermost one notifies what the others
  ///   leave.
  /// - `isInTransaction`: A transaction is under way on this thread.
  /// - `needsCare`: A `set` is more than a commit: it belongs to a transaction, or is made by the closure of an `update`.
  @usableFromInline
  var seen:
    (
      quick: UInt, graph: UInt, snapshot: UInt, readEnd: UnsafeMutablePointer<Read>,
      readLimit: UnsafeMutablePointer<Read>, notifying: Int, isInTransaction: Bool, needsCare: Bool
    )
  /// What has been read by the computations under way, each part after an entry without a node, where a search from the end stops.
  var reads: UnsafeMutablePointer<Read>

  /// A closure is being computed, and not inside `untracked`.
  var isTracking: Bool {
    didSet { seen.quick = isTracking && !isSpecial ? seen.snapshot : 0 }
  }
  /// Values of this thread alone, for the pin under way.
  private(set) var overlay: SnapshotOverlay
  /// Reads see what the transaction under way has written.
  var isOverlaid: Bool {
    didSet { isSpecial = isOverlaid || !overlay.isEmpty }
  }
  /// A version at the snapshot is not all there is to a value.
  private(set) var isSpecial: Bool {
    didSet { if isSpecial { seen.quick = 0 } }
  }

  var validationStack: RawStack<ValidationFrame>
  /// What this thread is to notify.
  var notifications: NotificationQueue
  /// What it is to destroy.
  var destruction: DestructionQueue
  /// Where a plain result is stored from the end of its computation until it is published, and what a source is set to until it is
  /// committed: of a thread never more than one.
  @usableFromInline let scratch: VersionPointer
  var memory: SpareMemory
  /// Where other threads see the snapshot.
  let announcement: AnnouncementPointer

  /// Under the lock of the graph in which this thread is pinned: the number of the pin, and its place in the list of pins,
  /// oldest first.
  var pin: (number: UInt, previous: ContextPointer?, next: ContextPointer?)

  /// The transaction under way.
  var writeLog: WriteLogPointer? {
    didSet {
      seen.isInTransaction = writeLog != nil
      scope.isInTransaction = seen.isInTransaction
      seen.needsCare = seen.isInTransaction || !updates.isEmpty
    }
  }
  /// The updates whose closures are being run again, and whether the closure itself has written the value.
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
  /// Whether this thread has the turn, and the nodes that it has reserved, each with a reference.
  var turn: (isHeld: Bool, nodes: RawStack<NodePointer>)

  /// Neither in a computation nor in a transaction.
  @_alwaysEmitIntoClient var isPlain: Bool { seen.snapshot == 0 && !seen.isInTransaction }

  /// What a computation read, and which version of it.
  @usableFromInline struct Read {
    @usableFromInline let node: NodePointer?
    @usableFromInline let number: UInt
    @_alwaysEmitIntoClient init(node: NodePointer?, number: UInt) {
      self.node = node
      self.number = number
    }
  }

  /// Instead of a version: a value of this pin alone, computed in a cycle or in a transaction; what a value in a cycle was before;
  /// and a value that is right for the snapshot and no node's, since another thread has published a later one. Never written on a
  /// link, where 0 means each: so no link ever matches one.
  static var ofPin: UInt { .max - 1 }
  static var inCycle: UInt { .max }
  static var ofSnapshot: UInt { .max - 2 }

  /// A node on the validation stack: what it depends on must be known first.
  struct ValidationFrame {
    let node: NodePointer
    let link: LinkPointer
    let generation: UInt32
  }

  init() {
    scope = CausalScope(transactions: Transaction.self)
    reads = .allocate(capacity: 16)
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

  /// This thread's.
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

  /// Gives back an own version that this replaces.
  mutating func remember(_ entry: SnapshotOverlay.Entry, for node: NodePointer) -> VersionPointer? {
    isSpecial = true
    return overlay.keep(entry, for: node)
  }
  mutating func forget(_ node: NodePointer) -> VersionPointer? {
    defer { isSpecial = isOverlaid || !overlay.isEmpty }
    return overlay.forget(node)
  }
  /// The values that were computed inside a cycle.
  mutating func forgetPrivate(but head: NodePointer) -> [(node: NodePointer, version: VersionPointer)] {
    defer { isSpecial = isOverlaid || !overlay.isEmpty }
    return overlay.takePrivate(but: head)
  }
  /// Gives back the versions of its own.
  mutating func forgetAll() -> [(node: NodePointer, version: VersionPointer)] {
    isSpecial = isOverlaid
    return overlay.takeAll()
  }
}

private func destroyContext(_ context: UnsafeMutableRawPointer) {
  Context.destroy(context.assumingMemoryBound(to: Context.self))
}
