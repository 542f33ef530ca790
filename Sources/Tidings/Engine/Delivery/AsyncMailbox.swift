import Synchronization

/// The queued calls of an asynchronous handler: first in, first out, made by one task that awaits each before the next.
///
/// A call is a closure with its value, so that this needs no type of values. What its base has for the calls of a synchronous
/// handler holds for these: a call that is suspended is running.
class AsyncMailbox: Mailbox, @unchecked Sendable {  // as its base; and one task has `running`
  typealias Call = @Sendable (CallPermit) async -> Void

  private let buffering: BufferingPolicy
  private let site: CallSite
  private let overflow = Atomic<Int>(0)
  /// The task that is calling the handler; 0 when there is none. Compared, to find a handler that would wait for itself.
  private let caller = Atomic<Int>(0)
  /// How often permits were revoked: by a pause, and at the end.
  final let revocations = Atomic<UInt>(0)
  /// The self-cancellation of a handler that is called once; it is written before the handler is attached.
  var once: SelfCancellation?
  /// The source that delivered to the mailbox first, for reports.
  private weak var source: CausalSource?
  private var hasSource = false
  /// The call that is running. Only the task that makes the calls touches it.
  private var running: PendingCall?

  @inline(never)
  init(_ buffering: BufferingPolicy, _ site: CallSite) {
    self.buffering = buffering
    self.site = site
    super.init(home: 0, State(handler: nil, route: nil, items: RawRingBuffer(of: PendingCall.self)))
  }
  deinit { state.withLock { Dropped<PendingCall>($0.items.takeAll(), $0.takeWoken()) }.destroy() }

  override var dropped: Int { overflow.load(ordering: .relaxed) }

  /// By the thread that delivers, which keeps `slot` meanwhile.
  ///
  /// - Parameter accepted: Called under the lock when the call is accepted, before it has its place. Returns whether that is the place
  ///   of the last that waits, if any does.
  @_optimize(size)
  final func push(
    _ call: @escaping Call, _ asking: CompletionCounter?, for slot: Slot, accepted: (() -> Bool)? = nil
  ) {
    let isWaitingForItself = asking.map { rejects($0) } ?? false
    let pending = PendingCall(call, isWaitingForItself ? nil : asking, CarriedLocals.captured)
    var check = RevocationCheck()
    while !push(pending, for: slot, check, accepted) { if check.isRevoked() { return } }
  }
  /// False if the value may have been revoked.
  @inline(never)
  @_optimize(size)
  private func push(_ pending: PendingCall, for slot: Slot, _ check: RevocationCheck, _ accepted: (() -> Bool)?) -> Bool
  {
    let origin = CausalFrame.origin
    var isPushed = true
    let (dropped, woken, starts) = state.withLock { state -> (PendingCall?, ResumedWaiters?, Bool) in
      // Asked under the lock: a pause takes out what is here, or is seen here.
      guard !state.isClosed, slot.isOpen else { return (nil, nil, false) }
      if check.isDoubtful {
        isPushed = false
        return (nil, nil, false)
      }
      if accepted?() ?? false, !state.items.isEmpty {
        let dropped = state.items.replaceLast(with: pending, from: origin.bits)
        return (dropped, state.takeWokenByReplacement(), false)
      }
      var (dropped, woken): (PendingCall?, ResumedWaiters?) = (nil, nil)
      if state.items.count >= buffering.limit {
        overflow.add(1, ordering: .relaxed)
        if !buffering.keepsNewest { return (nil, nil, false) }
        dropped = pop(&state).call
        open.subtract(1, ordering: .releasing)
        woken = state.takeWoken()
      }
      open.add(1, ordering: .relaxed)
      if !hasSource { (source, hasSource) = (CausalFrame.innermost, true) }
      state.items.push(pending, nil, depth: 0, chain: 0, own: false, from: origin.bits)
      let starts = !state.isScheduled
      state.isScheduled = true
      return (dropped, woken, starts)
    }
    // Outside the lock: destroying the call destroys its value.
    withExtendedLifetime(dropped) {}
    woken?.wake()
    if starts { startDetached { await self.drain() } }
    return isPushed
  }
  /// Under the lock: the oldest that waits, moved out.
  @inline(never)
  private func pop(_ state: inout State) -> (call: PendingCall, origin: UpstreamNumber) {
    withUnsafeTemporaryAllocation(of: PendingCall.self, capacity: 1) { place in
      let note = state.items.pop(into: place.baseAddress!)
      return (place.baseAddress!.move(), UpstreamNumber(bits: note.origin))
    }
  }

