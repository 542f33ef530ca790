import Synchronization

// Values that wait, because a thread is delivering an earlier one.
extension Delivery {
  /// Another thread delivers, or a handler of this event called us: the deliverer delivers this too.
  @inline(never)
  final func enqueue(_ value: Payload, _ passage: Passage, depth: Int, through gate: EndSlot? = nil) {
    if claimSoon() { return deliverFirst(value, passage, depth: depth, through: gate) }
    switch take(value, passage, depth: depth, queueing: false, through: gate) {
    case .mine: deliverFirst(value, passage, depth: depth)  // the gate was asked under the lock
    case .takenOver: drain(passage.here, depth: depth)
    case .shut: passage.leave()
    case .queued, .rejected: break
    }
  }

  /// Another thread delivers, and may be done in a moment. To wait for that, for some hundred nanoseconds, costs less than to
  /// leave it the value, which both then lock for: of two threads that did nothing but emit, each took a quarter as long.
  @inline(__always)
  private final func claimSoon() -> Bool {
    if Frame.isNested { return false }
    for _ in 0..<16 {
      let seen = word.load(ordering: .relaxed)
      if seen == 0,
        word.weakCompareExchange(
          expected: 0, desired: Word.delivering, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
      {
        return true
      }
      if seen & (Word.delivering | Word.more) == Word.more { return false }
      hesitate()
    }
    return false
  }

  /// Leaves the value to a job of `target`, as if another thread were delivering already: it waits its turn, and a handler
  /// that is added from now on waits behind it.
  package final func post(_ value: Payload, to target: DeliveryTarget) {
    if isUnheard { return }
    let passage = Passage(here: nil, ticket: nil)
    switch take(value, passage, depth: Frame.currentDepth + 1, queueing: true) {
    case .mine, .takenOver: target.schedule { self.drain(nil, target) }
    case .queued, .rejected, .shut: break
    }
  }

  /// Queues the value behind what waits. Where no thread was delivering the caller now is: `mine` if nothing waits and the
  /// value is in the caller's hands, unless it asked for the queue; `takenOver` if the value is in the queue.
  @inline(__always)
  private final func take(
    _ value: Payload, _ passage: Passage, depth: Int, queueing: Bool, through gate: EndSlot? = nil
  ) -> Taking {
    let own = Frame.contains(self)
    let chain = depth > 1 ? Frame.currentChain : 0
    let journal = DetachedScope.transactionNumber
    let locals = own ? nil : CarriedLocals.captured
    let (taking, verdict) = state.withLock { state -> (Taking, CycleGuard.Verdict) in
      if state.isFinished { return (.rejected, .admitted) }
      if let gate, !gate.isOpen { return (.shut, .admitted) }
      if word.load(ordering: .relaxed) == 0 { state.becameIdle() }
      let verdict = state.cycles.judge(depth, of: chain, limit: queuedLimit, in: state.queue)
      while true {
        let seen = word.load(ordering: .relaxed)
        if seen == 0, !queueing, verdict == .admitted {
          if word.compareExchange(expected: 0, desired: Word.delivering, ordering: .acquiring).exchanged {
            return (.mine, .admitted)
          }
          continue
        }
        if verdict != .admitted {
          // The deliverer is to come by, and to forget it when nothing is left.
          let told = seen & Word.delivering == 0 ? seen : seen | Word.more
          if !word.compareExchange(expected: seen, desired: told, ordering: .relaxed).exchanged { continue }
          return (.rejected, verdict)
        }
        let busy = seen | Word.delivering | Word.more
        if word.compareExchange(expected: seen, desired: busy, ordering: .acquiring).exchanged {
          state.cycles.added(depth)
          state.queue.push(value, passage.ticket, locals, depth: depth, chain: chain, own: own, in: journal)
          return (seen & Word.delivering == 0 ? .takenOver : .queued, .admitted)
        }
      }
    }
    if taking == .rejected {
      switch verdict {
      case .admitted: reportFinished()
      case .rejected: refuse(depth: depth)
      case .rejectedAgain: break
      }
      passage.leave()
    }
    return taking
  }

  // MARK: What waits

  /// Delivers what was left to this thread, until nothing is left or the round is over. `depth` is that of the value that was
  /// delivered before: what destroying its handlers causes is no less part of a cycle than what they cause. Values of other
  /// emitters are delivered without task-local values, which `isDetached` says is so already.
  @inline(never)
  final func drain(
    _ here: (any Actor)?, _ target: DeliveryTarget? = nil, depth: Int = 0, chain: UInt32 = 0, isDetached: Bool = false
  ) {
    withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { room -> Void in
      let place = room.baseAddress!
      var note = Ring.Note()
      var (depth, chain) = (depth, chain)
      var left = Self.round
      while true {
        var walked: Table?
        var count = 0
        let (next, trash) = state.withLock { state -> (Next, Trash) in
          var trash = state.trash.take()
          activatePending(&state, &trash)
          while let first = state.drains.first, first.turn <= state.queue.popped {
            trash.add(ticket: state.drains.removeFirst().ticket)
          }
          let next = nextStep(&state, hasTrash: !trash.isEmpty, left: left, isDetached: isDetached)
          if next == .value {
            note = state.queue.pop(into: place)
            state.cycles.removed(note.depth)
            if !state.hasMore { word.store(Word.delivering, ordering: .releasing) }
            // Its emit may have returned long ago: a handler that is added from now on does not receive it.
            walked = current
            count = walked?.count ?? 0
          }
          return (next, trash)
        }
        switch next {
        case .letGo: Frame.push(self, depth: depth, chain: chain) { trash.dispose() }
        case .nothing: return
        case .end: Frame.push(self, depth: depth, chain: chain) { clear(closingQueues: false) }
        case .orphan: return Unmanaged.passUnretained(self).release()
        case .rest:
          if let target {
            target.schedule { self.takeOver(target) }
          } else {
            startDetached { self.takeOver(nil) }
          }
          return
        case .stranger:
          let (depth, chain) = (depth, chain)
          let isDelivered = withoutTaskLocals(on: here) {
            self.drain(here, target, depth: depth, chain: chain, isDetached: true)
          }
          if isDelivered { return }
          left = 0  // a task of its own has no task-local values either
        case .value:
          if !note.isOwn { left &-= 1 }
          (depth, chain) = (note.depth, note.chain)
          let scope = DetachedScope(unlessIn: note.journal)
          defer { scope.end() }
          let ticket = note.ticket?.takeRetainedValue()
          let locals = note.locals?.takeRetainedValue()
          withExtendedLifetime(ticket) {
            Frame.push(self, depth: depth, chain: chain) {
              let passage = Passage(here: here, ticket: ticket)
              if let locals {
                locals.bind { deliver(place, passage, walked, count) }
              } else {
                deliver(place, passage, walked, count)
              }
              // In here, as what its destruction causes is no less part of a cycle than what handlers cause.
              place.deinitialize(count: 1)
            }
          }
        }
        if next == .value, stopDelivering() { return }
      }
    }
  }
  @inline(__always)
  private final func deliver(
    _ place: UnsafeMutablePointer<Payload>, _ passage: Passage, _ walked: Table?, _ count: Int
  ) {
    prepare(place.pointee, passage)
    walk(place.pointee, passage, walked, count)
  }

  /// The task or job that goes on after a round. No thread has kept the delivery for it: a later emit that comes first goes on
  /// instead, and a handler that ends meanwhile waits for neither.
  private final func takeOver(_ target: DeliveryTarget?) {
    let isMine = state.withLock { _ in
      word.compareExchange(expected: Word.more, desired: Word.delivering | Word.more, ordering: .acquiring).exchanged
    }
    if isMine { drain(nil, target, isDetached: target == nil) }
  }
}

// Not nested in the generic class: naming them there would be a metadata look-up.
private enum Taking {
  case queued, mine, takenOver, rejected
  /// Its source was paused on the value's way.
  case shut
}

/// What the thread that delivers does next.
private enum Next {
  /// Destroys what was taken out meanwhile.
  case letGo
  case value
  /// The next value is another emitter's, and would see this one's task-local values.
  case stranger
  /// Leaves the rest to a task.
  case rest
  /// Ends the handlers of an event that is gone or finished.
  case end
  case nothing
  /// Nothing, and the value whose handlers these were is gone.
  case orphan
}

extension HandlerList {
  /// Under the lock, between two values.
  fileprivate final func nextStep(_ state: inout State, hasTrash: Bool, left: Int, isDetached: Bool) -> Next {
    if hasTrash {
      word.store(Word.delivering, ordering: .releasing)
      return .letGo
    }
    if !state.queue.isEmpty {
      if left == 0 {
        word.store(Word.more, ordering: .releasing)
        return .rest
      }
      word.store(Word.delivering | Word.more, ordering: .releasing)
      return isDetached || state.queue.isFirstOwn ? .value : .stranger
    }
    if state.closing {
      state.closing = false
      word.store(Word.delivering, ordering: .releasing)
      return .end
    }
    state.cycles.reset()
    word.store(0, ordering: .releasing)
    return state.isOrphan ? .orphan : .nothing
  }
}
