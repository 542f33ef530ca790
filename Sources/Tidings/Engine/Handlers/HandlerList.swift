import Synchronization

/// The handlers of one event: added, cancelled and paused from any thread, while others deliver.
///
/// It knows slots and places and no type of payload; `Delivery` does. Writers hold the lock and *return* what is to be released
/// or called, which happens outside. Delivering threads take no lock: they read the table.
package class HandlerList: CausalSource, @unchecked Sendable {  // atomics, and a state under its lock
  struct State: ~Copyable {
    /// Objects that were removed, and that a delivering thread may still see.
    var retired = RetiredObjects()
    var serial: SerialState
    var immediate = ImmediateState()
    /// The event is deinitialized or finished; its handlers end when the last value has been delivered.
    var closing = false
    /// No value and no handler is accepted any more: the event is finished.
    var isFinished = false
    var hasReportedFinish = false
    /// Queues of handlers that have ended, and relays, that still deliver what they hold.
    var retiring: [Endpoint] = []
    /// Its only owner has given it up while handlers were being notified.
    var isOrphan = false

    /// Something waits for the delivering thread, which is to look once more.
    var hasMore: Bool { serial.hasMore || closing || isOrphan }
  }
  final let policy: DeliveryPolicy
  private final let ownKind: StaticString
  override final var kind: StaticString { ownKind }
  final let word: Atomic<UInt>
  final let table: Atomic<UInt>
  /// The number of live handlers, paused and pending ones included; less `finished` when the event is finished, so that an
  /// emit tests one word. Written under the lock.
  final let live: Atomic<Int>
  /// How many values were delivered, for an observer of objects. No step of a delivery depends on it, so it is none for the
  /// interleaving explorer.
  final let delivered: Synchronization.Atomic<UInt>
  /// By the thread that delivers, and by no other: one instruction, less than to ask whether there is an observer.
  @inline(__always)
  final func countDelivery() { delivered.store(delivered.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
  /// Counts a delivery where several threads may deliver simultaneously. It counts only for an observer, which knows no list that
  /// was made before the observer was installed.
  /// bench: ask a hook, −7 % time
  @inline(__always)
  final func countOverlapping() { if ObjectObservation.isOn { delivered.wrappingAdd(1, ordering: .relaxed) } }
  static var finished: Int { Int.max / 2 }
  final var hasNoHandlers: Bool { live.load(ordering: .relaxed) <= 0 }
  final var isFinished: Bool { live.load(ordering: .relaxed) < 0 }
  final var liveCount: Int {
    let live = live.load(ordering: .relaxed)
    return live < 0 ? live + Self.finished : live
  }
  /// The address of a payload, stored by code that does not know its type, between the claim and the delivery; and whether
  /// destroying the payload is a no-op. It is used by a list that is notified of values stored elsewhere.
  @exclusivity(unchecked) final var inbox: UnsafeMutableRawPointer!
  @exclusivity(unchecked) final var isInboxPlain: Bool
  final let state: Lock<State>

  @inline(never)
  init(_ queue: RawRingBuffer, _ identity: consuming EventIdentity, _ policy: DeliveryPolicy, _ kind: StaticString) {
    self.policy = policy
    ownKind = kind
    // Beside the declarations each is an exported function.
    word = Atomic(0)
    table = Atomic(0)
    live = Atomic(0)
    delivered = Synchronization.Atomic(0)
    isInboxPlain = false
    state = Lock(State(serial: SerialState(queue)))
    super.init(identity)
  }
  deinit {
    clear(closingQueues: false)
    current?.free()
  }

  /// Under the lock, or when no other thread has a reference.
  final var current: Table? { Table(bits: table.load(ordering: .relaxed)) }

  // MARK: Adding

  /// - Parameters:
  ///   - slot: Retained, and the list's from now on.
  ///   - owned: The list keeps the token: it may be dropped.
  final func add(_ slot: Unmanaged<Slot>, for subscription: Subscription, owned: Bool = false) {
    enter(slot, for: subscription, owned: owned).dispose()
  }
  /// Returns what is to be released, for a caller that holds another lock.
  @inline(__always)
  final func enter(
    _ slot: Unmanaged<some Slot>, for subscription: Subscription, owned: Bool = false
  ) -> RetiredObjects {
    let entry = UInt(bitPattern: slot.toOpaque()) | slot._withUnsafeGuaranteedRef { $0.tag }
    return state.withLock { state in
      if state.isFinished { return Self.retire(Self.slot(of: entry)) }
      let token = UInt(bitPattern: Unmanaged.passUnretained(subscription).toOpaque())
      // relaxed: another thread finds the slot by the table's count or under the lock, and receives the token from the caller.
      slot._withUnsafeGuaranteedRef { $0.link.store(token, ordering: .relaxed) }
      // relaxed: for the same reasons.
      subscription.registration.state.store(entry, ordering: .relaxed)
      if owned { Self.own(subscription) }
      live.store(live.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
      var retired = RetiredObjects()
      // While no thread delivers nothing waits. bench: subscribe + cancel
      if word.load(ordering: .relaxed) == 0 || state.serial.queue.isEmpty && state.serial.activations.isEmpty {
        place(entry, subscription.registration, &state, &retired)
      } else {
        // The queued values were emitted before: a new handler is activated after them.
        let number = state.serial.activations.append(
          Self.slot(of: entry).retain(), turn: state.serial.queue.pushed, isNew: true)
        subscription.registration.setActivation(number)
      }
      return retired
    }
  }
  /// Under the lock: the list keeps the token.
  @inline(never)
  static func own(_ subscription: Subscription) {
    subscription.registration.setOwned()
    _ = Unmanaged.passRetained(subscription)
  }
  /// Retires the slot of a handler that is added after the event has finished.
  @inline(never)
  private static func retire(_ slot: Unmanaged<Slot>) -> RetiredObjects {
    slot._withUnsafeGuaranteedRef { $0.endpoint?.retire() }
    var retired = RetiredObjects()
    retired.add(slot: slot)
    return retired
  }

  /// Appends in place: a delivering thread has read the count before, and does not reach the new entry.
  final func place(
    _ entry: UInt, _ registration: borrowing Registration, _ state: inout State, _ retired: inout RetiredObjects
  ) {
    if current?.append(entry, for: registration) ?? false { return }
    rebuild(&state, &retired)
    _ = current.unsafelyUnwrapped.append(entry, for: registration)
  }

  /// Copies the live entries into a table with spare capacity, publishes it, retires the old one.
  ///
  /// Also collects the handlers whose owner may have been deinitialized: an event that is never emitted would otherwise
  /// collect those of all the objects that ever observed it.
  @_optimize(size)
  final func rebuild(_ state: inout State, _ retired: inout RetiredObjects) {
    let new = Table(capacity: max(4, liveCount * 2))
    let old = current
    if let old {
      for index in 0..<old.count where old[index] != Table.blank {
        Self.registration(of: old[index]) {
          _ = new.append(old[index], for: $0)
          if $0.isOwned {
            Self.slot(of: old[index])._withUnsafeGuaranteedRef {
              $0.selfCancellation.map { retired.add(selfCancellation: $0) }
            }
          }
        }
      }
    }
    table.store(new.bits, ordering: .releasing)
    guard let old else { return }
    if isUnseen(flagging: StateWord.more) {
      retired.add(table: old)
    } else {
      state.retired.add(table: old)
      turnEpoch(&state, &retired)
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

  /// The delivery for the caller, if no thread delivers: with the handlers there are now.
  @inline(__always)
  final func claim() -> Claim? {
    guard word.compareExchange(expected: 0, desired: StateWord.delivering, ordering: .acquiring).exchanged else {
      return nil
    }
    return claimed()
  }
  /// Gives the delivery up, unless something waits for the deliverer.
  @inline(__always)
  final func stopDelivering() -> Bool {
    word.compareExchange(
      expected: StateWord.delivering, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
  }
  /// For a caller that holds the claim: the same with the handlers there are now.
  final func claimed() -> Claim {
    guard let table = Table(bits: table.load(ordering: .acquiring)) else { return Claim(table: 0, count: 0) }
    return Claim(table: table.bits, count: table.count)
  }

  // `Delivery` overrides these functions for callers that do not know the type of the payload.

  /// Claims the delivery, or queues the payload that `make` puts at an address.
  func claim(orQueue make: (UnsafeMutableRawPointer) -> Void, depth: Int, postponing: Bool) -> QueueingClaim { .queued }
  /// Delivers what waits in the queue, then gives the delivery up.
  func deliverRest(_ here: (any Actor)?) {}
  /// Prepares the delivery of the payload in the inbox.
  func prepareInbox(_ context: DeliveryContext) {}
  /// Delivers the payload in the inbox, then gives the delivery up.
  func deliverInbox(_ claim: Claim, _ here: (any Actor)?) {}
  /// Calls a handler without an actor with the payload in the inbox.
  func callWithInbox(_ slot: UnsafeRawPointer) {}
  /// Disconnects the list from its notifier, which is being destroyed. Returns the address by which the list knew the notifier.
  func leave() -> UnsafeMutableRawPointer? { nil }

  /// Ends the handlers of a notifier that has nothing more to notify them of. What was accepted is still delivered.
  func end() {}

  // MARK: Taking out

  /// Under the lock, after removing something: true when no delivering thread can still see it; otherwise that thread is
  /// flagged.
  final func isUnseen(flagging flags: UInt) -> Bool {
    var seen = word.load(ordering: .relaxed)
    while true {
      let isSerial = policy == .serial
      let busy = isSerial ? seen & StateWord.delivering != 0 : StateWord.hasReaders(seen)
      let result = word.compareExchange(
        expected: seen, desired: busy && isSerial ? seen | flags : seen, ordering: .acquiringAndReleasing)
      if result.exchanged { return !busy }
      seen = result.original
    }
  }

  /// The last handler has ended; another may have been added since.
  func emptied() {}

  /// Under the lock: the entries of all handlers alive, in their order.
  final func entries(_ state: borrowing State) -> [UInt] {
    var entries: [UInt] = []
    if let table = current {
      for index in 0..<table.count where table[index] != Table.blank { entries.append(table[index]) }
    }
    for slot in state.serial.activations.newSlots {
      slot._withUnsafeGuaranteedRef { slot in
        slot.subscription?._withUnsafeGuaranteedRef {
          entries.append($0.registration.state.load(ordering: .relaxed))
        }
      }
    }
    return entries
  }
}
