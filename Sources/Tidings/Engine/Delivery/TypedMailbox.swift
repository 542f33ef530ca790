import Synchronization

/// The queue of one handler, with what depends on the type of the values.
final class TypedMailbox<Payload: Sendable>: Mailbox, @unchecked Sendable {  // as its base
  /// A closure as an object: non-generic state can hold it.
  private final class Handler {
    let call: PlainHandler<Payload>
    init(_ call: @escaping PlainHandler<Payload>) { self.call = call }
  }

  /// The source that delivers to the mailbox.
  private let source: CausalSource
  private let queuedLimit: Int

  init(_ call: @escaping PlainHandler<Payload>, _ route: Route, home: UInt, from source: CausalSource) {
    self.source = source
    queuedLimit = source.identity.queuedLimit
    super.init(home: home, State(handler: Handler(call), route: route, items: RawRingBuffer(of: Payload.self)))
  }
  deinit { close() }

  /// By the thread that delivers, which keeps `slot` meanwhile.
  func push(_ value: Payload, _ counter: CompletionCounter?, for slot: Slot) {
    var check = RevocationCheck()
    while !push(value, counter, for: slot, check) { if check.isRevoked() { return } }
  }
  /// False if the value may have been revoked.
  private func push(
    _ value: Payload, _ counter: CompletionCounter?, for slot: Slot, _ check: RevocationCheck
  ) -> Bool {
    let depth = CausalFrame.currentDepth
    let chain = depth > 1 ? CausalFrame.currentChain : 0
    let (locals, origin) = (CarriedLocals.captured, CausalFrame.origin)
    var isDoubtful = false
    let (verdict, start) = state.withLock { state -> (CycleGuard.Verdict, Route?) in
      // Asked under the lock: a pause takes out what is here, or is seen here.
      guard state.handler != nil, slot.isOpen else { return (.admitted, nil) }
      isDoubtful = check.isDoubtful
      if isDoubtful { return (.admitted, nil) }
      if state.items.isEmpty, state.calling == 0 { state.cycles.reset() }
      let verdict = state.cycles.judge(depth, of: chain, limit: queuedLimit, in: state.items)
      guard verdict == .admitted else { return (verdict, nil) }
      counter?.enter()
      open.add(1, ordering: .relaxed)
      state.cycles.added(depth)
      state.items.push(value, counter, locals, depth: depth, chain: chain, own: false, from: origin.bits)
      if state.isScheduled { return (.admitted, nil) }
      state.isScheduled = true
      return (.admitted, state.route)
    }
    if verdict == .rejected { Diagnostics.reportCycle(through: source, depth: depth) }
    if let start { begin(start) }
    return !isDoubtful
  }

  private func begin(_ route: Route) {
    switch route {
    case .actor(let actor): start(on: actor)
    case .owner(let owner, let selfCancellation):
      if let actor = owner.actor {
        start(on: actor)
      } else {
        selfCancellation.cancel()
        close()
      }
    case .target(let target): target.schedule { self.drain(onto: target) }
    }
  }
  private func start(on actor: any Actor) {
    startDetached { await self.drain(on: actor) }
  }
  private func drain(on home: isolated any Actor) async {
    while drain(atMost: CausalLimits.round, asScheduled: true) { await Task.yield() }
  }
  /// A target is any closure: it may run its jobs in a task that inherits task-local values.
  private func drain(onto target: DeliveryTarget) {
    let detached = withoutTaskLocals(on: nil) { self.drainRound(onto: target) }
    if !detached { drainRound(onto: target) }
  }
  private func drainRound(onto target: DeliveryTarget) {
    if drain(atMost: CausalLimits.round, asScheduled: true) { target.schedule { self.drain(onto: target) } }
  }

  /// On the handler's actor: clear when no earlier value is on its way, so that a value may be delivered in place. Empties the
  /// queue for that, as far as it is filled now: what other threads queue meanwhile may be overtaken.
  func drainInPlace(on here: (any Actor)?) -> InPlaceDelivery {
    let (waiting, turn, pauses) = state.withLock { ($0.calling != 0 ? -1 : $0.items.count, $0.items.pushed, $0.pauses) }
    if waiting <= 0 { return waiting == 0 ? .clear : .taken }
    let isEmptied = withoutTaskLocals(on: here) { _ = self.drain(atMost: waiting, asScheduled: false) }
    return state.withLock { state in
      if state.pauses != pauses { return .paused }
      return isEmptied && state.handled >= turn ? .clear : .taken
    }
  }

