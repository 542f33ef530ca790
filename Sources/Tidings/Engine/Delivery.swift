import Synchronization

/// The delivering side of an event: one thread at a time (serial), or whoever emits (immediate).
///
/// Invariants. Only who holds `delivering` reads tables and slots and posts to queues. Whatever waits, in the queue or to
/// be let go, has `more` set, so leaving by compare-exchange fails. A slot is let go by a writer that found the event
/// unseen after unlinking, or by the deliverer between two calls; a retired table, between two values. No user code runs
/// under the lock.
package class Delivery<Payload: Sendable>: HandlerList, @unchecked Sendable {  // as its base
  /// After so many values of other emitters a task goes on: one `emit` is not to deliver for all others for ever.
  private static var round: Int { 1_024 }
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
    if live.load(ordering: .relaxed) == 0 {
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

  /// A value that comes through another event, whose delivery somebody may wait for. What passes it on is not its cause, so
  /// it goes no deeper.
  final func relay(_ value: Payload, _ passage: Passage, depth: Int = Frame.currentDepth) {
    if live.load(ordering: .relaxed) == 0 { return }
    passage.ticket?.enter()
    if word.compareExchange(expected: 0, desired: Word.delivering, ordering: .acquiring).exchanged {
      deliverFirst(value, passage, depth: depth)
    } else {
      enqueue(value, passage, depth: depth)
    }
  }

  @inline(__always)
  private final func deliverFirst(_ value: Payload, _ passage: Passage, depth: Int = 0) {
    Frame.push(self, depth: depth) {
      let table = Table(bits: table.load(ordering: .acquiring))
      walk(value, passage, table, table?.count ?? 0)
    }
    if !stopDelivering() { drain(passage.here) }
  }

  /// Somebody delivers, another thread or a handler of ours that called us: they deliver this too.
  @inline(never)
  private final func enqueue(_ value: Payload, _ passage: Passage, depth: Int) {
    if claimSoon() || take(value, passage, depth: depth, queueing: false) { deliverFirst(value, passage, depth: depth) }
  }

  /// Another thread delivers, and may be done in a moment. To wait for that, for some hundred nanoseconds, costs less than to
  /// leave it the value, which both then lock for: of two threads that did nothing but emit, each took a quarter as long.
  @inline(__always)
  private final func claimSoon() -> Bool {
    if Frame.isNested { return false }
    for _ in 0..<16 {
      if word.load(ordering: .relaxed) == 0,
        word.weakCompareExchange(
          expected: 0, desired: Word.delivering, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
      {
        return true
      }
      hesitate()
    }
    return false
  }

  /// Leaves the value to a job of `target`, as if another thread were delivering already: it waits its turn, and
  /// whoever is added from now on waits behind it.
  package final func post(_ value: Payload, to target: DeliveryTarget) {
    if live.load(ordering: .relaxed) == 0 { return }
    let passage = Passage(here: nil, ticket: nil)
    if take(value, passage, depth: Frame.currentDepth + 1, queueing: true) {
      target.schedule { self.drain(nil, target) }
    }
  }

  /// Queues the value behind what is being delivered. True when nobody was delivering: now the caller is, and the value
  /// stands in the queue only if that was asked for.
  @inline(__always)
  private final func take(_ value: Payload, _ passage: Passage, depth: Int, queueing: Bool) -> Bool {
    let own = Frame.contains(self)
    let journal = Transaction.number
    let outcome = state.withLock { state -> Outcome in
      while true {
        let seen = word.load(ordering: .relaxed)
        if seen == 0 {
          state.refused = false
          if !queueing {
            if word.compareExchange(expected: 0, desired: Word.delivering, ordering: .acquiring).exchanged {
              return .mine
            }
            continue
          }
        }
        let busy = seen | Word.delivering | Word.more
        if isCircle(depth, state) {
          // The deliverer is to come by, and to forget it when nothing is left.
          if seen != 0, !word.compareExchange(expected: seen, desired: busy, ordering: .relaxed).exchanged { continue }
          defer { state.refused = true }
          return state.refused ? .refusedAgain : .refused
        }
        if word.compareExchange(expected: seen, desired: busy, ordering: .acquiring).exchanged {
          state.queue.push(value, passage.ticket, depth: depth, own: own, in: journal)
          return seen == 0 ? .mine : .queued
        }
      }
    }
    switch outcome {
    case .queued: return false
    case .mine: return true
    case .refused: refuse(depth: depth)
    case .refusedAgain: break
    }
    passage.leave()
    return false
  }

  /// Delivers what others left, until nothing is left or the round is over.
  @inline(never)
  private final func drain(_ here: (any Actor)?, _ target: DeliveryTarget? = nil) {
    withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { room in
      let place = room.baseAddress!
      var note = Ring.Note()
      var left = Self.round
      while true {
        var walked: Table?
        var count = 0
        let (next, trash, closing, isOrphan) = state.withLock { state -> (Next, Trash, Bool, Bool) in
          var trash = Trash()
          admitLatecomers(&state, &trash)
          if !state.trash.isEmpty { trash.add(state.trash.take()) }
          let next: Next = state.queue.isEmpty ? .nothing : left == 0 ? .rest : .value
          if next == .nothing { state.refused = false }
          if next == .value {
            note = state.queue.pop(into: place)
            // Its emit may have returned long ago: who is added from now on does not hear it.
            walked = current
            count = walked?.count ?? 0
          }
          let more = next == .rest || state.hasMore
          word.store(next == .nothing ? 0 : more ? Word.delivering | Word.more : Word.delivering, ordering: .releasing)
          return (next, trash, next == .nothing && state.closing, next == .nothing && state.isOrphan)
        }
        trash.dispose()
        switch next {
        case .nothing:
          if closing { clear(closingQueues: false) }
          if isOrphan { Unmanaged.passUnretained(self).release() }
          return
        case .rest:
          if let target { target.schedule { self.drain(nil, target) } } else { Task { await self.goOn(here) } }
          return
        case .value:
          if !note.isOwn { left &-= 1 }
          let (paused, wave) = (Transaction.pause(unlessIn: note.journal), Context.leaveWave())
          defer {
            Context.enterWave(wave)
            if let paused { Transaction.resume(paused) }
          }
          let ticket = note.ticket?.takeRetainedValue()
          withExtendedLifetime(ticket) {
            Frame.push(self, depth: note.depth) {
              let passage = Passage(here: here, ticket: ticket)
              prepare(place.pointee, passage)
              walk(place.pointee, passage, walked, count)
              // In here, as what its end causes is no less part of a circle than what handlers cause.
              place.deinitialize(count: 1)
            }
          }
        }
        if stopDelivering() { return }
      }
    }
  }
  /// Still the deliverer: `delivering` was kept, so order is too. Other work on the same actor has had its turn.
  private final func goOn(_ here: isolated (any Actor)?) async { drain(here) }

  /// One value to all handlers. The order of the three steps is the proof that no call begins after `cancel()` and that a
  /// slot is let go between calls only: look at `attend`, take the entry, call.
  @inline(__always)
  private final func walk(_ value: Payload, _ passage: Passage, _ table: Table?, _ count: Int) {
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

  // MARK: The end

  /// The event is gone. What it had taken on is still delivered.
  final func close() {
    let busy = state.withLock { state in
      let busy = !isUnseen(telling: Word.more)
      state.closing = busy
      if busy, policy == .immediate { word.bitwiseOr(Word.resting, ordering: .acquiringAndReleasing) }
      return busy
    }
    if !busy { clear(closingQueues: false) }
  }
}

// Not nested in the generic class: naming them there would be a metadata look-up.
private enum Outcome { case queued, refused, refusedAgain, mine }
private enum Next { case nothing, value, rest }

extension Passage {
  @inline(__always)
  func leave() { ticket?.leave() }
}
