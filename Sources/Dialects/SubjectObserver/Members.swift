import DialectSupport
import Synchronization
import Tidings

/// Objects held weakly in the order of adding, and the event that calls them: what `Subject` and `MulticastDelegate` share.
///
/// A place is a subscription with a weak reference beside it, by which it is found. Nothing that a user wrote runs under the
/// lock: not a handler, and not the deinitialization of an object either, which a weak load may cause by releasing it last.
final class Members<Message>: Sendable {
  private struct Place {
    let identity: ObjectIdentifier
    /// Nil: the object was deinitialized, or was disposed of.
    weak var member: AnyObject?
    let subscription: Subscription
  }
  // Messages and members cross threads unchecked: the callers assert it.
  private let event = Tidings.Event<UncheckedSendable<Message>>(policy: .immediate)
  private let places = Lock<[Place]>([])
  private let hasEmpty = Flag()

  /// - Parameter handler: Makes what is called with each message; it raises the flag when it finds its member deinitialized.
  func add(_ member: AnyObject, _ handler: (Flag) -> (UncheckedSendable<Message>) -> Void) {
    let handler = handler(hasEmpty)
    places.withLock { places in
      // In one step, so that places are in the order of calls. Handlers hold members weakly: to release one runs no
      // user code.
      let subscription = event.keep(unchecked: handler)
      places.append(Place(identity: ObjectIdentifier(member), member: member, subscription: subscription))
    }
  }

  func remove(_ member: AnyObject) {
    let place = places.withLock { places in Self.find(member, in: places).map { places.remove(at: $0) } }
    place?.subscription.cancel()
  }

  func dispose(_ member: AnyObject) {
    let subscription = places.withLock { places in
      Self.find(member, in: places).map { index in
        places[index].member = nil
        return places[index].subscription
      }
    }
    guard let subscription else { return }
    subscription.cancel()
    hasEmpty.raise()
  }

  func notify(_ message: Message) {
    if hasEmpty.isRaised { sweep() }
    event.emit(UncheckedSendable(message), isolation: nil)
    if hasEmpty.isRaised { sweep() }
  }

  func index(of member: AnyObject) -> Int? { places.withLock { Self.find(member, in: $0) } }

  subscript(index: Int) -> AnyObject? {
    places.withLock { $0.indices.contains(index) ? $0[index].member : nil }
  }

  /// Those that live, in their order.
  var all: [AnyObject] { places.withLock { $0.compactMap(\.member) } }

  /// By address first: the weak load is for one member only, which the caller holds.
  private static func find(_ member: AnyObject, in places: [Place]) -> Int? {
    let identity = ObjectIdentifier(member)
    return places.firstIndex { $0.identity == identity && $0.member === member }
  }

  /// Removes the places that are empty.
  private func sweep() {
    hasEmpty.lower()
    let (kept, empty) = places.withLock { places in
      var kept: [AnyObject] = []
      var empty: [Subscription] = []
      places.removeAll { place in
        guard let member = place.member else {
          empty.append(place.subscription)
          return true
        }
        kept.append(member)
        return false
      }
      return (kept, empty)
    }
    for subscription in empty { subscription.cancel() }
    withExtendedLifetime(kept) {}  // until here, outside the lock
  }
}

/// A mark that something is to be done.
final class Flag: Sendable {
  private let raised = Atomic<Bool>(false)
  var isRaised: Bool { raised.load(ordering: .relaxed) }
  func raise() { raised.store(true, ordering: .relaxed) }
  func lower() { raised.store(false, ordering: .relaxed) }
}
