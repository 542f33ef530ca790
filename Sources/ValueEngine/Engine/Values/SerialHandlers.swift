import Synchronization

/// The handlers of one value: a stand-in for the core's `HandlerList`, with what the sentences about values need of it.
///
/// One call at a time delivers. It calls each handler with one change before the next. A change that is accepted meanwhile waits in
/// the queue, also when a handler has made it.
final class SerialHandlers<Value>: ChangeDelivery, @unchecked Sendable {  // the state is accessed under the lock
  struct Change {
    let old: Value
    let new: Value
    /// The number of changes that were accepted before.
    let index: Int
  }
  private let lock = ParkingLockPointer.allocate(capacity: 1)
  private var handlers: [ValueHandler<Value>] = []
  /// From `first` on: the changes that wait.
  private var changes: [Change?] = []
  private var first = 0
  private var accepted = 0
  private var isDelivering = false

  init() { lock.initialize(to: ParkingLock()) }
  deinit {
    lock.deinitialize(count: 1)
    lock.deallocate()
  }

  // MARK: Under a lock of the engine

  var isEmpty: Bool {
    let held = HeldLock(lock)
    let isEmpty = handlers.isEmpty
    held.release()
    return isEmpty
  }
  /// The handler receives the changes that are accepted from now on.
  func add(_ handler: ValueHandler<Value>) {
    let held = HeldLock(lock)
    handler.since = accepted
    handlers.append(handler)
    held.release()
  }
  func accept(_ old: UnsafePointer<UInt>, _ new: UnsafePointer<UInt>) -> Acceptance {
    let (old, new) = (Words<Value>.load(old), Words<Value>.load(new))
    let held = HeldLock(lock)
    changes.append(Change(old: old, new: new, index: accepted))
    accepted += 1
    let isClaimed = !isDelivering
    isDelivering = true
    held.release()
    return isClaimed ? .claimed : .queued
  }

  // MARK: With no lock held

  /// False if the handler has ended before. What the handler captures is released by the caller, or by the call that delivers.
  func remove(_ handler: ValueHandler<Value>) -> Bool {
    handler.end()
    let held = HeldLock(lock)
    let old = handlers
    handlers = old.filter { $0 !== handler }
    let isRemoved = handlers.count != old.count
    held.release()
    return isRemoved
  }
  func deliver() {
    while let (change, handlers) = next() {
      for handler in handlers where handler.since <= change.index { handler.receive(change) }
    }
  }
  /// The next change, with the handlers that there are now; nil gives the claim up.
  private func next() -> (Change, [ValueHandler<Value>])? {
    let held = HeldLock(lock)
    var next: (Change, [ValueHandler<Value>])?
    if first < changes.count {
      next = (changes[first].take()!, handlers)
      first += 1
    } else {
      // All were moved out before, so this destroys no value of a user.
      changes.removeAll()
      first = 0
      isDelivering = false
    }
    held.release()
    return next
  }
}

/// One handler.
final class ValueHandler<Value>: @unchecked Sendable {  // see each property
  typealias Body = @Sendable (_ old: Value?, _ new: Value) -> Void

  private let body: Body
  private let isActive = Atomic<Bool>(true)
  /// Written when the handler is added, under the list's lock.
  fileprivate(set) var since = 0
  /// The changes that wait for the call with the initial value; nil once they need not wait any more. Under the lock.
  private var waiting: [SerialHandlers<Value>.Change]?
  private let lock = ParkingLockPointer.allocate(capacity: 1)

  init(waitsForInitial: Bool, _ body: @escaping Body) {
    self.body = body
    waiting = waitsForInitial ? [] : nil
    lock.initialize(to: ParkingLock())
  }
  deinit {
    lock.deinitialize(count: 1)
    lock.deallocate()
  }

  func end() { isActive.store(false, ordering: .releasing) }
  private func call(_ old: Value?, _ new: Value) {
    if isActive.load(ordering: .acquiring) { body(old, new) }
  }

  /// By the call that delivers.
  fileprivate func receive(_ change: SerialHandlers<Value>.Change) {
    let held = HeldLock(lock)
    let waits = waiting != nil
    if waits { waiting!.append(change) }
    held.release()
    if !waits { call(change.old, change.new) }
  }
  /// Calls the handler with the initial value, then with the changes that were delivered meanwhile. By the call that has added it.
  func begin(_ initial: Value) {
    call(nil, initial)
    while true {
      let held = HeldLock(lock)
      let changes = waiting!
      waiting = changes.isEmpty ? nil : []
      held.release()
      if changes.isEmpty { return }
      for change in changes { call(change.old, change.new) }
    }
  }
}
