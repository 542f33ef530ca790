import Synchronization

/// The right to deliver, and the handlers there were when it was given.
@usableFromInline
struct Claim: BitwiseCopyable {
  let table: UInt
  let count: Int
}

/// The handlers of one event: added, cancelled and paused from any thread, while others deliver.
///
/// Knows slots and places, nothing of values. Writers hold the lock and *return* what is to be let go or called; that
/// happens outside. Deliverers take no lock: they read the table, see `Delivery.swift`.
package class HandlerList: Origin, @unchecked Sendable {  // atomics, and a state under its lock
  struct State {
    var trash = Trash()
    /// Immediate: what waits for the epoch before to run empty; `trash` waits for the next turn.
    var resting = Trash()
    var queue: Ring
    var cycles = CycleGuard()
    var pending = PendingActivations()
    /// Each waits until so many queued values have been delivered.
    var drains: [(turn: Int, ticket: Ticket)] = []
    /// The event is gone or finished; its handlers go when the last value has been delivered.
    var closing = false
    /// No value and no handler is taken any more: the event is finished.
    var isFinished = false
    var hasReportedFinish = false
    /// Queues of handlers that ended with the event, and deliver what they have.
    var retiring: [Outlet] = []
    /// Its node has given it up while it was being told.
    var isOrphan = false

    /// Something waits for the deliverer, who is to come by once more.
    var hasMore: Bool { !queue.isEmpty || !pending.isEmpty || !drains.isEmpty || closing || isOrphan }
    /// No value waits, and none that waited is being delivered; under the lock.
    mutating func becameIdle() { cycles.reset() }
  }
  final let word = Atomic<UInt>(0)
  final let table = Atomic<UInt>(0)
  /// Handlers alive, paused and pending ones included; less `finished` when the event is finished, so that an emit tests one
  /// word. Written under the lock.
  final let live = Atomic<Int>(0)
  static var finished: Int { Int.max / 2 }
  final var isUnheard: Bool { live.load(ordering: .relaxed) <= 0 }
  final var liveCount: Int {
    let live = live.load(ordering: .relaxed)
    return live < 0 ? live + Self.finished : live
  }
  /// Where a claimed change of a derived value waits until it is told; for lists of the handlers of values.
  @exclusivity(unchecked) final var pending: UnsafeMutableRawPointer!
  @exclusivity(unchecked) final var isPendingPlain = false
  final let state: Lock<State>
  private final let ownNoun: String
  override final var noun: String { ownNoun }

  init(
    _ queue: Ring, _ label: String?, _ policy: DeliveryPolicy, _ depth: Int?, _ file: StaticString, _ line: UInt,
    noun: String
  ) {
    state = Lock(State(queue: queue))
    self.ownNoun = noun
    super.init(label, policy, depth, file, line)
  }
  deinit {
    clear(closingQueues: false)
    current?.free()
  }

  /// Under the lock, or when nobody else is left.
  final var current: Table? { Table(bits: table.load(ordering: .relaxed)) }

  // MARK: Adding

  @inline(__always)
  final func add(_ slot: Slot, for subscription: Subscription) {
    enter(slot, for: subscription).dispose()
  }
  /// Gives back what is to be let go, for a caller that holds another lock.
  final func enter(_ slot: Slot, for subscription: Subscription) -> Trash {
    let entry = UInt(bitPattern: Unmanaged.passRetained(slot).toOpaque()) | slot.mark
    return state.withLock { state in
      var trash = Trash()
      if state.isFinished {
        slot.outlet?.retire()
        trash.add(slot: Self.slot(of: entry))
        return trash
      }
      slot.link.store(UInt(bitPattern: Unmanaged.passUnretained(subscription).toOpaque()), ordering: .relaxed)
      subscription.registration.state.store(entry, ordering: .relaxed)
      if subscription.registration.isOwned { _ = Unmanaged.passRetained(subscription) }
      live.store(live.load(ordering: .relaxed) + 1, ordering: .relaxed)
      if state.queue.isEmpty, state.pending.isEmpty {
        place(entry, subscription.registration, &state, &trash)
      } else {
        // What waits was emitted before: a new handler waits behind it.
        let number = state.pending.append(.passRetained(slot), turn: state.queue.pushed, isNew: true)
        subscription.registration.setEntrance(number)
      }
      return trash
    }
  }

  /// Appends in place: a deliverer has read the count before, and does not come this far.
  final func place(
    _ entry: UInt, _ registration: borrowing Registration, _ state: inout State, _ trash: inout Trash
  ) {
    if current.map({ $0.count == $0.capacity }) ?? true { rebuild(&state, &trash) }
    let table = current!
    registration.place.store(Int32(table.count), ordering: .relaxed)
    table.append(entry)
  }

  /// Copies what lives into a table with room, publishes it, retires the old one.
  ///
  /// Also names the handlers whose owner may have gone: an event that is never emitted would otherwise collect those of
  /// all the objects that ever observed it.
  final func rebuild(_ state: inout State, _ trash: inout Trash) {
    let new = Table(capacity: max(4, liveCount * 2))
    let old = current
    if let old {
      for index in 0..<old.count where old[index] != Table.blank {
        Self.registration(of: old[index]) {
          $0.place.store(Int32(new.count), ordering: .relaxed)
          if $0.isOwned {
            Self.slot(of: old[index])._withUnsafeGuaranteedRef { $0.ending.map { trash.add(ending: $0) } }
          }
        }
        new.append(old[index])
      }
    }
    table.store(new.bits, ordering: .releasing)
    guard let old else { return }
    if isUnseen(telling: Word.more) {
      trash.add(table: old)
    } else {
      state.trash.add(table: old)
      turnEpoch(&state, &trash)
    }
  }

  static func slot(of entry: UInt) -> Unmanaged<Slot> {
    .fromOpaque(Table.slot(of: entry))
  }
  @inline(__always)
  static func registration<R>(of entry: UInt, _ body: (borrowing Registration) -> R) -> R {
    slot(of: entry)._withUnsafeGuaranteedRef { slot in
      slot.subscription!._withUnsafeGuaranteedRef { body($0.registration) }
    }
  }

  // MARK: Claiming

  /// The delivery for the caller, if nobody delivers: with the handlers there are now.
  @inline(__always)
  final func claim() -> Claim? {
    guard word.compareExchange(expected: 0, desired: Word.delivering, ordering: .acquiring).exchanged else {
      return nil
    }
    return claimed()
  }
  /// Gives the delivery up, unless something waits for the deliverer.
  @inline(__always)
  final func stopDelivering() -> Bool {
    word.compareExchange(
      expected: Word.delivering, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
  }
  /// Delivers what waits, then gives the delivery up.
  func deliverRest(_ here: (any Actor)?) {}
  /// For who has the claim: the same with the handlers there are now.
  final func claimed() -> Claim {
    guard let table = Table(bits: table.load(ordering: .acquiring)) else { return Claim(table: 0, count: 0) }
    return Claim(table: table.bits, count: table.count)
  }

  // For lists of the handlers of values; the graph calls them under its lock.

  /// Claims, or queues the change between two records. `moving` makes `new` what `old` is.
  func queue(_ old: RecordPointer, _ new: RecordPointer, moving: Bool, depth: Int) -> Claim? { nil }
  /// Announces the change that waits at `pending`.
  func preparePending(_ passage: Passage) {}
  /// Tells the change that waits at `pending`.
  func deliverPending(_ claim: Claim, _ here: (any Actor)?) {}
  /// The part of it that knows the type: calls a handler without an actor.
  func callPending(_ slot: UnsafeRawPointer) {}
  /// The value has gone.
  func leave() {}
  // MARK: Taking out

  /// Under the lock, after taking something out: true when no deliverer can still see it; else they are told.
  final func isUnseen(telling flags: UInt) -> Bool {
    var seen = word.load(ordering: .relaxed)
    while true {
      let isSerial = policy == .serial
      let busy = isSerial ? seen & Word.delivering != 0 : Word.hasReaders(seen)
      let result = word.compareExchange(
        expected: seen, desired: busy && isSerial ? seen | flags : seen, ordering: .acquiringAndReleasing)
      if result.exchanged { return !busy }
      seen = result.original
    }
  }

  /// The last handler has gone; another may have come since.
  func emptied() {}

  /// Under the lock: the entries of all handlers alive, in their order.
  final func entries(_ state: borrowing State) -> [UInt] {
    var entries: [UInt] = []
    if let table = current {
      for index in 0..<table.count where table[index] != Table.blank { entries.append(table[index]) }
    }
    for slot in state.pending.newSlots {
      slot._withUnsafeGuaranteedRef { slot in
        slot.subscription?._withUnsafeGuaranteedRef {
          entries.append($0.registration.state.load(ordering: .relaxed))
        }
      }
    }
    return entries
  }
}
