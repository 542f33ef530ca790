import Synchronization

/// The delivering side of an event: one thread at a time (serial), or whoever emits (immediate).
///
/// Invariants. Only who holds `delivering` reads tables and slots and posts to queues. Whatever waits, in the queue or to
/// be let go, has `more` set, so leaving by compare-exchange fails. A slot is let go by a writer that found the event
/// unseen after unlinking, or by the deliverer between two calls; a retired table, between two values. No user code runs
/// under the lock.
package class Delivery<Payload: Sendable>: HandlerList, @unchecked Sendable {  // as its base
  /// After so many values of other emitters a task goes on: one `emit` is not to deliver for all others for ever.
  static var round: Int { 1_024 }
  /// What `HandlerSlot<Payload>.self` is: to name it in unspecialised code is to look it up, a sixth of what adding and
  /// cancelling a handler takes.
  final let plainSlot: HandlerSlot<Payload>.Type

  init(
    _ label: String?, _ policy: DeliveryPolicy, _ depth: Int?, _ file: StaticString, _ line: UInt,
    noun: String = "event"
  ) {
    plainSlot = HandlerSlot<Payload>.self
    super.init(Ring(of: Payload.self), label, policy, depth, file, line, noun: noun)
  }
  deinit { state.withLock { $0.queue.takeAll() }.destroy(Payload.self) }

  @inline(__always)
  final func emit(_ value: Payload, _ passage: Passage) {
    let live = live.load(ordering: .relaxed)
    if live <= 0 {
      if live < 0 { reportFinished() }
      passage.ticket?.leave()
    } else if Frame.isComputing {
      refuseInComputation(passage)
    } else if policy == .immediate {
      overlap(value, passage)
    } else if word.compareExchange(
      expected: 0, desired: Word.delivering, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged {
      deliverFirst(value, passage)
    } else {
      enqueue(value, passage, depth: Frame.currentDepth + 1)
    }
  }

  /// A value that comes through another event, for whose delivery a task may wait. What passes it on is not its cause, so
  /// it goes no deeper.
  ///
  /// A thread may have taken the value at its source before the handler was paused, and bring it here after the handler has
  /// come back. So the gate is asked when the value has its place in the order of this event: a `resume()` that comes first
  /// has left the gate shut until the source is done with the value, one that comes later passes over what is here.
  final func relay(
    _ value: Payload, _ passage: Passage, depth: Int = Frame.currentDepth, through gate: EndSlot? = nil
  ) {
    if isUnheard { return }
    passage.ticket?.enter()
    if word.compareExchange(expected: 0, desired: Word.delivering, ordering: .acquiring).exchanged {
      deliverFirst(value, passage, depth: depth, through: gate)
    } else {
      enqueue(value, passage, depth: depth, through: gate)
    }
  }

  @inline(__always)
  final func deliverFirst(_ value: Payload, _ passage: Passage, depth: Int = 0, through gate: EndSlot? = nil) {
    if let gate, !gate.isOpen {
      passage.leave()
      return giveUp(passage)
    }
    Frame.push(self, depth: depth) {
      let table = Table(bits: table.load(ordering: .acquiring))
      walk(value, passage, table, table?.count ?? 0)
    }
    if !stopDelivering() { drain(passage.here, depth: depth) }
  }

  /// One value to all handlers. The order of the three steps is the proof that no call begins after `cancel()` and that a
  /// slot is let go between calls only: look at `attend`, take the entry, call.
  @inline(__always)
  final func walk(_ value: Payload, _ passage: Passage, _ table: Table?, _ count: Int) {
    guard let table else { return passage.leave() }
    var index = 0
    while index < count {
      if word.load(ordering: .relaxed) & Word.attend != 0 { attend(table, from: index, to: count) }
      call(table[index], value, passage)
      index &+= 1
    }
    passage.leave()
  }
  @inline(__always)
  final func call(_ entry: UInt, _ value: Payload, _ passage: Passage) {
    if entry & (Table.routed | Table.silent) == 0 {
      Unmanaged<HandlerSlot<Payload>>.fromOpaque(UnsafeRawPointer(bitPattern: entry).unsafelyUnwrapped)
        ._withUnsafeGuaranteedRef { $0.call(value) }
    } else if entry & Table.marks != Table.routed | Table.homed || !callAtHome(entry, value, passage) {
      if entry & Table.silent == 0 {
        Unmanaged<RoutedSlot<Payload>>.fromOpaque(Table.slot(of: entry))
          ._withUnsafeGuaranteedRef { $0.receive(value, passage) }
      }
    }
  }
  /// For one with an actor, not silent: the processor takes marks that are known off with the load.
  @inline(__always)
  private final func callAtHome(_ entry: UInt, _ value: Payload, _ passage: Passage) -> Bool {
    let slot = UnsafeRawPointer(bitPattern: entry &- (Table.routed | Table.homed)).unsafelyUnwrapped
    return Unmanaged<IsolatedSlot<Payload>>.fromOpaque(slot)
      ._withUnsafeGuaranteedRef { $0.call(value, from: passage.home) }
  }

  /// The deliverer, between two calls: lets go of what was cancelled, and looks at the rest of its table again if that is no
  /// longer the one that writers change.
  @inline(never)
  private final func attend(_ walked: Table, from index: Int, to count: Int) {
    let trash = state.withLock { state in
      word.bitwiseAnd(~Word.attend, ordering: .relaxed)
      return state.trash.takeAllButTables()
    }
    if walked.bits != table.load(ordering: .relaxed) {
      for index in index..<count where walked[index] != Table.blank {
        let link = Self.slot(of: walked[index])._withUnsafeGuaranteedRef { $0.link.load(ordering: .relaxed) }
        if link == 0 || link & Slot.paused != 0 { walked[index] = Table.blank }
      }
    }
    trash.dispose()
  }

  /// A value that waited is about to be delivered.
  func prepare(_ value: Payload, _ passage: Passage) {}

  /// For whoever has claimed the delivery: tells those who were there at that moment.
  @inline(__always)
  final func deliver(_ value: Payload, _ passage: Passage, _ claim: Claim) {
    Frame.push(self) { walk(value, passage, Table(bits: claim.table), claim.count) }
    if !stopDelivering() { drain(passage.here) }
  }
  override final func preparePending(_ passage: Passage) {
    prepare(pending.unsafelyUnwrapped.assumingMemoryBound(to: Payload.self).pointee, passage)
  }
  override final func deliverRest(_ here: (any Actor)?) { drain(here) }
  override final func callPending(_ slot: UnsafeRawPointer) {
    lend(pending.unsafelyUnwrapped.assumingMemoryBound(to: Payload.self)) { value in
      Unmanaged<HandlerSlot<Payload>>.fromOpaque(slot)._withUnsafeGuaranteedRef { $0.call(value) }
    }
  }
  override final func deliverPending(_ claim: Claim, _ here: (any Actor)?) {
    let place = pending.unsafelyUnwrapped.assumingMemoryBound(to: Payload.self)
    let passage = Passage(here: here, ticket: nil)
    Frame.push(self) {
      lend(place) { walk($0, passage, Table(bits: claim.table), claim.count) }
      // Before the delivery is given up: who claims it next puts another value there.
      if !isPendingPlain { place.deinitialize(count: 1) }
    }
    if !stopDelivering() { drain(passage.here) }
  }

  /// For whoever has claimed the delivery and has nothing to tell.
  final func giveUp(_ passage: Passage) { if !stopDelivering() { drain(passage.here) } }

  @inline(never)
  private final func refuseInComputation(_ passage: Passage) {
    refuse("emitted")
    passage.leave()
  }
}
