internal import Tidings

/// A list of subscriptions that is notified of values. A value itself: a copy has a list of its own.
///
/// ```swift
/// var pressed = Event<Key>()
/// pressed += { key in print(key) }
/// pressed.notify(.return)
/// ```
///
/// - **Order**: handlers are called in the order in which they were added.
/// - **Thread**: on the thread that notifies, before ``notify(_:)`` returns. An event belongs to one thread or one actor:
///   it is not `Sendable`, and closures need not be. Code in Swift 5 mode must keep to that by itself.
/// - **Re-entrancy**: a handler may add, remove, read and notify, also when the event is stored in a class. What it notifies of
///   is delivered immediately, nested. What it adds receives the next value; what it removes is called no more.
/// - **Lifetime**: the event keeps its subscriptions, and they end with the last copy that has them.
/// - **Cost**: to notify is O(*n*), without allocation or lock. A copy costs nothing until one of the two changes; then O(*n*).
///
/// From the original. Fixed: ``notify(_:)`` does not mutate, so that an event stored in a class may be used from its own
/// handlers, and a handler whose owner is deinitialized meanwhile is skipped.
public struct Event<T>: UnownableEvent {
  /// The payload of the event.
  public typealias ValueType = T
  /// The type of the subscriptions that are added to the event.
  public typealias SubscriptionType = EventSubscription<T>
  /// The type of the closures that the event calls with each value.
  public typealias HandlerType = SubscriptionType.HandlerType

  private let policy: DeliveryPolicy
  private(set) var roster: Roster<T>?
  private var share: Share?

  /// An event without subscriptions.
  public init() { self.init(.immediate) }
  private init(_ policy: DeliveryPolicy) { self.policy = policy }

  /// An event that delivers what a handler notifies when the current value has reached every handler: for changes, which make
  /// a chain.
  static var inTurn: Event { Event(.serial) }
  /// One like this, without subscriptions.
  var emptied: Event { Event(policy) }
  /// One like this, with its list to itself.
  var unshared: Event {
    var copy = self
    copy.unshare()
    return copy
  }

  /// The subscriptions that have not ended, in their order.
  public var subscriptions: [SubscriptionType] { roster?.subscriptions ?? [] }

  /// Notifies every valid subscription, each before the next.
  ///
  /// Not mutating, so a constant may be notified too. It uses up the copy that it is called on: what is left are the copies
  /// that is retained, and a handler that removes from the only one removes from the list that is being notified.
  ///
  /// - Complexity: O(*n*) in the number of subscriptions.
  public consuming func notify(_ value: T) {
    guard let roster else { return }
    _ = consume self
    roster.notify(value)
  }

  /// Adds a subscription. The same one may be added several times, and is called as often.
  ///
  /// - Complexity: O(1), amortised.
  @discardableResult
  public mutating func add(_ subscription: SubscriptionType) -> SubscriptionType {
    enroll().add(subscription)
    return subscription
  }

  /// Adds a handler, and gives back its subscription, which may be dropped.
  @discardableResult
  public mutating func add(_ handler: @escaping HandlerType) -> SubscriptionType {
    add(SubscriptionType(owner: nil, handler: handler))
  }

  /// Adds a handler that lives until its owner, which is held weakly, is deinitialized.
  @discardableResult
  public mutating func add(owner: AnyObject, _ handler: @escaping HandlerType) -> SubscriptionType {
    add(SubscriptionType(owner: owner, handler: handler))
  }

  /// Takes a subscription away: its first occurrence. An unknown one is ignored.
  ///
  /// - Complexity: O(*n*) in the number of subscriptions.
  public mutating func remove(_ subscription: SubscriptionType) { _ = own()?.remove { $0 === subscription } }

  /// Takes away every subscription that has this owner. New: the original had to be given each.
  public mutating func remove(owner: AnyObject) { _ = own()?.removeAll { $0.isOwned(by: owner) } }

  /// Takes every subscription away.
  public mutating func removeAll() { _ = own()?.removeAll { _ in true } }

  /// Gives this copy its list now, instead of at its next change. The difference is one of time alone.
  public mutating func unshare() { _ = own() }

  // MARK: The list

  /// The list, which this copy alone has from now on; nil if there is none yet.
  mutating func own() -> Roster<T>? { roster == nil ? nil : enroll() }

  /// The same, made if need be.
  mutating func enroll() -> Roster<T> {
    if !isKnownUniquelyReferenced(&share) { separate() }
    return roster!
  }

  private mutating func separate() {
    roster = roster?.copy() ?? Roster(policy)
    share = Share()
  }
}

/// The object that copies of an event have in common: its reference count says whether their list is shared. The code that
/// notifies the list does not retain it. It is not generic, so that the check needs no look-up of a type.
private final class Share {}

/// The subscriptions of one list in their order, and the core's event that calls their handlers.
///
/// Changes hand back what was taken out: it is released when no access is open.
final class Roster<T> {
  private typealias Entry = (subscription: EventSubscription<T>, token: LocalSubscription)

  private let event: LocalEvent<T>
  private let policy: DeliveryPolicy
  private var entries: [Entry] = [] { didSet { size = entries.count } }
  private var size = 0
  /// How many entries there may be before those without owner are looked for.
  private var limit = 16

  init(_ policy: DeliveryPolicy) {
    self.policy = policy
    event = LocalEvent("an event of ObservableSwift", policy: policy)
  }
  deinit { for entry in entries { entry.subscription.leave(entry.token) } }

  func copy() -> Roster {
    let copy = Roster(policy)
    for subscription in subscriptions { copy.add(subscription) }
    return copy
  }

  var subscriptions: [EventSubscription<T>] { entries.filter { $0.token.isActive }.map { $0.subscription } }

  func notify(_ value: T) {
    event.emit(value)
    if event.count != size { tidy() }
  }

  func add(_ subscription: EventSubscription<T>) {
    if entries.count >= limit { collectEnded() }
    if subscription.valid() { entries.append((subscription, subscription.enter(event))) }
  }

  func remove(_ isWanted: (EventSubscription<T>) -> Bool) -> EventSubscription<T>? {
    guard let index = entries.firstIndex(where: { isWanted($0.subscription) }) else { return nil }
    let entry = entries.remove(at: index)
    entry.subscription.leave(entry.token)
    return entry.subscription
  }

  func removeAll(_ isWanted: (EventSubscription<T>) -> Bool) -> [EventSubscription<T>] {
    let removed = entries.filter { isWanted($0.subscription) }
    entries.removeAll { isWanted($0.subscription) }
    for entry in removed { entry.subscription.leave(entry.token) }
    return removed.map { $0.subscription }
  }

  private func tidy() { entries.removeAll { !$0.token.isActive } }

  /// An event that is never notified would else collect the subscriptions of all owners that ever were.
  private func collectEnded() {
    for entry in entries { _ = entry.subscription.valid() }
    tidy()
    limit = max(16, entries.count * 2)
  }
}
