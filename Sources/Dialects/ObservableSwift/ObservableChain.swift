/// The first link of a chain, to be completed with a path.
///
/// ```swift
/// let name = chain(me.friend).to { $0?.lastName }
/// ```
///
/// It is notified of changes from the moment it was made, so that a chain that is made of it later begins with the right value.
public struct ObservableChainingBase<O1: AnyObservable> {
  fileprivate let base: O1
  fileprivate let latest: ObservableProxy<O1.ValueType, O1>

  /// The chain that leads to what the path gives, if it gives anything: ``ObservableChainingProxy``.
  public func to<O2: AnyObservable>(_ path: @escaping (O1.ValueType) -> O2?) -> ObservableChainingProxy<O1, O2> {
    ObservableChainingProxy(base, latest.value, path)
  }
  /// The chain that leads to what the path gives: ``ObservableChainingProxy``.
  public func to<O2: AnyObservable>(_ path: @escaping (O1.ValueType) -> O2) -> ObservableChainingProxy<O1, O2> {
    ObservableChainingProxy(base, latest.value, path)
  }
}

/// The value that a path leads to from the value of an observable: "the last name of my current friend".
///
/// ```swift
/// chain(me.friend).to { $0?.lastName }.afterChange += { (_, newName) in
///   myFriendsName = newName
/// }
/// (me.friend / { $0?.lastName }).afterChange += { (_, newName) in myFriendsName = newName }
/// ```
///
/// It changes when the target does, and when the base does, which may mean another target or none. Chains can be chained.
///
/// - **Order**: to base and target the chain is one handler each, added when it was made, or when the target became one.
/// - **Thread**: that of base and targets, which must be the same. Not `Sendable`.
/// - **Re-entrancy**: a handler may do anything with the chain. The path is called with each new value of the base, and again
///   with the old one when both lead to the same events. It reads the target, which therefore, if it is a struct
///   ``Observable`` in a class, must not be the one that is being set just then.
/// - **Lifetime**: **the chain lives exactly as long as a subscription to it**, or as it is retained. When base and target are
///   deinitialized, nothing can happen any more, and the subscriptions end too.
/// - **Cost**: a weak load and a call for each of the two events of a change, and the path for each change of the base.
///
/// From the original. Fixed: a chain receives its first target; a change within a struct, which both target and base notify, is
/// notified once; there is a ``value``; and a subscription added twice and removed once keeps the chain.
public class ObservableChainingProxy<O1: AnyObservable, O2: AnyObservable>: OwnableObservable {
  /// The type of the observed value, which is nil when the path leads nowhere.
  public typealias ValueType = O2.ValueType?

  private final let path: (O1.ValueType) -> O2?
  private final let base: Any?
  private final var baseHandler: HandlerReference<O1.ValueType>?
  /// Nil once neither base nor target can notify.
  private final weak var lifetime: LifetimeToken?

  private final var current: O2.ValueType?
  private final var target: Any?
  private final var targetHandler: HandlerReference<O2.ValueType>?
  private final weak var targetEvent: EventReference<ValueChange<O2.ValueType>>?
  /// Which change of the target was the last that the chain notified, or found.
  private final var version = 0

  private final weak var before: OwningEventReference<ValueChange<ValueType>>?
  private final weak var after: OwningEventReference<ValueChange<ValueType>>?

  init(_ base: O1, _ value: O1.ValueType, _ path: @escaping (O1.ValueType) -> O2?) {
    self.path = path
    self.base = held(base)
    let lifetime = LifetimeToken()
    self.lifetime = lifetime
    lifetime.atEnd = { [weak self] in self?.end() }
    aim(at: path(value))
    baseHandler = HandlerReference(
      base, keeping: lifetime, before: { [weak self] in self?.baseWillChange($0) },
      after: { [weak self] in self?.baseDidChange($0) })
  }
  deinit {
    baseHandler?.close()
    targetHandler?.close()
  }

  /// The target's value as it was last notified of; nil when there is no target.
  public var value: ValueType { current }

  /// Notified of each change before it is made.
  public var beforeChange: EventReference<ValueChange<ValueType>> {
    if let before { return before }
    let event = owning(Event())
    before = event
    return event
  }
  /// Notified of each change when ``value`` is the new one.
  public var afterChange: EventReference<ValueChange<ValueType>> {
    if let after { return after }
    let event = owning(.inTurn)
    after = event
    return event
  }
  private final func owning(
    _ list: Event<ValueChange<ValueType>>
  ) -> OwningEventReference<ValueChange<ValueType>> {
    let event = OwningEventReference(event: list)
    event.owned = lifetime == nil ? nil : self
    return event
  }

