import Synchronization

/// The queue of an operator that waits, between a source and the operator's relay: each call takes a value, waits, and passes a
/// value on.
///
/// A call is over when the relay's handlers are done with what it passed on. So whatever waits for this queue, an `emitAndWait` or a
/// barrier, has waited for the relay too.
final class RelayingMailbox: AsyncMailbox, @unchecked Sendable {  // as its base; `relay` is written once
  /// The source's handler and the calls retain it: it ends when the last of them does.
  private weak var relay: HandlerList?
  private let number = UpstreamNumber.next()
  private let wake: @Sendable () -> Void
  /// The gate of the call that has passed its value on. Under the lock of the base.
  private var gate: GateSlot?

  /// - Parameter wake: Wakes the call that is waiting, if any, when it was revoked.
  init(
    before relay: HandlerList, waking wake: @escaping @Sendable () -> Void, _ site: CallSite
  ) {
    (self.relay, self.wake) = (relay, wake)
    super.init(.unbounded, site)
  }

  /// The gate through which a call passes its value on, unless its permit was revoked. The relay asks the gate when the value has its
  /// place there, so that a pause or a cancel before that moment counts.
  func openGate(_ permit: CallPermit) -> GateSlot? {
    state.withLock { state in
      guard permit.isValid else { return nil }
      let gate = GateSlot(state.callingFrom == .none ? number : state.callingFrom)
      gate.linkAlone()
      self.gate = gate
      return gate
    }
  }
  override func revokePermits() {
    super.revokePermits()
    gate?.link.store(Slot.closed, ordering: .sequentiallyConsistent)
    gate = nil
  }

  // The relay still delivers what was passed on, also when the subscription to the source was the relay's own and is cancelled. The
  // call that has passed it on is over when that is done.
  override var deliversAfterCancel: Bool { true }
  override func close() {
    super.close()
    wake()
  }
  override func pause() -> AnyObject? { Waking(super.pause(), wake) }
  override func revokeUpstream() {
    guard let relay else { return }
    relay.revoke(number)
    if relay.hasNoHandlers { relay.clear(closingQueues: true) }
  }
  override func revoke(_ origin: UpstreamNumber, through path: BarrierPath?) {
    super.revoke(origin, through: path)
    wake()
    relay?.revoke(origin, through: path)
  }
}

/// The calls that a pause has dropped, destroyed outside the lock; then the call that is waiting is woken.
private final class Waking {
  private var dropped: AnyObject?
  private let wake: @Sendable () -> Void
  init(_ dropped: AnyObject?, _ wake: @escaping @Sendable () -> Void) { (self.dropped, self.wake) = (dropped, wake) }
  deinit {
    dropped = nil
    wake()
  }
}

extension AwaitingSlot {
  /// By a call: lets `relay` pass a value on, and returns when the relay's handlers are done with it.
  @usableFromInline
  func pass(_ permit: CallPermit, _ relay: (DeliveryContext, GateSlot) -> Void) async {
    guard let gate = (mailbox as? RelayingMailbox)?.openGate(permit) else { return }
    let task = CompletionCounter.currentTask
    await withUnsafeContinuation { continuation in
      let counter = CompletionCounter(continuation, waitingTask: task)
      withExtendedLifetime(counter) { relay(DeliveryContext(here: nil, counter: counter), gate) }
      counter.leave()
    }
  }
}
