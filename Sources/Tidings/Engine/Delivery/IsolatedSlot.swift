import Synchronization

/// An isolated handler: called in place by code that delivers on its actor, otherwise through its own queue.
class IsolatedSlot<Payload: Sendable>: RoutedSlot<Payload>, @unchecked Sendable {
  private final let handler: Converted<Payload>
  /// The actor's address, only ever compared, while the handler has never needed its queue; afterwards, and for a delivery
  /// target, an address that no actor has. One word decides the fast path: with two, a thousand handlers took a tenth longer.
  private final let fastPathActor: Atomic<UInt>
  private static var noActor: UInt { .max }
  /// The queue, retained; 0 until it is needed, with `sealed` once the handler has ended. It is kept as long as the slot:
  /// another thread may be about to use it.
  private final let queue = Atomic<UInt>(0)
  private static var sealed: UInt { 1 }
  override final var tag: UInt { Table.routed | Table.isolated }

  init(_ handler: Converted<Payload>, home: UInt) {
    self.handler = handler
    fastPathActor = Atomic(home == 0 ? Self.noActor : home)
  }
  deinit { Self.queue(at: queue.load(ordering: .acquiring) & ~Self.sealed)?.release() }

  /// The actor on which the queue is emptied.
  var route: Route { .actor(handler.isolation!) }

  /// The usual case, in the delivery loop: calls the handler if that is on its actor and never needed its queue. Through
  /// `receive` this took twice as long.
  @inline(__always)
  final func call(_ value: Payload, from home: UInt) -> Bool {
    guard fastPathActor.load(ordering: .relaxed) == home else { return false }
    handler.call(value)
    return true
  }

  /// The actor's address, whether or not the queue was needed.
  private final var home: UInt {
    let fastPathActor = fastPathActor.load(ordering: .relaxed)
    guard fastPathActor == Self.noActor,
      let queue = Self.queue(at: queue.load(ordering: .acquiring) & ~Self.sealed)
    else { return fastPathActor }
    return queue._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Mailbox.self).home }
  }

  override final func receive(_ value: Payload, _ context: DeliveryContext) {
    guard home == context.home else { return post(value, context) }
    if let queue = Self.queue(at: queue.load(ordering: .acquiring)), queue._withUnsafeGuaranteedRef({ Self.isBusy($0) })
    {
      switch unsafeDowncast(queue.takeUnretainedValue(), to: TypedMailbox<Payload>.self).drainInPlace(on: context.here)
      {
      case .clear: break
      case .taken: return post(value, context)
      case .paused: return
      }
    }
    // A queued value, or an operator before the handler, may have cancelled or paused it.
    if isOpen, !RevocationCheck.isRevokedHere { handler.call(value) }
  }

  @inline(never)
  private final func post(_ value: Payload, _ context: DeliveryContext) {
    if queue.load(ordering: .acquiring) == 0 { makeQueue() }
    // Stored by every thread that queues a value, before it does: with `.immediate` another thread may have made the queue.
    fastPathActor.store(Self.noActor, ordering: .relaxed)
    guard let queue = Self.queue(at: queue.load(ordering: .acquiring)) else { return }
    // Retained during the call: the handler may cancel itself, and close its queue.
    unsafeDowncast(queue.takeUnretainedValue(), to: TypedMailbox<Payload>.self).push(value, context.counter, for: self)
  }

  private final func makeQueue() {
    let new = Unmanaged<Endpoint>.passRetained(
      TypedMailbox(handler.call, route, home: home, from: CausalFrame.innermost!))
    let bits = UInt(bitPattern: new.toOpaque())
    // Sequentially consistent for the sake of a pause, see `isOpen`.
    if !queue.compareExchange(expected: 0, desired: bits, ordering: .sequentiallyConsistent).exchanged { new.release() }
  }

  @inline(__always)
  private static func isBusy(_ queue: Endpoint) -> Bool {
    unsafeDowncast(queue, to: Mailbox.self).open.load(ordering: .acquiring) != 0
  }
  private static func queue(at bits: UInt) -> Unmanaged<Endpoint>? {
    guard bits & sealed == 0, let address = UnsafeRawPointer(bitPattern: bits) else { return nil }
    return .fromOpaque(address)
  }
  override final var endpoint: Endpoint? {
    Self.queue(at: queue.load(ordering: .sequentiallyConsistent))?.takeUnretainedValue()
  }
  override final func seal() -> Unmanaged<Endpoint>? {
    Self.queue(at: queue.bitwiseOr(Self.sealed, ordering: .acquiringAndReleasing).oldValue)?.retain()
  }
}

/// An isolated handler whose closure does not carry its actor: owner-bound, `once`, `onError`, or with a delivery target.
final class RoutedHandlerSlot<Payload: Sendable>: IsolatedSlot<Payload>, @unchecked Sendable {
  private let fixed: Route
  private let ownCancellation: SelfCancellation?
  init(_ call: @escaping PlainHandler<Payload>, _ route: Route, _ selfCancellation: SelfCancellation?) {
    fixed = route
    ownCancellation = selfCancellation
    super.init(Converted(plain: call), home: route.address)
  }
  override var route: Route { fixed }
  override var selfCancellation: SelfCancellation? { ownCancellation }
}
