/// A relay that receives nothing more from a list, and may still have to deliver what it received: the list knows it until then.
final class RelayStage: Endpoint, @unchecked Sendable {  // the weak reference is written once
  let relay: HandlerList
  private weak var source: HandlerList?
  private let upstream: UpstreamNumber

  init(_ relay: HandlerList, of source: HandlerList, through upstream: UpstreamNumber) {
    self.relay = relay
    self.source = source
    self.upstream = upstream
  }
  override var waiting: Int { 1 }
  override func retire() {
    relay.sendBarrier(CompletionCounter(includingBuffers: true) { [self] in source?.forget(self) }, through: nil)
  }
  /// The source's user has cancelled all: what it has given to the relay is dropped. What the relay has from other sources is not.
  override func close() {
    revokeUpstream()
    if relay.hasNoHandlers { relay.clear(closingQueues: true) }
  }
  // Once the relay has closed, there is no way to what is behind it.
  override func revokeUpstream() { relay.revoke(upstream) }
  override func revoke(_ origin: UpstreamNumber, through path: BarrierPath?) { relay.revoke(origin, through: path) }
}

extension HandlerList {
  /// The stage has yet to deliver what it has: `drained()` waits for it.
  final func retain(_ stage: RelayStage) { state.withLock { $0.retiring.appendUnspecialized(stage) } }
  /// Under the lock: the queues and the relays that this list delivers to.
  final func stagesBehind(_ state: borrowing State) -> (endpoints: [Endpoint], relays: [HandlerList]) {
    var (endpoints, relays) = (state.retiring, [HandlerList]())
    for entry in entries(state) {
      Self.slot(of: entry)._withUnsafeGuaranteedRef { slot in
        if let endpoint = slot.endpoint { endpoints.appendUnspecialized(endpoint) }
        if let relay = slot.downstream { relays.appendUnspecialized(relay) }
      }
    }
    return (endpoints, relays)
  }
}
