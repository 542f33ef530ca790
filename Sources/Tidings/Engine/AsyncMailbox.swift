import Synchronization

/// The queue of an asynchronous handler: first in, first out, emptied by one task that awaits each call before the next.
///
/// What its base has for the calls of a synchronous handler holds for these: a call that is suspended is running.
final class AsyncMailbox<Payload: Sendable>: Mailbox, @unchecked Sendable {  // as its base
  typealias Call = @Sendable (Payload) async -> Void
  /// A closure as an object, see `TypedMailbox`.
  private final class Handler: Sendable {
    let call: Call
    init(_ call: @escaping Call) { self.call = call }
  }
  private struct Taken {
    let handler: Handler
    let value: Payload
    let locals: CarriedLocals?
    let ticket: Ticket?
  }

  private let buffering: BufferingPolicy
  private let overflow = Atomic<Int>(0)
  /// The task that is calling the handler; 0 when there is none. Compared, to find a handler that would wait for itself.
  private let caller = Atomic<Int>(0)

  init(_ call: @escaping Call, _ buffering: BufferingPolicy, _ site: CallSite) {
    self.buffering = buffering
    let origin = AsyncHandlerOrigin(nil, .serial, nil, site.file, site.line)
    super.init(origin, home: 0, State(handler: Handler(call), route: nil, items: Ring(of: Payload.self)))
  }
  deinit { close() }

  override var dropped: Int { overflow.load(ordering: .relaxed) }

  /// By the thread that delivers, which keeps `slot` meanwhile.
  func push(_ value: Payload, _ ticket: Ticket?, for slot: Slot) {
    let ticket = ticket.flatMap { isCallingHere ? refuse($0) : $0 }
    let locals = CarriedLocals.captured
    withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { room in
      let place = room.baseAddress!
      let (dropped, woken, starts) = state.withLock { state -> (Ring.Note?, Woken?, Bool) in
        // Asked under the lock: a pause takes out what is here, or is seen here.
        guard state.handler != nil, slot.isOpen else { return (nil, nil, false) }
        var dropped: Ring.Note?
        if state.items.count >= buffering.limit {
          overflow.add(1, ordering: .relaxed)
          if !buffering.keepsNewest { return (nil, nil, false) }
          dropped = state.items.pop(into: place)
          open.subtract(1, ordering: .releasing)
        }
        ticket?.enter()
        open.add(1, ordering: .relaxed)
        state.items.push(value, ticket, locals, depth: 0, chain: 0, own: false)
        defer { state.isScheduled = true }
        return (dropped, dropped == nil ? nil : state.takeWoken(), !state.isScheduled)
      }
      if let dropped {
        place.deinitialize(count: 1)
        dropped.locals?.release()
        dropped.ticket?.takeRetainedValue().leave()
      }
      woken?.wake()
      // Detached: the task must not see the task-local values of the emitter that happened to wake it.
      if starts { Task.detached { await self.drain() } }
    }
  }

  private func drain() async {
    caller.store(currentTask, ordering: .relaxed)
    while let next = take() {
      if let locals = next.locals {
        // A task takes the bindings there are where it is made with it, for as long as it runs.
        var call: Task<Void, Never>?
        locals.bind {
          call = Task {
            self.caller.store(self.currentTask, ordering: .relaxed)
            await next.handler.call(next.value)
          }
        }
        await call!.value
        caller.store(currentTask, ordering: .relaxed)
      } else {
        await next.handler.call(next.value)
      }
      let woken = state.withLock { state in
        open.subtract(1, ordering: .releasing)
        state.calling = false
        return state.takeWoken()
      }
      woken?.wake()
      next.ticket?.leave()
    }
  }
  private func take() -> Taken? {
    withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { room in
      let place = room.baseAddress!
      let (found, isOver) = state.withLock { state -> ((AnyObject, Ring.Note)?, Bool) in
        guard let handler = state.handler, !state.items.isEmpty else {
          // Before another task may begin, which says who it is.
          caller.store(0, ordering: .relaxed)
          state.isScheduled = false
          return (nil, state.retiring)
        }
        state.calling = true
        return ((handler, state.items.pop(into: place)), false)
      }
      guard let (handler, note) = found else {
        if isOver { close() }
        return nil
      }
      return Taken(
        handler: unsafeDowncast(handler, to: Handler.self), value: place.move(),
        locals: note.locals?.takeRetainedValue(), ticket: note.ticket?.takeRetainedValue())
    }
  }

  private var currentTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }
  private var isCallingHere: Bool {
    let caller = caller.load(ordering: .relaxed)
    return caller != 0 && caller == currentTask
  }
  /// The handler asks to wait for itself, which is reported; it waits for the others.
  private func refuse(_ ticket: Ticket) -> Ticket? {
    origin.refuseToWait()
    return nil
  }

  override func whenDrained(_ ticket: Ticket) {
    if !isCallingHere { return super.whenDrained(ticket) }
    origin.refuseToWait()
    ticket.leave()
  }
  override func idle() async {
    if isCallingHere { origin.refuseToWait() } else { await super.idle() }
  }

  override func close() {
    let kept = state.withLock { state in
      defer { state.handler = nil }
      return state.handler
    }
    dropAll()?.destroy()
    _ = kept
  }
  override func mute() -> AnyObject? { dropAll() }
  private func dropAll() -> Dropped<Payload>? {
    state.withLock { state -> Dropped<Payload>? in
      if state.items.isEmpty { return nil }
      open.subtract(state.items.count, ordering: .releasing)
      return Dropped(state.items.takeAll(), state.takeWoken())
    }
  }
}

/// What a report calls an asynchronous handler.
private final class AsyncHandlerOrigin: Origin {
  override var noun: String { "asynchronous handler" }
}

/// A handler that is awaited.
final class AsyncSlot<Payload: Sendable>: RoutedSlot<Payload>, @unchecked Sendable {  // nothing in it changes
  private let mailbox: AsyncMailbox<Payload>
  private let ownEnding: Ending?

  init(
    _ call: @escaping @Sendable (Payload) async -> Void, _ buffering: BufferingPolicy, _ ending: Ending?,
    _ site: CallSite
  ) {
    mailbox = AsyncMailbox(call, buffering, site)
    ownEnding = ending
  }
  override func receive(_ value: Payload, _ passage: Passage) { mailbox.push(value, passage.ticket, for: self) }
  override var ending: Ending? { ownEnding }
  override var outlet: Outlet? { mailbox }
  override func seal() -> Unmanaged<Outlet>? { .passRetained(mailbox) }
}
