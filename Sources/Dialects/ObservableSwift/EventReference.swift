internal import Tidings

/// An ``Event`` as a reference: every holder adds to the same list and notifies the same subscriptions.
///
/// ```swift
/// let pressed = EventReference<Key>()
/// pressed += { key in print(key) }
/// pressed.notify(.return)
/// ```
///
/// What ``Observable/beforeChange`` and ``Observable/afterChange`` are.
///
/// - **Order**: handlers are called in the order in which they were added.
/// - **Thread**: on the thread that notifies, before ``notify(_:)`` returns. Not `Sendable`, as an event is not.
/// - **Re-entrancy**: a handler may add, remove, read and notify. What it notifies is delivered immediately, nested. What it
///   adds receives the next value; what it removes is called no more.
/// - **Lifetime**: the reference keeps its subscriptions, and they end with it.
/// - **Cost**: as an event's.
///
/// From the original, whose references could not be used from their own handlers: that stopped the program.
open class EventReference<T>: OwnableEvent {
  /// The payload of the event.
  public typealias ValueType = T
  /// The type of the subscriptions that are added to the event.
  public typealias SubscriptionType = EventSubscription<T>
  /// The type of the closures that the event calls with each value.
  public typealias HandlerType = EventSubscription<T>.HandlerType

  /// Never shared with another event: so what is removed from it is removed from what is being notified.
  private final var list: Event<T>
  /// How many changes of an ``Observable`` were notified through this.
  final var changes = 0

  /// A reference to an event without subscriptions.
  public convenience init() { self.init(event: Event()) }

  /// A reference to a copy of an event: the same subscriptions in a list of its own.
  public init(event: Event<T>) { list = event.unshared }

  /// A copy of the list as it is now.
  ///
  /// - Complexity: O(*n*) in the number of subscriptions.
  public final var event: Event<T> { list.unshared }

  /// Notifies every valid subscription, each before the next.
  ///
  /// - Complexity: O(*n*) in the number of subscriptions.
  open func notify(_ value: T) { list.roster?.notify(value) }

  /// Adds a subscription. The same one may be added several times, and is called as often.
  ///
  /// - Complexity: O(1), amortised.
  @discardableResult
  open func add(_ subscription: SubscriptionType) -> SubscriptionType { enter(subscription) }

  /// Adds a handler, and gives back its subscription, which may be dropped.
  @discardableResult
  open func add(_ handler: @escaping (T) -> Void) -> EventSubscription<T> {
    enter(SubscriptionType(owner: nil, handler: handler))
  }

  /// Adds a handler that lives until its owner, which is held weakly, is deinitialized.
  @discardableResult
  open func add(owner: AnyObject, _ handler: @escaping HandlerType) -> SubscriptionType {
    enter(SubscriptionType(owner: owner, handler: handler))
  }

  /// Takes a subscription away: its first occurrence. An unknown one is ignored.
  ///
  /// - Complexity: O(*n*) in the number of subscriptions.
  open func remove(_ subscription: SubscriptionType) {
    if let removed = list.own()?.remove({ $0 === subscription }) { left([removed]) }
  }

  /// Takes away every subscription that has this owner. New: the original had to be given each.
  open func remove(owner: AnyObject) { left(list.own()?.removeAll { $0.isOwned(by: owner) } ?? []) }

  /// Takes every subscription away.
  open func removeAll() { left(list.own()?.removeAll { _ in true } ?? []) }

  /// Another reference, to a list of its own: with the same subscriptions, or with none.
  final func unshared(empty: Bool) -> EventReference { EventReference(event: empty ? list.emptied : list) }

  func enter(_ subscription: SubscriptionType) -> SubscriptionType {
    list.enroll().add(subscription)
    return subscription
  }
  func left(_ subscriptions: [SubscriptionType]) {}
}

/// An event reference that keeps an object alive for as long as it has a subscription.
///
/// ```swift
/// let subscription = chain(me.friend).to { $0?.lastName }.afterChange.add { print($0.newValue ?? "no friend") }
/// ```
///
/// What a chain's events are: each subscription owns the reference, and the reference the chain, so the chain lives exactly as
/// long as a subscription to it. One that was added twice owns twice; the original released the object when it was removed
/// once. Otherwise as ``EventReference``; one that a client makes owns nothing.
public class OwningEventReference<T>: EventReference<T> {
  final var owned: AnyObject?

  /// A reference to a copy of an event, owning nothing.
  public override init(event: Event<T>) { super.init(event: event) }

  override final func enter(_ subscription: SubscriptionType) -> SubscriptionType {
    _ = super.enter(subscription)
    if owned != nil { subscription.addOwnedObject(self) }
    return subscription
  }
  override final func left(_ subscriptions: [SubscriptionType]) {
    for subscription in subscriptions { subscription.disown(self) }
  }

  /// The owned object has nothing to receive any more: nothing is retained from now on.
  final func end() {
    owned = nil
    removeAll()
  }
}
