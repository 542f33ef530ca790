import Synchronization

/// A handler with an actor: called in place by a deliverer that is there, else through its own queue.
class IsolatedSlot<Payload: Sendable>: RoutedSlot<Payload>, @unchecked Sendable {
  private final let handler: Converted<Payload>
  /// The actor's address, only ever compared, while the handler has never needed its queue; then what no actor has, as for a
  /// target that is none. One word says that it may be called: with two a thousand handlers took a tenth longer.
  private final let near: Atomic<UInt>
  private static var nowhere: UInt { .max }
  /// The queue, retained; 0 until it is needed, with `sealed` once the handler has ended. Kept as long as the slot: another
  /// thread may be about to use it.
  private final let queue = Atomic<UInt>(0)
  private static var sealed: UInt { 1 }
  override final var mark: UInt { Table.routed | Table.homed }

  init(_ handler: Converted<Payload>, home: UInt) {
    self.handler = handler
    near = Atomic(home == 0 ? Self.nowhere : home)
  }
  deinit { Self.queue(at: queue.load(ordering: .acquiring) & ~Self.sealed)?.release() }

  /// Where the queue is emptied.
  var route: Route { .actor(handler.isolation!) }

  /// The usual case, for the deliverer's loop: calls the handler if that is on its actor and never needed its queue. Asked
  /// in the loop and not through `receive`, which took twice as long.
  @inline(__always)
  final func call(_ value: Payload, from home: UInt) -> Bool {
    guard near.load(ordering: .relaxed) == home else { return false }
    handler.call(value)
    return true
  }

  /// The actor's address, whether or not the queue was needed.
  private final var home: UInt {
    let near = near.load(ordering: .relaxed)
    guard near == Self.nowhere,
      let queue = Self.queue(at: queue.load(ordering: .acquiring) & ~Self.sealed)
    else { return near }
    return queue._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Mailbox.self).home }
  }

  override final func receive(_ value: Payload, _ passage: Passage) {
    guard home == passage.home else { return post(value, passage) }
    if let queue = Self.queue(at: queue.load(ordering: .acquiring)), queue._withUnsafeGuaranteedRef({ Self.isBusy($0) })
    {
      switch unsafeDowncast(queue.takeUnretainedValue(), to: TypedMailbox<Payload>.self).clearTheWay(on: passage.here) {
      case .clear: break
      case .taken: return post(value, passage)
      case .paused: return
      }
    }
    // What was in the queue, or an operator on the way here, may have cancelled or paused the handler.
    if isOpen { handler.call(value) }
  }

  @inline(never)
  private final func post(_ value: Payload, _ passage: Passage) {
    if queue.load(ordering: .acquiring) == 0 { makeQueue() }
    // By every thread that puts something there, before it is there: with `.immediate` another may have made the queue.
    near.store(Self.nowhere, ordering: .relaxed)
    guard let queue = Self.queue(at: queue.load(ordering: .acquiring)) else { return }
    // Retained meanwhile: the handler may end itself, and its queue with it.
    unsafeDowncast(queue.takeUnretainedValue(), to: TypedMailbox<Payload>.self).push(value, passage.ticket, for: self)
  }

  private final func makeQueue() {
    let new = Unmanaged<Outlet>.passRetained(TypedMailbox(handler.call, route, home: home, from: Frame.origin!))
    let bits = UInt(bitPattern: new.toOpaque())
    // Sequentially consistent for the sake of a pause, see `isOpen`.
    if !queue.compareExchange(expected: 0, desired: bits, ordering: .sequentiallyConsistent).exchanged { new.release() }
  }

  @inline(__always)
  private static func isBusy(_ queue: Outlet) -> Bool {
    unsafeDowncast(queue, to: Mailbox.self).open.load(ordering: .acquiring) != 0
  }
  private static func queue(at bits: UInt) -> Unmanaged<Outlet>? {
    guard bits & sealed == 0, let address = UnsafeRawPointer(bitPattern: bits) else { return nil }
    return .fromOpaque(address)
  }
  override final var outlet: Outlet? {
    Self.queue(at: queue.load(ordering: .sequentiallyConsistent))?.takeUnretainedValue()
  }
  override final func seal() -> Unmanaged<Outlet>? {
    Self.queue(at: queue.bitwiseOr(Self.sealed, ordering: .acquiringAndReleasing).oldValue)?.retain()
  }
}

/// An isolated handler whose closure does not tell its home: owner-bound, `once`, `onError`, or with a delivery target.
final class RoutedHandlerSlot<Payload: Sendable>: IsolatedSlot<Payload>, @unchecked Sendable {
  private let fixed: Route
  private let ownEnding: Ending?
  init(_ call: @escaping Plain<Payload>, _ route: Route, _ ending: Ending?) {
    fixed = route
    ownEnding = ending
    super.init(Converted(plain: call), home: route.address)
  }
  override var route: Route { fixed }
  override var ending: Ending? { ownEnding }
}