  /// Calls the handler with at most `limit` queued values; true when more are left.
  private func drain(atMost limit: Int, asScheduled: Bool) -> Bool {
    let scope = DetachedScope()
    defer { scope.end() }
    return withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { buffer in
      let place = buffer.baseAddress!
      var note = RawRingBuffer.Note()
      var finished: CompletionCounter?
      var called = false
      var left = limit
      while true {
        let (step, woken) = state.withLock { state in
          if called {
            open.subtract(1, ordering: .releasing)
            state.calling = 0
          }
          let woken = state.takeWoken()
          return (next(&state, into: place, &note, left, asScheduled: asScheduled), woken)
        }
        // Before callers that wait for the call are resumed, the handler is released and the value is no longer counted.
        woken?.wake()
        if let counter = finished {
          finished = nil
          counter.leave()
        }
        switch step {
        case .stop: return false
        case .close:
          close()
          return false
        case .reschedule: return true
        case .call(let handler):
          let locals = note.locals?.takeRetainedValue()
          CausalFrame.push(source, depth: note.depth, chain: note.chain, as: .calls) {
            call(note.origin == UpstreamNumber.revoked.bits ? nil : handler, place, locals)
          }
          finished = note.counter?.takeRetainedValue()
          called = true
          left &-= 1
        }
      }
    }
  }
  private func next(
    _ state: inout State, into place: UnsafeMutablePointer<Payload>, _ note: inout RawRingBuffer.Note, _ left: Int,
    asScheduled: Bool
  ) -> Step {
    guard let handler = state.handler, !state.items.isEmpty else {
      if asScheduled { state.isScheduled = false }
      return state.retiring ? .close : .stop
    }
    if left == 0 { return .reschedule }
    note = state.items.pop(into: place)
    state.cycles.removed(note.depth)
    state.calling = state.items.popped
    return .call(handler)
  }
  @inline(never)
  private func call(
    _ handler: consuming AnyObject?, _ place: UnsafeMutablePointer<Payload>, _ locals: CarriedLocals?
  ) {
    if let handler {
      let handler = unsafeDowncast(handler, to: Handler.self)
      if let locals { locals.bind { handler.call(place.pointee) } } else { handler.call(place.pointee) }
    }
    place.deinitialize(count: 1)
  }

  override func close() {
    let (kept, dropped) = state.withLock { state in
      defer { (state.handler, state.route) = (nil, nil) }
      return ((state.handler, state.route), dropAll(&state, closing: true))
    }
    dropped?.destroy()
    _ = kept
  }
  override func pause() -> AnyObject? {
    state.withLock { state in
      state.pauses += 1
      return dropAll(&state, closing: false)
    }
  }

  /// Under the lock. What is dropped is destroyed by the caller; with the memory of the queue, if it is closing.
  private func dropAll(_ state: inout State, closing: Bool) -> Dropped<Payload>? {
    if state.items.isEmpty, !closing || !state.items.hasMemory { return nil }
    open.subtract(state.items.count, ordering: .releasing)
    state.cycles.reset()
    return Dropped(state.items.takeAll(), state.takeWoken())
  }
}

/// Values that were taken out of a queue, until they are destroyed: that is user code.
final class Dropped<Payload: Sendable> {
  private var items: RawRingBuffer
  private var woken: ResumedWaiters?

  init(_ items: RawRingBuffer, _ woken: ResumedWaiters?) {
    self.items = items
    self.woken = woken
  }
  deinit { destroy() }

  func destroy() {
    items.takeAll().destroy(Payload.self)
    woken?.wake()
    woken = nil
  }
}

/// Whether a value may be delivered in place.
enum InPlaceDelivery {
  case clear
  /// A call is running, or values could not be delivered here: the value is queued.
  case taken
  /// The handler was paused meanwhile. It may have been resumed, for values that are emitted after that.
  case paused
}

// Not nested in the generic class: naming it there would be a metadata look-up.
private enum Step {
  case call(AnyObject)
  case reschedule
  case stop
  case close
}
