import Synchronization

/// Where a queue is emptied.
enum Route: Sendable {
  case actor(any Actor)
  /// An actor that owns the handler and is not kept alive by it.
  case owner(WeakActor, Ending)
  case target(DeliveryTarget)

  var address: UInt {
    switch self {
    case .actor(let actor): Tidings.address(actor)
    case .owner(let owner, _): Tidings.address(owner.actor)
    case .target: 0
    }
  }
}

final class WeakActor: @unchecked Sendable {  // written once, before it is shared
  private(set) weak var actor: (any Actor)?
  init(_ actor: any Actor) { self.actor = actor }
}

/// The way to one handler that is elsewhere: first in, first out, emptied by one task at a time.
///
/// It holds the handler itself, so that `close()` can let it go while a task is still on its way. What does not concern
/// the values' type is here; `TypedMailbox` has the rest.
class Mailbox: Outlet, @unchecked Sendable {  // mutable state stands in `state`, under its lock, and in an atomic
  struct State {
    var handler: AnyObject?
    var route: Route?
    var items: Ring
    /// A task or job is emptying the queue, or on its way to.
    var draining = false
    var calling = false
    var paused = false
    /// The event is gone: what is queued still arrives, then the handler goes.
    var retiring = false
    var waiters: [UnsafeContinuation<Void, Never>] = []
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
  override final func unmute() { state.withLock { $0.paused = false } }

  override final func idle() async {
    await withUnsafeContinuation { continuation in
      let busy = state.withLock { state in
        if state.calling { state.waiters.append(continuation) }
        return state.calling
      }
      if !busy { continuation.resume() }
    }
  }
}

final class TypedMailbox<Payload: Sendable>: Mailbox, @unchecked Sendable {
  /// A closure as an object: non-generic state can hold it.
  private final class Handler {
    let call: Plain<Payload>
    init(_ call: @escaping Plain<Payload>) { self.call = call }
  }

  init(_ call: @escaping Plain<Payload>, _ route: Route, home: UInt, from origin: Origin) {
    super.init(origin, home: home, State(handler: Handler(call), route: route, items: Ring(of: Payload.self)))
  }
  deinit { close() }

  func push(_ value: Payload, _ ticket: Ticket?) {
    let depth = Frame.currentDepth
    if Frame.steps(depth) > origin.queuedLimit { return origin.refuse(depth: depth) }
    let start = state.withLock { state -> Route? in
      guard state.handler != nil, !state.paused else { return nil }
      ticket?.enter()
      open.add(1, ordering: .relaxed)
      state.items.push(value, ticket, depth: depth, own: false)
      if state.draining { return nil }
      state.draining = true
      return state.route
    }
    if let start { begin(start) }
  }

  private func begin(_ route: Route) {
    switch route {
    case .actor(let actor): start(on: actor)
    case .owner(let owner, let ending):
      if let actor = owner.actor {
        start(on: actor)
      } else {
        ending.cancel()
        close()
      }
    case .target(let target): target.schedule { self.drain(onto: target) }
    }
  }
  private func start(on actor: any Actor) {
    Task { await drain(on: actor) }
  }
  private func drain(on home: isolated any Actor) async {
    while drain() { await Task.yield() }
  }
  private func drain(onto target: DeliveryTarget) {
    if drain() { target.schedule { self.drain(onto: target) } }
  }

  /// On the handler's actor: true when nothing is on its way, so that a value may be delivered in place. Empties the queue
  /// for that; refuses when it is the queue's own call that emits.
  func clearTheWay() -> Bool {
    if state.withLock({ $0.calling }) { return false }
    while drain() {}
    return true
  }

  /// Calls the handler with what is queued, a round of it at most; true when more is left.
  private func drain() -> Bool {
    let (paused, wave) = (Transaction.pause(), Context.leaveWave())
    defer {
      Context.enterWave(wave)
      if let paused { Transaction.resume(paused) }
    }
    return withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { room in
      let place = room.baseAddress!
      var note = Ring.Note()
      var finished: Ticket?
      var called = false
      var left = Self.round
      while true {
        let (step, waiters) = state.withLock { state in
          if called {
            open.subtract(1, ordering: .releasing)
            state.calling = false
          }
          return (next(&state, into: place, &note, left), state.takeWaiters())
        }
        // Who waits for the call finds it over, the handler let go and the value no longer counted.
        if let waiters { for waiter in waiters { waiter.resume() } }
        if let ticket = finished {
          finished = nil
          ticket.leave()
        }
        switch step {
        case .stop: return false
        case .close:
          close()
          return false
        case .rest: return true
        case .call(let handler):
          Frame.push(origin, depth: note.depth) { call(handler, place) }
          finished = note.ticket?.takeRetainedValue()
          called = true
          left &-= 1
        }
      }
    }
  }
  private func next(
    _ state: inout State, into place: UnsafeMutablePointer<Payload>, _ note: inout Ring.Note, _ left: Int
  )
    -> Step
  {
    guard let handler = state.handler, !state.items.isEmpty else {
      state.draining = false
      return state.retiring ? .close : .stop
    }
    if left == 0 { return .rest }
    note = state.items.pop(into: place)
    state.calling = true
    return .call(handler)
  }
  @inline(never)
  private func call(_ handler: consuming AnyObject, _ place: UnsafeMutablePointer<Payload>) {
    unsafeDowncast(handler, to: Handler.self).call(place.pointee)
    place.deinitialize(count: 1)
  }

  override func close() {
    drop { state in
      defer { (state.handler, state.route) = (nil, nil) }
      return (state.handler, state.route)
    }
  }
  override func mute() {
    drop { state in
      state.paused = true
      return ()
    }
  }
  private func drop<Kept>(_ change: (inout State) -> Kept) {
    let (items, kept) = state.withLock { state in
      let items = state.items.takeAll()
      open.subtract(items.count, ordering: .releasing)
      return (items, change(&state))
    }
    items.destroy(Payload.self)
    _ = kept
  }
}

// Not nested in the generic class: naming it there would be a metadata look-up.
private enum Step {
  case call(AnyObject)
  case rest
  case stop
  case close
}

extension Mailbox.State {
  mutating func takeWaiters() -> [UnsafeContinuation<Void, Never>]? {
    if waiters.isEmpty { return nil }
    defer { waiters = [] }
    return waiters
  }
}