  // MARK: The base

  private final func baseWillChange(_ change: ValueChange<O1.ValueType>) {
    guard let before else { return }
    let next = path(change.newValue)
    if !hasNotified(next, change) { before.notify(ValueChange(current, next?.value)) }
  }
  private final func baseDidChange(_ change: ValueChange<O1.ValueType>) {
    let next = path(change.newValue)
    if hasNotified(next, change) { return }
    let old = current
    aim(at: next)
    after?.notify(ValueChange(old, current))
  }

  /// Whether the change of the base is the trace of one within it, which the target has notified already: a struct that
  /// holds the target was written back.
  private final func hasNotified(_ next: O2?, _ change: ValueChange<O1.ValueType>) -> Bool {
    guard let next, next.afterChange === targetEvent, let new = versionOf(next), new == version else { return false }
    return path(change.oldValue).flatMap(versionOf) != new
  }
  private final func versionOf(_ target: O2) -> Int? { (target as? Observable<O2.ValueType>)?.version }

  // MARK: The target

  private final func aim(at next: O2?) {
    let last = (current, target)
    (current, target) = (next?.value, next.flatMap(held))
    version = next.flatMap(versionOf) ?? 0
    if next == nil || next?.afterChange !== targetEvent {
      let old = targetHandler
      targetEvent = next?.afterChange
      targetHandler = next.map { next in
        HandlerReference(
          next, keeping: lifetime, before: { [weak self] in self?.targetWillChange($0) },
          after: { [weak self] in self?.targetDidChange($0) })
      }
      old?.close()
    }
    withExtendedLifetime(last) {}
  }
  private final func targetWillChange(_ change: ValueChange<O2.ValueType>) {
    before?.notify(ValueChange(change.oldValue, change.newValue))
  }
  private final func targetDidChange(_ change: ValueChange<O2.ValueType>) {
    let old = current
    current = change.newValue
    version = targetEvent?.changes ?? 0
    after?.notify(ValueChange(change.oldValue, change.newValue))
    withExtendedLifetime(old) {}
  }

  private final func end() {
    before?.end()
    after?.end()
  }

  // MARK: The next link

  /// The chain that leads on to what the path gives, if it gives anything.
  public func to<O3: AnyObservable>(
    _ path: @escaping (O2.ValueType) -> O3?
  ) -> ObservableChainingProxy<ObservableChainingProxy<O1, O2>, O3> {
    ObservableChainingProxy<ObservableChainingProxy<O1, O2>, O3>(self, value) { $0.flatMap(path) }
  }
  /// The chain that leads on to what the path gives.
  public func to<O3: AnyObservable>(
    _ path: @escaping (O2.ValueType) -> O3
  ) -> ObservableChainingProxy<ObservableChainingProxy<O1, O2>, O3> {
    ObservableChainingProxy<ObservableChainingProxy<O1, O2>, O3>(self, value) { $0.map(path) }
  }
  /// The same with the label that the original has here.
  @_disfavoredOverload
  public func to<O3: AnyObservable>(
    path: @escaping (O2.ValueType) -> O3?
  ) -> ObservableChainingProxy<ObservableChainingProxy<O1, O2>, O3> { to(path) }
  /// The same with the label that the original has here.
  @_disfavoredOverload
  public func to<O3: AnyObservable>(
    path: @escaping (O2.ValueType) -> O3
  ) -> ObservableChainingProxy<ObservableChainingProxy<O1, O2>, O3> { to(path) }
}

/// Owned by the subscriptions of a chain to base and target, and so released when both are deinitialized.
private final class LifetimeToken {
  var atEnd: () -> Void = {}
  deinit { atEnd() }
}

/// The first link of a chain: `chain(observable).to { $0.property }`.
public func chain<O: AnyObservable>(_ o: O) -> ObservableChainingBase<O> {
  ObservableChainingBase(base: o, latest: ObservableProxy(o))
}

/// A chain: `observable / { $0.property }`, the same as ``chain(_:)`` and `to(_:)`.
public func / <O1: AnyObservable, O2: AnyObservable>(
  o: O1, path: @escaping (O1.ValueType) -> O2?
) -> ObservableChainingProxy<O1, O2> { ObservableChainingProxy(o, o.value, path) }

/// The next link of a chain: `observable / { $0.property } / { $0.property }`.
public func / <O1: AnyObservable, O2: AnyObservable, O3: AnyObservable>(
  o: ObservableChainingProxy<O1, O2>, path: @escaping (O2.ValueType) -> O3?
) -> ObservableChainingProxy<ObservableChainingProxy<O1, O2>, O3> { o.to(path) }
