import Synchronization

extension HandlerList {
  /// Revokes the values that came through an upstream subscription: no call begins with one, neither from this list and those
  /// behind it nor from a handler's queue.
  @_optimize(size)
  final func revoke(_ origin: UpstreamNumber, through path: BarrierPath? = nil) {
    if path?.contains(self) ?? false { return }
    let (endpoints, relays) = state.withLock { state in
      state.serial.queue.revoke(from: origin.bits, as: UpstreamNumber.revoked.bits)
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
  fileprivate final func hasRevoked(_ origin: UpstreamNumber) -> Bool {
    state.withLock { $0.retired.hasRevoked(origin) }
  }
}

/// A question of a queue, or of the last step before a handler: was the value that this thread delivers revoked?
///
/// `revoke` flags the relay, counts, and then goes to what is behind it. A queue asks under its own lock whether the relay was
/// flagged. If so, it asks the relay under no lock, and then takes the value unless another revocation was counted meanwhile: that
/// one may already have looked in the queue.
struct RevocationCheck {
  fileprivate static let revocations = Atomic<UInt>(0)
  private let relay: HandlerList?
  private var counted: UInt?

  init(isNeeded: Bool = true) { relay = isNeeded ? Self.relaying : nil }

  /// The relay that delivers here, if its value came through an upstream subscription.
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
