import Synchronization

/// A relay that receives nothing more from a list, and may still have to deliver what it received: the list knows it until then.
final class RelayStage: Endpoint, @unchecked Sendable {  // the weak reference is written once
  let relay: HandlerList
  private weak var source: HandlerList?
  private let gate: GateNumber

  init(_ relay: HandlerList, of source: HandlerList, through gate: GateNumber) {
    self.relay = relay
    self.source = source
    self.gate = gate
  }
  override var waiting: Int { 1 }
  override func retire() {
    relay.sendBarrier(CompletionCounter { [self] in source?.forget(self) }, through: nil)
  }
  /// The source's user has cancelled all: what it has given to the relay is dropped. What the relay has from other sources is not.
  override func close() {
    relay.revoke(gate)
    if relay.hasNoHandlers { relay.clear(closingQueues: true) }
  }
  override func revoke(_ origin: GateNumber) { relay.revoke(origin) }
}

extension HandlerList {
  /// No call begins with a value that came through the gate: neither from this list and those behind it nor from a handler's queue.
  @_optimize(size)
  final func revoke(_ origin: GateNumber) {
    let (endpoints, relays) = state.withLock { state in
      state.serial.queue.revoke(from: origin.bits, as: GateNumber.revoked.bits)
      // The value that is being delivered may be one of them.
      if !isUnseen(flagging: StateWord.more | StateWord.checkpoint) { state.retired.add(revoked: origin) }
      return stagesBehind(state)
    }
    for endpoint in endpoints { endpoint.revoke(origin) }
    for relay in relays { relay.revoke(origin) }
  }

  /// The relay that delivers here a value which came through a gate. `revoke` flags it before it goes to what is behind it. So what is
  /// behind it first takes the value, by its claim or under its lock, and then asks: the value is revoked there, or found here.
  static var relaying: HandlerList? {
    CausalFrame.origin == .none ? nil : unsafeDowncast(CausalFrame.innermost.unsafelyUnwrapped, to: HandlerList.self)
  }
  final var mayHaveRevoked: Bool { word.load(ordering: .relaxed) & StateWord.checkpoint != 0 }
  /// Under no other lock.
  final func hasRevoked(_ origin: GateNumber) -> Bool { state.withLock { $0.retired.hasRevoked(origin) } }
  /// Whether the value that is delivered here was revoked.
  static var isRevoked: Bool {
    guard let relaying, relaying.mayHaveRevoked else { return false }
    return relaying.hasRevoked(CausalFrame.origin)
  }

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
