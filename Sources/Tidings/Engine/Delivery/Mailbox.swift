import Synchronization

/// The queue of a handler that runs elsewhere: first in, first out, emptied by one task at a time.
///
/// It retains the handler, so that `close()` can release it while a task is still scheduled. What does not depend on the type
/// of the values is here; `TypedMailbox` has the rest.
class Mailbox: Endpoint, @unchecked Sendable {  // mutable state is in `state`, under its lock, and in an atomic
  struct State {
    var handler: AnyObject?
    var route: Route?
    var items: RawRingBuffer
    var cycles = CycleGuard()
    /// A task or job is emptying the queue, or scheduled to. There is never a second one: an actor that stays busy would
    /// collect them.
    var isScheduled = false
    /// The number of the value whose call runs; 0 when none does.
    var calling = 0
    /// The upstream subscription through which that value came.
    var callingFrom = UpstreamNumber.none
    /// How often the handler was paused.
    var pauses = 0
    /// The event was deinitialized: what is queued is still delivered, then the handler is released.
    var retiring = false
    /// Whether nothing is queued any more. Only a mailbox without its own handler sets it.
    var isClosed = false
    /// Each waits for the call that is running.
    var waiters: [UnsafeContinuation<Void, Never>] = []
    /// Each waits until the given number of values has been handled or dropped.
    var drains: [(turn: Int, counter: CompletionCounter)] = []

    /// How many are over. The one whose call runs is the oldest of those that are not, also when later ones were dropped.
    var handled: Int { calling != 0 ? calling - 1 : items.popped }
  }
  final let state: Lock<State>
  /// Values that are queued or being handled. Decremented after a call, so 0 means that no value can be overtaken.
  final let open = Atomic<Int>(0)

  /// The address of the actor that empties it, see `IsolatedSlot`.
  final let home: UInt

  init(home: UInt, _ state: consuming State) {
    self.home = home
    self.state = Lock(state)
    super.init()
  }

  override var waiting: Int { open.load(ordering: .relaxed) }

  /// Closes when what is queued has been delivered.
  override func retire() {
    let isEmpty = state.withLock { state in
      state.retiring = true
      return state.items.isEmpty && state.calling == 0
    }
    if isEmpty { close() }
  }

  override func revoke(_ origin: UpstreamNumber, through path: BarrierPath?) {
    state.withLock { $0.items.revoke(from: origin.bits, as: UpstreamNumber.revoked.bits) }
  }

  override func idle() async {
    await withUnsafeContinuation { continuation in
      let busy = state.withLock { state in
        if state.calling != 0 { state.waiters.appendUnspecialized(continuation) }
        return state.calling != 0
      }
      if !busy { continuation.resume() }
    }
  }

  override func whenDrained(_ counter: CompletionCounter) {
    let isDrained = state.withLock { state in
      if state.handled == state.items.pushed { return true }
      state.drains.appendUnspecialized((state.items.pushed, counter))
      return false
    }
    if isDrained { counter.leave() }
  }
}

/// Callers that waited for a call, or for the values up to one, which is now over.
struct ResumedWaiters {
  var waiters: [UnsafeContinuation<Void, Never>] = []
  var counters: [CompletionCounter] = []

  func wake() {
    for waiter in waiters { waiter.resume() }
    for counter in counters { counter.leave() }
  }
}

extension Mailbox.State {
  /// After a call, or after values were dropped.
  mutating func takeWoken() -> ResumedWaiters? {
    if waiters.isEmpty, drains.isEmpty { return nil }
    return collectWoken()
  }
  /// After another value has taken the place of the last. Who waited for that one waits no longer than for the value before it.
  @inline(never)
  mutating func takeWokenByReplacement() -> ResumedWaiters? {
    for index in drains.indices.reversed() {
      if drains[index].turn < items.pushed { break }
      drains[index].turn -= 1
    }
    return takeWoken()
  }
  @inline(never)
  private mutating func collectWoken() -> ResumedWaiters {
    var woken = ResumedWaiters()
    if calling == 0 { swap(&woken.waiters, &waiters) }
    // They were appended in the order of their turns.
    let due = drains.prefix { $0.turn <= handled }.count
    for index in 0..<due { woken.counters.appendUnspecialized(drains[index].counter) }
    drains.removeFirstUnspecialized(due)
    return woken
  }
}
