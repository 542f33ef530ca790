import Synchronization

/// The way to one handler that is elsewhere: first in, first out, emptied by one task at a time.
///
/// It holds the handler itself, so that `close()` can release it while a task is still on its way. What does not concern
/// the values' type is here; `TypedMailbox` has the rest.
class Mailbox: Outlet, @unchecked Sendable {  // mutable state stands in `state`, under its lock, and in an atomic
  struct State {
    var handler: AnyObject?
    var route: Route?
    var items: Ring
    var cycles = CycleGuard()
    /// A task or job is emptying the queue, or on its way to. There is never a second one: an actor that stays busy would
    /// collect them.
    var isScheduled = false
    var calling = false
    /// How often the handler was paused.
    var pauses = 0
    /// The event is gone: what is queued still arrives, then the handler is released.
    var retiring = false
    /// Each waits for the call that is running.
    var waiters: [UnsafeContinuation<Void, Never>] = []
    /// Each waits until so many values have been handled or dropped.
    var drains: [(turn: Int, ticket: Ticket)] = []

    var handled: Int { items.popped - (calling ? 1 : 0) }
  }
  final let state: Lock<State>
  /// Values queued or being called. Falls after a call, so 0 means that nothing can be overtaken.
  final let open = Atomic<Int>(0)
  /// A task lets go of the actor after this many values and comes back: others want their turn.
  static let round = 1_024

  /// The event that made it.
  final let origin: Origin
  /// The address of the actor that empties it, see `IsolatedSlot`.
  final let home: UInt

  init(_ origin: Origin, home: UInt, _ state: consuming State) {
    self.origin = origin
    self.home = home
    self.state = Lock(state)
    super.init()
  }

  override final var waiting: Int { open.load(ordering: .relaxed) }

  /// Closes when what is queued has arrived.
  override final func retire() {
    let isEmpty = state.withLock { state in
      state.retiring = true
      return state.items.isEmpty && !state.calling
    }
    if isEmpty { close() }
  }

  override func idle() async {
    await withUnsafeContinuation { continuation in
      let busy = state.withLock { state in
        if state.calling { state.waiters.append(continuation) }
        return state.calling
      }
      if !busy { continuation.resume() }
    }
  }

  override func whenDrained(_ ticket: Ticket) {
    let isDrained = state.withLock { state in
      if state.handled == state.items.pushed { return true }
      state.drains.append((state.items.pushed, ticket))
      return false
    }
    if isDrained { ticket.leave() }
  }
}

/// Those who waited for a call, or for the values up to one, and find it over.
struct Woken {
  var waiters: [UnsafeContinuation<Void, Never>] = []
  var tickets: [Ticket] = []

  func wake() {
    for waiter in waiters { waiter.resume() }
    for ticket in tickets { ticket.leave() }
  }
}

extension Mailbox.State {
  /// After a call, or after values were dropped.
  mutating func takeWoken() -> Woken? {
    if waiters.isEmpty, drains.isEmpty { return nil }
    return takeThose()
  }
  @inline(never)
  private mutating func takeThose() -> Woken {
    var woken = Woken()
    if !calling { swap(&woken.waiters, &waiters) }
    // They came in the order of their turns.
    let due = drains.prefix { $0.turn <= handled }.count
    for index in 0..<due { woken.tickets.append(drains[index].ticket) }
    drains.removeFirst(due)
    return woken
  }
}
