/// A change of a value: what it was, what it is.
///
/// ```swift
/// x.afterChange += { change in print(change.oldValue, change.newValue) }
/// ```
///
/// From the original.
public struct ValueChange<T> {
  /// The value that is replaced.
  public let oldValue: T
  /// The value that replaces it.
  public let newValue: T

  /// A change from the first to the second.
  @inlinable @inline(__always)  // called, it would look its type up once more
  public init(_ oldValue: T, _ newValue: T) {
    self.oldValue = oldValue
    self.newValue = newValue
  }
}

extension ValueChange: Sendable where T: Sendable {}

/// A value that notifies before and after each of its changes. A value itself: a copy changes alone, but **notifies the same
/// subscriptions** until it is unshared.
///
/// ```swift
/// var x = Observable(0)
/// x.afterChange += { print("Changed x from \($0) to \($1)") }
/// x <- 42
/// ```
///
/// - **Order**: ``beforeChange`` is notified while ``value`` is the old one, then the value is replaced, then ``afterChange``
///   is notified; in each, handlers are called in the order in which they were added. A value that equals the old one is
///   notified too, and a mutation in place once.
/// - **Thread**: on the thread that sets, before that returns. An observable belongs to one thread or one actor: it is
///   not `Sendable`, and closures need not be.
/// - **Re-entrancy**: a handler may add, remove and notify through the two events. It must not read or set the observable
///   itself if that is stored in a class, in a global or in a variable that the handler captures: the write is still in progress
///   on, and Swift stops a program that accesses a value while it is being written. Use what the handler is given, or
///   an ``ObservableReference``, whose handlers may do anything.
/// - **Lifetime**: subscriptions live until the last copy that shares them is deinitialized.
/// - **Cost**: a change is O(*n*) in the number of subscriptions to both events.
///
/// From the original. `x += { … }` counts as a mutation of `x`, so that an observable around it notifies a change;
/// `x.afterChange += { … }` does not.
public struct Observable<T>: UnownableObservable {
  /// The type of the observed value.
  public typealias ValueType = T

  /// Notified of each change while ``value`` is still the old one.
  public private(set) var beforeChange = EventReference<ValueChange<T>>()
  /// Notified of each change when ``value`` is the new one.
  ///
  /// A change that a handler makes is notified when the current one has reached every handler: all see one unbroken chain of
  /// values.
  public private(set) var afterChange = EventReference<ValueChange<T>>(event: .inTurn)

  private var stored: T
  /// Which of the changes notified by ``afterChange`` made the value: copies share the events and so never the number.
  private(set) var version = 0

  /// An observable with its first value.
  public init(_ value: T) { stored = value }

  /// The value. Setting it emits both events.
  public var value: T {
    get { stored }
    set {
      let change = ValueChange(stored, newValue)
      beforeChange.notify(change)
      stored = newValue
      afterChange.changes += 1
      version = afterChange.changes
      afterChange.notify(change)
    }
  }

  /// Gives this copy events of its own.
  ///
  /// ```swift
  /// var copy = x
  /// copy.unshare(removeSubscriptions: true)
  /// ```
  ///
  /// - Parameter removeSubscriptions: Whether they begin empty. If not, they have the same subscriptions, in new lists: what is
  ///   added to one from then on is not notified by the other, and what is invalidated ends in both.
  public mutating func unshare(removeSubscriptions: Bool) {
    beforeChange = beforeChange.unshared(empty: removeSubscriptions)
    afterChange = afterChange.unshared(empty: removeSubscriptions)
    version = 0
  }
}