  // The loop calls functions that do not suspend: whatever is live between two awaits is saved for each of them.
  private func drain() async {
    while let (call, permit) = take() {
      await call(permit)
      finish()
    }
  }
  @inline(never)
  @_optimize(size)
  private func take() -> (Call, CallPermit)? {
    let (next, isOver) = state.withLock { state -> ((call: PendingCall, permit: CallPermit)?, Bool) in
      guard !state.isClosed, !state.items.isEmpty else {
        // Under the lock: the task that is started next stores its own identity.
        caller.store(0, ordering: .relaxed)
        state.isScheduled = false
        return (nil, state.retiring)
      }
      let (next, origin) = pop(&state)
      state.calling = state.items.popped
      state.callingFrom = origin
      let permit = permit
      if origin == .revoked { revokePermits() }
      return ((next, permit), false)
    }
    if isOver { close() }
    guard let (next, permit) = next else { return nil }
    running = next
    caller.store(CompletionCounter.currentTask, ordering: .relaxed)
    guard let locals = next.locals else { return (next.call, permit) }
    // A task takes with it the bindings there are where it is made.
    var task: Task<Void, Never>?
    locals.bind {
      let propagation = CausalScope.current?.pointee.carriedPropagation ?? 0
      task = Task {
        self.caller.store(CompletionCounter.currentTask, ordering: .relaxed)
        await PropagationOfCall.during(propagation) { await next.call(permit) }
      }
    }
    return ({ [task] _ in await task?.value }, permit)
  }
  @inline(never)
  @_optimize(size)
  private func finish() {
    let woken = state.withLock { state in
      open.subtract(1, ordering: .releasing)
      state.calling = 0
      return state.takeWoken()
    }
    woken?.wake()
    running = nil
  }

  /// Whether a caller is not to wait for this handler, since the call that is running waits for the caller. Reported if so.
  @inline(never)
  @_optimize(size)
  private func rejects(_ counter: CompletionCounter) -> Bool {
    let waiter = counter.waiter(caller.load(ordering: .relaxed))
    if waiter == .none { return false }
    let known = state.withLock { _ in self.source }
    Diagnostics.reportWait(
      for: known ?? CausalSource(EventIdentity(nil, nil, site.file, site.line)), throughAnother: waiter == .another)
    return true
  }

  @_optimize(size)
  override func whenDrained(_ counter: CompletionCounter) {
    if rejects(counter) { counter.leave() } else { super.whenDrained(counter) }
  }
  @_optimize(size)
  override func idle() async {
    if !rejects(CompletionCounter(waitingTask: CompletionCounter.currentTask) {}) { await super.idle() }
  }

  // In one locked section: between two, the task could take a value that waits, with a permit that is not revoked.
  @_optimize(size)
  override func close() {
    let dropped = state.withLock { state in
      state.isClosed = true
      return dropAll(&state, closing: true)
    }
    dropped?.destroy()
  }
  override func pause() -> AnyObject? { state.withLock { dropAll(&$0, closing: false) } }
  override func revoke(_ origin: UpstreamNumber, through path: BarrierPath?) {
    super.revoke(origin, through: path)
    state.withLock { state in if state.calling != 0, state.callingFrom == origin { revokePermits() } }
  }
  /// Under the lock: of the calls that were taken, none begins from now on.
  func revokePermits() { revocations.wrappingAdd(1, ordering: .releasing) }
  /// Under the lock.
  @inline(never)
  @_optimize(size)
  private func dropAll(_ state: inout State, closing: Bool) -> Dropped<PendingCall>? {
    revokePermits()
    if state.items.isEmpty, !closing || !state.items.hasMemory { return nil }
    open.subtract(state.items.count, ordering: .releasing)
    return Dropped(state.items.takeAll(), state.takeWoken())
  }
}

/// A call that waits or is running, with the task-local values that are propagated to it. Destroying it resumes the caller
/// that waits for it, whether the call was made or dropped.
private final class PendingCall: Sendable {
  let call: AsyncMailbox.Call
  let locals: CarriedLocals?
  private let counter: CompletionCounter?

  init(_ call: @escaping AsyncMailbox.Call, _ counter: CompletionCounter?, _ locals: CarriedLocals?) {
    counter?.enter()
    if let counter {
      self.call = { permit in await counter.whileCalling { await call(permit) } }
    } else {
      self.call = call
    }
    self.counter = counter
    self.locals = locals
  }
  deinit { counter?.leave() }
}

/// The end of a chain of operators that is awaited.
@usableFromInline
final class AwaitingSlot: Slot, @unchecked Sendable {  // nothing in it changes
  let mailbox: AsyncMailbox

  @usableFromInline
  convenience init(_ buffering: BufferingPolicy, _ site: CallSite) { self.init(AsyncMailbox(buffering, site)) }
  init(_ mailbox: AsyncMailbox) { self.mailbox = mailbox }

  @usableFromInline
  func post(_ context: DeliveryContext, _ call: @escaping @Sendable (CallPermit) async -> Void) {
    mailbox.push(call, context.counter, for: self)
  }
  @usableFromInline
  func post(
    _ context: DeliveryContext, accepted: @escaping () -> Bool, _ call: @escaping @Sendable (CallPermit) async -> Void
  ) {
    mailbox.push(call, context.counter, for: self, accepted: accepted)
  }
  /// Before it is attached: it is called once.
  func becomeOnce(_ selfCancellation: SelfCancellation) { mailbox.once = selfCancellation }
  override var endpoint: Endpoint? { mailbox }
  override func seal() -> Unmanaged<Endpoint>? { .passRetained(mailbox) }
}
