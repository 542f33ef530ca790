import Tidings

/// The operators between an event and a handler: one of each kind, and relays behind one another.
enum OperatorChain: CaseIterable, Sendable {
  case none, map, filtered, scan, prefix, startWith, merge, share, replay, zip, flatMapLatest, mergedShare, sharedMerge
  // Beside a second source, which lives on.
  case mergeLiving, livingMerge, mergeLivingTwice, sharedMergeLiving, withLatestLiving, livingFlatMapLatest

  /// The values of the event, unchanged.
  ///
  /// - Parameter living: The second source, which the caller keeps.
  func over(_ event: some EventSource<Int>, beside living: Event<Int>) -> any EventSource<Int> {
    switch self {
    case .none: event
    case .map: event.map { $0 }
    case .filtered: event.map { $0 }.filter { _ in true }
    case .scan: event.scan(0) { $1 }
    case .prefix: event.prefix(100)
    case .startWith: event.startWith()
    case .merge: event.merge(Event<Int>())
    case .share: event.share()
    case .replay: event.replay(0)
    case .zip: event.zip(event).map { $0.0 }
    case .flatMapLatest: event.flatMapLatest { One(value: $0) }
    case .mergedShare: event.map { $0 }.share().merge(Event<Int>())
    case .sharedMerge: event.merge(Event<Int>()).share().startWith()
    case .mergeLiving: event.merge(living)
    case .livingMerge: living.merge(event)
    case .mergeLivingTwice: event.merge(living).map { $0 }.merge(living)
    case .sharedMergeLiving: event.share().merge(living)
    case .withLatestLiving: event.withLatest(from: living.startWith(0)).map { $0.0 }
    case .livingFlatMapLatest: living.startWith(0).flatMapLatest { [event] _ in event }
    }
  }
}

/// A source of which each handler receives one value when it is attached.
private struct One: EventSource {
  let value: Int
  func attach(_ handler: EventHandler<Int>) -> Subscription { Event<Int>().startWith(value).attach(handler) }
}
