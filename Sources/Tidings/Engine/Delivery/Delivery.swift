import Synchronization

/// The delivering side of an event: one thread at a time (serial), or every thread that emits (immediate).
///
/// The invariants are in `How delivery works`.
package class Delivery<Payload: Sendable>: HandlerList, @unchecked Sendable {  // as its base
  init(_ identity: consuming EventIdentity, _ policy: DeliveryPolicy, kind: StaticString = "event") {
    super.init(RawRingBuffer(of: Payload.self), identity, policy, kind)
  }
  deinit { state.withLock { $0.serial.queue.takeAll() }.destroy(Payload.self) }

  @inline(__always)
  final func emit(_ value: Payload, _ context: DeliveryContext) {
    let live = live.load(ordering: .relaxed)
    if live <= 0 {
      if live < 0 { reportFinished() }
      context.counter?.leave()
    } else if CausalFrame.isRestricted {
      emitRestricted(value, context)
    } else if policy == .immediate {
      overlap(value, context)
    } else if word.compareExchange(
      expected: 0, desired: StateWord.delivering, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged {
      deliverFirst(value, context)
    } else {
      enqueue(value, context, depth: CausalFrame.currentDepth + 1)
    }
  }

  /// A value that comes through another event, for whose delivery a task may wait. The relay is not its cause, so its causal
  /// depth stays the same.
  ///
  /// A thread may have taken the value at its source before the handler was paused, and bring it here after the handler was
  /// resumed. So the gate is asked when the value has its place in the order of this event: a `resume()` before that leaves
  /// the gate closed until the source is done with the value, and one after that skips the value.
  final func relay(
    _ value: Payload, _ context: DeliveryContext, depth: Int = CausalFrame.currentDepth, through gate: GateSlot? = nil,
    canWait: Bool = true
  ) {
    if hasNoHandlers { return }
    context.counter?.enter()
    if canWait, CausalFrame.isRestricted {
      postpone(value, context, depth: depth, through: gate)
    } else if word.compareExchange(expected: 0, desired: StateWord.delivering, ordering: .acquiring).exchanged {
      deliverFirst(value, context, depth: depth, through: gate)
    } else {
      enqueue(value, context, depth: depth, through: gate)
    }
  }

  @inline(__always)
  final func deliverFirst(_ value: Payload, _ context: DeliveryContext, depth: Int = 0, through gate: GateSlot? = nil) {
    if let gate, !gate.isOpen || RevocationCheck.isRevokedHere {
      context.leave()
      return endDelivery(context)
    }
    countDelivery()
    CausalFrame.push(self, depth: depth, as: .delivers(from: gate.map { $0.passing } ?? .none)) {
      let table = Table(bits: table.load(ordering: .acquiring))
      walk(value, context, table, table?.count ?? 0)
    }
    if !stopDelivering() { drain(context.here, depth: depth) }
  }

  /// One value to all handlers. The order of the three steps is the proof that no call begins after `cancel()` and that a slot
  /// is released between calls only: look at `checkpoint`, read the entry, call.
  @inline(__always)
  final func walk(_ value: Payload, _ context: DeliveryContext, _ table: Table?, _ count: Int) {
    guard let table else { return context.leave() }
    var index = 0
    while index < count {
      if word.load(ordering: .relaxed) & StateWord.checkpoint != 0, checkpoint(table, from: index, to: count) { break }
      call(table[index], value, context)
      index &+= 1
    }
    context.leave()
  }
  @inline(__always)
  final func call(_ entry: UInt, _ value: Payload, _ context: DeliveryContext) {
    if entry & (Table.routed | Table.paused) == 0 {
      Unmanaged<HandlerSlot<Payload>>.fromOpaque(UnsafeRawPointer(bitPattern: entry).unsafelyUnwrapped)
        ._withUnsafeGuaranteedRef { $0.call(value) }
    } else if entry & Table.tags != Table.routed | Table.isolated || !callOnActor(entry, value, context) {
      if entry & Table.paused == 0 {
        Unmanaged<RoutedSlot<Payload>>.fromOpaque(Table.slot(of: entry))
          ._withUnsafeGuaranteedRef { $0.receive(value, context) }
      }
    }
  }
  /// Calls one handler, which is not added yet.
  final func notify(_ slot: Slot, _ value: Payload, _ context: DeliveryContext) {
    let entry = UInt(bitPattern: Unmanaged.passUnretained(slot).toOpaque()) | slot.tag
    CausalFrame.push(self, as: .calls) { call(entry, value, context) }
  }
  /// For an isolated handler that is not paused: subtracting tags that are known is folded into the load.
  @inline(__always)
  private final func callOnActor(_ entry: UInt, _ value: Payload, _ context: DeliveryContext) -> Bool {
    let slot = UnsafeRawPointer(bitPattern: entry &- (Table.routed | Table.isolated)).unsafelyUnwrapped
    return Unmanaged<IsolatedSlot<Payload>>.fromOpaque(slot)
      ._withUnsafeGuaranteedRef { $0.call(value, from: context.home) }
  }

  /// The delivering thread, between two calls: releases what was cancelled, and checks the rest of its table again if writers
  /// have replaced that table. True if the value was revoked: the rest of the table does not receive it.
  @inline(never)
  private final func checkpoint(_ walked: Table, from index: Int, to count: Int) -> Bool {
    let origin = CausalFrame.origin
    let (retired, isRevoked) = state.withLock { state in
      word.bitwiseAnd(~StateWord.checkpoint, ordering: .relaxed)
      return (state.retired.takeAllButTables(), state.retired.hasRevoked(origin))
    }
    if walked.bits != table.load(ordering: .relaxed) {
      for index in index..<count where walked[index] != Table.blank {
        let link = Self.slot(of: walked[index])._withUnsafeGuaranteedRef { $0.link.load(ordering: .relaxed) }
        if link & Slot.paused != 0 { walked[index] = Table.blank }
      }
    }
    retired.dispose()
    return isRevoked
  }

  /// A queued value is about to be delivered.
  func prepare(_ value: Payload, _ context: DeliveryContext) {}

  /// For the thread that has claimed the delivery: notifies the handlers there were at that moment.
  @inline(__always)
  final func deliver(_ value: Payload, _ context: DeliveryContext, _ claim: Claim) {
    CausalFrame.push(self) { walk(value, context, Table(bits: claim.table), claim.count) }
    if !stopDelivering() { drain(context.here) }
  }
  override final func claim(
    orQueue make: (UnsafeMutableRawPointer) -> Void, depth: Int, postponing: Bool
  ) -> QueueingClaim {
    let own = postponing || CausalFrame.delivers(for: self)
    let chain = depth > 1 ? CausalFrame.currentChain : 0
    let locals = CarriedLocals.captured
    return withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { buffer in
      let place = buffer.baseAddress!
      return state.withLock { state in
        while true {
          let seen = word.load(ordering: .relaxed)
          if seen == 0, !postponing {
            if let claim = claim() { return .claimed(claim) }
            continue
          }
          // If no thread delivers, the thread that postpones delivers later, or a scheduled task does.
          let busy = seen | StateWord.more | (seen == 0 ? StateWord.delivering : 0)
          if word.compareExchange(expected: seen, desired: busy, ordering: .acquiring).exchanged {
            make(place)
            state.serial.cycles.added(depth)
            state.serial.queue.push(place.move(), nil, locals, depth: depth, chain: chain, own: own)
            return seen == 0 ? .postponed : .queued
          }
        }
      }
    }
  }
  override final func prepareInbox(_ context: DeliveryContext) {
    prepare(inbox.unsafelyUnwrapped.assumingMemoryBound(to: Payload.self).pointee, context)
  }
  override final func deliverRest(_ here: (any Actor)?) { drain(here) }
  override final func callWithInbox(_ slot: UnsafeRawPointer) {
    lend(inbox.unsafelyUnwrapped.assumingMemoryBound(to: Payload.self)) { value in
      Unmanaged<HandlerSlot<Payload>>.fromOpaque(slot)._withUnsafeGuaranteedRef { $0.call(value) }
    }
  }
  override final func deliverInbox(_ claim: Claim, _ here: (any Actor)?) {
    let place = inbox.unsafelyUnwrapped.assumingMemoryBound(to: Payload.self)
    let context = DeliveryContext(here: here, counter: nil)
    CausalFrame.push(self) {
      lend(place) { walk($0, context, Table(bits: claim.table), claim.count) }
      // Before the delivery is given up: the thread that claims it next puts another value there.
      if !isInboxPlain { place.deinitialize(count: 1) }
    }
    if !stopDelivering() { drain(context.here) }
  }

  /// For a thread that has claimed the delivery and has nothing to deliver.
  final func endDelivery(_ context: DeliveryContext) { if !stopDelivering() { drain(context.here) } }

  /// From a computation, or where the stack is nearly used up.
  @inline(never)
  private final func emitRestricted(_ value: Payload, _ context: DeliveryContext) {
    if CausalFrame.isComputing {
      Diagnostics.reportWrite(to: self, "emitted")
      context.leave()
    } else if policy == .immediate {
      overlap(value, context)
    } else {
      postpone(value, context, depth: CausalFrame.currentDepth + 1)
    }
  }
  override final var canOwnTrampoline: Bool { policy == .serial }
  /// This thread delivers, so the lock is not needed.
  override final func ownTrampoline() { word.bitwiseOr(StateWord.more, ordering: .relaxed) }
  /// All that waits is this thread's own, or was emitted meanwhile.
  override final func deliverPostponed(_ here: (any Actor)?) {
    drain(here, atMost: CausalLimits.round + state.withLock { $0.serial.queue.count })
  }
}
