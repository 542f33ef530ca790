/// An observable that represents another, as a reference.
///
/// ```swift
/// let stand = proxy(x)
/// stand.afterChange += { print($0.newValue) }
/// x <- 42
/// ```
///
/// It notifies the same changes, through events of its own, for as long as it is retained.
///
/// - **Order**: to what it represents, the proxy is one handler, added when it was made.
/// - **Thread**: that of what it represents. Not `Sendable`.
/// - **Re-entrancy**: a handler may do anything with the proxy. What it may do with a struct ``Observable`` behind it is said
///   there.
/// - **Lifetime**: it holds neither the observable, which may be a copy, nor is held by it. A pair or another proxy, which lives
///   by being held, it keeps.
/// - **Cost**: a weak load and a call for each of the two events of a change.
///
/// From the original. ``value`` is that of the last change that was received.
open class ObservableProxy<T, O: AnyObservable>: OwnableObservable where O.ValueType == T {
  /// The type of the observed value.
  public typealias ValueType = T

  /// Notified of each change before it is made.
  public final let beforeChange = EventReference<ValueChange<T>>()
  /// Notified of each change when ``value`` is the new one.
  public final let afterChange = EventReference<ValueChange<T>>(event: .inTurn)

  private final var stored: T
  private final var handler: HandlerReference<T>?
  private final let base: Any?

  /// Represents an observable, from now on.
  public init(_ o: O) {
    stored = o.value
    base = held(o)
    handler = HandlerReference(
      o, before: { [weak self] in self?.beforeChange.notify($0) },
      after: { [weak self] in self?.take($0) })
  }
  /// Represents itself.
  init(holding value: T) {
    stored = value
    base = nil
  }
  deinit { handler?.close() }

  /// The value that was last notified of.
  open var value: T { stored }

  private final func take(_ change: ValueChange<T>) {
    let old = stored
    stored = change.newValue
    afterChange.notify(change)
    withExtendedLifetime(old) {}
  }
  /// For one that represents itself. A handler that was called before may have set another value: then that is the old one.
  /// Whatever it is, it is released at the end, when no access is open.
  final func change(to value: T) {
    beforeChange.notify(ValueChange(stored, value))
    let old = stored
    stored = value
    afterChange.notify(ValueChange(old, value))
  }
}

/// A proxy that represents an observable: ``ObservableProxy``.
public func proxy<O: AnyObservable>(_ o: O) -> ObservableProxy<O.ValueType, O> { ObservableProxy(o) }

/// An observable value as a reference: every holder reads, sets and observes the same one.
///
/// ```swift
/// let x = ObservableReference(0)
/// x += { (old, new) in print(old, x.value == new) }
/// x <- 1
/// ```
///
/// - **Order**: as ``Observable``. A change that a handler makes is notified when the current one has reached every handler.
/// - **Thread**: on the thread that sets, before that returns. Not `Sendable`.
/// - **Re-entrancy**: a handler may read, set, add, remove and notify.
/// - **Lifetime**: subscriptions live as long as the reference.
/// - **Cost**: as an ``Observable``.
///
/// From the original, where a handler that read the reference stopped the program.
public class ObservableReference<T>: ObservableProxy<T, Observable<T>>, WritableObservable {
  /// A reference to a new observable with its first value.
  public init(_ value: T) { super.init(holding: value) }

  /// The value. Setting it emits both events.
  public override var value: T {
    get { super.value }
    set { change(to: newValue) }
  }
}

// MARK: Made of others

/// The two subscriptions of an observable that is made of another. Held by what they are in; here, only to end them.
struct HandlerReference<T> {
  private weak var before: EventSubscription<ValueChange<T>>?
  private weak var after: EventSubscription<ValueChange<T>>?

  /// - Parameter keeping: Lives until both are deinitialized.
  init<O: AnyObservable>(
    _ observable: O, keeping: AnyObject? = nil, before: @escaping (ValueChange<T>) -> Void,
    after: @escaping (ValueChange<T>) -> Void
  ) where O.ValueType == T {
    let subscriptions = (EventSubscription(owner: nil, handler: before), EventSubscription(owner: nil, handler: after))
    if let keeping {
      subscriptions.0.addOwnedObject(keeping)
      subscriptions.1.addOwnedObject(keeping)
    }
    self.before = observable.beforeChange.add(subscriptions.0)
    self.after = observable.afterChange.add(subscriptions.1)
  }

  func close() {
    before?.invalidate()
    after?.invalidate()
  }
}

/// An observable that its derivatives need not retain: the code that changes it does, or a subscription to it.
protocol Rooted {}
extension Observable: Rooted {}
extension ObservableReference: Rooted {}
extension ObservableChainingProxy: Rooted {}

/// Returns the object that an observable made from this one must retain, if any. A copied struct would only keep its first value.
func held<O: AnyObservable>(_ observable: O) -> Any? { observable is any Rooted ? nil : observable }
