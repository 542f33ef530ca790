import Synchronization

/// The queue of a new handler to which another call delivers before the handler has its initial value. For `observe(.initial)`
/// while another thread, or a handler further up on this one, delivers the same value.
///
/// The initial value is the first in the queue. The call that observes delivers all that waits here; later values then pass.
final class InitialGate<Payload: Sendable>: Mailbox, @unchecked Sendable {  // as its base
  /// The handler's own slot, which the gate retains only while it holds values back.
  private weak var slot: Slot?  // written once
  private weak var source: HandlerList?  // written once
  /// The handler's own queue, once the handler has ended. Under the lock.
  private var sealed: Endpoint?

  init(_ slot: Slot, of source: HandlerList) {
    (self.slot, self.source) = (slot, source)
    slot.linkAlone()
    super.init(home: 0, State(handler: slot, route: nil, items: RawRingBuffer(of: Payload.self)))
  }
  deinit { close() }

  /// Whether values may still wait here. Once they may not, they never may again.
  var isHolding: Bool { state.withLock { $0.handler != nil } }

  /// Before the handler is added.
  func push(initial: Payload) {
    open.add(1, ordering: .relaxed)
    state.withLock { $0.items.push(initial, nil, depth: 0, chain: 0, own: false) }
  }
  /// By the thread that delivers: true if the value waits here, or was dropped.
  func holds(_ value: Payload, _ counter: CompletionCounter?, for outer: Slot) -> Bool {
    let depth = CausalFrame.currentDepth
    let chain = depth > 1 ? CausalFrame.currentChain : 0
    let (locals, origin) = (CarriedLocals.captured, CausalFrame.origin)
    var check = RevocationCheck()
    while true {
      let isHeld = state.withLock { state -> Bool? in
        guard state.handler != nil, outer.isOpen else { return state.handler != nil || state.isClosed }
        if check.isDoubtful { return nil }
        counter?.enter()
        open.add(1, ordering: .relaxed)
        state.items.push(value, counter, locals, depth: depth, chain: chain, own: false, from: origin.bits)
        return true
      }
      if let isHeld { return isHeld }
      if check.isRevoked() { return true }
    }
  }

  /// Calls the handler with the initial value, then with the values that waited, and lets all later values pass to `outer`.
  func open(to outer: Slot, _ source: HandlerList, _ here: (any Actor)?) {
    if !drain(to: outer, source, here, atMost: 1) { return }
    // The values that waited were emitted elsewhere.
    let isDrained = withoutTaskLocals(on: here) { self.drainRound(to: outer, source, here) }
    if !isDrained { drainRound(to: outer, source, here) }
  }
  private func drainRound(to outer: Slot, _ source: HandlerList, _ here: (any Actor)?) {
    if drain(to: outer, source, here, atMost: CausalLimits.round) {
      startDetached { self.drainRound(to: outer, source, nil) }
    }
  }
  /// Calls the handler with at most `limit` values; true when more may wait.
  private func drain(to outer: Slot, _ source: HandlerList, _ here: (any Actor)?, atMost limit: Int) -> Bool {
    withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { buffer in
      let place = buffer.baseAddress!
      var left = limit
      while true {
        if left == 0 { return true }
        guard let (slot, note) = take(into: place, for: outer) else { return false }
        let locals = note.locals?.takeRetainedValue()
        CausalFrame.push(source, depth: note.depth, chain: note.chain, as: .calls) {
          guard note.origin != UpstreamNumber.revoked.bits, slot.isOpen else { return }
          let context = DeliveryContext(here: here, counter: nil)
          if let locals {
            locals.bind { GatedSlot.pass(place.pointee, context, to: slot) }
          } else {
            GatedSlot.pass(place.pointee, context, to: slot)
          }
        }
        place.deinitialize(count: 1)
        finishCall()
        note.counter?.takeRetainedValue().leave()
        left -= 1
      }
    }
  }
  /// The next value; nil when none waits, and then all later values pass.
  private func take(
    into place: UnsafeMutablePointer<Payload>, for outer: Slot
  ) -> (Slot, RawRingBuffer.Note)? {
    let (next, hasEnded) = state.withLock { state -> ((Slot, RawRingBuffer.Note)?, Bool) in
      guard let slot = Self.held(state) else { return (nil, false) }
      if state.items.isEmpty {
        if state.retiring { return (nil, true) }
        slot.linkEnd(following: outer)
        state.handler = nil
        return (nil, false)
      }
      let note = state.items.pop(into: place)
      state.calling = state.items.popped
      return ((slot, note), false)
    }
    if hasEnded { end(delivering: true) }
    return next
  }
  private func finishCall() {
    let woken = state.withLock { state in
      open.subtract(1, ordering: .releasing)
      state.calling = 0
      return state.takeWoken()
    }
    woken?.wake()
  }

