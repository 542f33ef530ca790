/// The actor or target on which a queue is emptied.
enum Route: Sendable {
  case actor(any Actor)
  /// An actor that owns the handler and is not kept alive by it.
  case owner(WeakActor, SelfCancellation)
  case target(DeliveryTarget)

  var address: UInt {
    switch self {
    case .actor(let actor): Tidings.address(actor)
    case .owner(let owner, _): Tidings.address(owner.actor)
    case .target: 0
    }
  }
}
