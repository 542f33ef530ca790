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
  override func revoke(_ origin: GateNumber, through path: BarrierPath?) { relay.revoke(origin, through: path) }
}

extension HandlerList {
  /// No call begins with a value that came through the gate: neither from this list and those behind it nor from a handler's queue.
  @_optimize(size)
  final func revoke(_ origin: GateNumber, through path: BarrierPath? = nil) {
    if path?.contains(self) ?? false { return }
    let (endpoints, relays) = state.withLock { state in
      state.serial.queue.revoke(from: origin.bits, as: GateNumber.revoked.bits)
      // The value that is being delivered may be one of them.
      if !isUnseen(flagging: StateWord.more | StateWord.checkpoint) { state.retired.add(revoked: origin) }
      return stagesBehind(state)
    }
    RevocationCheck.revocations.add(1, ordering: .acquiringAndReleasing)
    let path = BarrierPath(self, path)
    for endpoint in endpoints { endpoint.revoke(origin, through: path) }
    for relay in relays { relay.revoke(origin, through: path) }
  }
  /// Under no other lock.
  fileprivate final func hasRevoked(_ origin: GateNumber) -> Bool { state.withLock { $0.retired.hasRevoked(origin) } }

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

/// Whether the value that this thread delivers was revoked, for what is behind its relay.
///
/// `revoke` flags the relay, counts, and then goes to what is behind it. A queue asks under its own lock whether the relay was
/// flagged. If so, it asks the relay under no lock, and then takes the value unless another revocation was counted meanwhile: that
/// one may already have looked in the queue.
struct RevocationCheck {
  fileprivate static let revocations = Atomic<UInt>(0)
  private let relay: HandlerList?
  private var counted: UInt?

  init(isNeeded: Bool = true) { relay = isNeeded ? Self.relaying : nil }

  /// The relay that delivers here a value which came through a gate.
  private static var relaying: HandlerList? {
    CausalFrame.origin == .none ? nil : unsafeDowncast(CausalFrame.innermost.unsafelyUnwrapped, to: HandlerList.self)
  }
  private static func isFlagged(_ relay: HandlerList) -> Bool {
    relay.word.load(ordering: .relaxed) & StateWord.checkpoint != 0
  }

  /// Under the lock of the queue.
  var isDoubtful: Bool {
    guard let relay, Self.isFlagged(relay) else { return false }
    return counted != Self.revocations.load(ordering: .acquiring)
  }
  /// Under no lock.
  mutating func isRevoked() -> Bool {
    counted = Self.revocations.load(ordering: .acquiring)
    return relay?.hasRevoked(CausalFrame.origin) ?? false
  }
  /// The same for what has claimed the value, or calls a handler with it.
  static var isRevokedHere: Bool {
    guard let relay = relaying, isFlagged(relay) else { return false }
    return relay.hasRevoked(CausalFrame.origin)
  }
}