  // MARK: As an endpoint

  /// Under the list's lock: the handler has ended, and makes no queue but to deliver what waits here. Whether values may wait here.
  func seal() -> Bool {
    state.withLock { state in
      state.retiring = true
      if state.handler == nil { sealed = slot?.seal()?.takeRetainedValue() }
      return state.handler != nil
    }
  }
  override func retire() {
    let isEmpty = state.withLock { state in
      state.retiring = true
      return state.items.isEmpty && state.calling == 0
    }
    if isEmpty { end(delivering: true) }
  }
  override func close() { end(delivering: false) }
  /// Nothing waits here any more.
  private func end(delivering: Bool) {
    let (slot, sealed, dropped) = state.withLock { state -> (Slot?, Endpoint?, Dropped<Payload>?) in
      let slot = Self.held(state)
      if let slot {
        if !delivering { slot.link.store(Slot.closed, ordering: .relaxed) }
        self.sealed = slot.seal()?.takeRetainedValue()
        state.handler = nil
        state.isClosed = true
      }
      return (slot, self.sealed, dropAll(&state))
    }
    dropped?.destroy()
    if let slot, let relay = slot.downstream, let source {
      let stage = RelayStage(relay, of: source, through: slot.upstreamNumber)
      source.retain(stage)
      stage.retire()
    }
    if delivering { sealed?.retire() } else { sealed?.close() }
  }
  override func pause() -> AnyObject? {
    state.withLock { state in
      let behind = Self.held(state).map { $0.markPaused() } ?? behind?.pause()
      let own = dropAll(&state)
      return behind == nil ? own : own == nil ? behind : Both(own, behind)
    }
  }
  override func resume() -> AnyObject? {
    state.withLock { state in
      Self.held(state)?.markResumed()
      return behind?.resume()
    }
  }
  private func dropAll(_ state: inout State) -> Dropped<Payload>? {
    if state.items.isEmpty { return nil }
    open.subtract(state.items.count, ordering: .releasing)
    return Dropped(state.items.takeAll(), state.takeWoken())
  }

  /// Under the lock: the slot behind the values that wait here.
  private static func held(_ state: borrowing State) -> Slot? {
    state.handler.map { unsafeDowncast($0, to: Slot.self) }
  }
  /// Under the lock: the handler's own queue.
  private var behind: Endpoint? { slot?.endpoint ?? sealed }

  override var waiting: Int { super.waiting + (state.withLock { _ in behind }?.waiting ?? 0) }
  override var dropped: Int { state.withLock { _ in behind }?.dropped ?? 0 }
  override func idle() async {
    await super.idle()
    await state.withLock { _ in behind }?.idle()
  }
  override func whenDrained(_ counter: CompletionCounter) {
    let held = state.withLock { state in Self.held(state) }
    super.whenDrained(
      CompletionCounter { [self] in
        if let behind = state.withLock({ _ in behind }) {
          behind.whenDrained(counter)
        } else if let relay = held?.downstream {
          relay.sendBarrier(counter, through: nil)
        } else {
          counter.leave()
        }
      })
  }
  override func revoke(_ origin: UpstreamNumber, through path: BarrierPath?) {
    super.revoke(origin, through: path)
    let (behind, relay) = state.withLock { state -> (Endpoint?, HandlerList?) in
      (self.behind, Self.held(state)?.downstream)
    }
    behind?.revoke(origin, through: path)
    relay?.revoke(origin, through: path)
  }
  override func revokeUpstream() {
    let held = state.withLock { state in Self.held(state) }
    if let held { held.downstream?.revoke(held.upstreamNumber) }
  }
}

/// Two objects that are destroyed together.
private final class Both {
  private let both: (AnyObject?, AnyObject?)
  init(_ first: AnyObject?, _ second: AnyObject?) { both = (first, second) }
}
