/// Something that subscriptions are added to and that is notified of values.
///
/// ```swift
/// func announce<E: AnyEvent>(_ word: E.ValueType, on event: inout E) { event.notify(word) }
/// ```
///
/// ``Event`` and ``EventReference`` conform. Order, thread, re-entrancy, lifetime and cost are theirs, and written there.
public protocol AnyEvent {
  /// The payload of the event.
  associatedtype ValueType

  /// Notifies every valid subscription, and releases those that have ended.
  mutating func notify(_ value: ValueType)

  /// Adds a subscription. The same one may be added several times, and is called as often.
  @discardableResult
  mutating func add(_ subscription: EventSubscription<ValueType>) -> EventSubscription<ValueType>

  /// Adds a handler, and gives back its subscription.
  @discardableResult
  mutating func add(_ handler: @escaping (ValueType) -> Void) -> EventSubscription<ValueType>

  /// Takes a subscription away: its first occurrence. An unknown one is ignored.
  mutating func remove(_ subscription: EventSubscription<ValueType>)

  /// Takes every subscription away.
  mutating func removeAll()

  /// Adds a handler that lives until its owner, which is held weakly, is deinitialized.
  @discardableResult
  mutating func add(owner: AnyObject, _ handler: @escaping (ValueType) -> Void) -> EventSubscription<ValueType>
}

/// An event that is a value: a copy has subscriptions of its own. ``Event`` is the one.
public protocol UnownableEvent: AnyEvent {}

/// An event that is a reference: every holder adds to the same subscriptions. ``EventReference`` is the one.
public protocol OwnableEvent: AnyEvent {}

/// A value that can be read, and notifies before and after each of its changes.
///
/// ```swift
/// func log<O: AnyObservable>(_ observable: O) { observable.afterChange += { print($0.newValue) } }
/// ```
///
/// Conform a type of your own to it, by forwarding all three to an observable that it holds, and every operator of this
/// module works on it.
public protocol AnyObservable {
  /// The type of the observed value.
  associatedtype ValueType

  /// The value now.
  var value: ValueType { get }

  /// Notified of a change while ``value`` is still the old one.
  var beforeChange: EventReference<ValueChange<ValueType>> { get }

  /// Notified of a change when ``value`` is the new one.
  var afterChange: EventReference<ValueChange<ValueType>> { get }
}

/// An observable whose value can be set.
public protocol WritableObservable: AnyObservable {
  var value: ValueType { get set }
}

/// An observable that is itself a value. ``Observable`` is the one.
public protocol UnownableObservable: WritableObservable {
  /// Gives this copy events of its own: with the same subscriptions, or with none.
  mutating func unshare(removeSubscriptions: Bool)
}

/// An observable that is a reference: ``ObservableReference``, and those made of others.
public protocol OwnableObservable: AnyObservable {}
