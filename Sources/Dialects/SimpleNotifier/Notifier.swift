import Tidings

/// Notifies its observers of values, in the order in which they came.
///
/// ```swift
/// enum PersonProperty { case firstName, lastName }
///
/// class Person {
///   var notifier = Notifier<PersonProperty>()
///   var firstName: String { didSet { notifier.send(.firstName) } }
///   var lastName: String { didSet { notifier.send(.lastName) } }
/// }
/// person.notifier.observe { property in print(property) }
/// ```
///
/// - **Order**: observers are called in the order in which they were added.
/// - **Thread**: on the thread that sends, before `send(_:)` returns. A notifier and its observers belong to one thread
///   or one actor: it is not `Sendable`, and closures need not be. Code in Swift 5 mode must keep to that by itself.
/// - **Re-entrancy**: an observer may observe, stop and send. What it sends is delivered immediately, nested. An observer that is
///   added by an observer receives the next send, a nested one included, and not the one that is in progress.
/// - **Lifetime**: observers live as long as the notifier, unless stopped; tokens may be dropped. So to assign a fresh
///   notifier, or nil, stops the observers of the old one. From within an observer it does so when the send that is
///   in progress has reached them all.
/// - **Cost**: a send is O(*n*) in the number of observers, without allocation, lock or atomic.
///
/// All of it is the original's, except the tokens, `observe(owner:_:)` and that two observers which cause each other without
/// end are stopped and reported, where the original ran out of stack.
public final class Notifier<T> {
  /// The type of an observer.
  public typealias NotificationCallback = (T) -> Void

  private let event: LocalEvent<T>

  /// A notifier without observers. A report of a cycle calls it by the place where it was made.
  public init(file: StaticString = #fileID, line: UInt = #line) {
    event = LocalEvent(policy: .immediate, file: file, line: line)
  }

  /// Notifies every observer, each before the next, and returns.
  ///
  /// ```swift
  /// var firstName: String { didSet { notifier.send(.firstName) } }
  /// ```
  ///
  /// - Complexity: O(*n*) in the number of observers.
  public func send(_ value: T) { event.emit(value) }

  /// Calls the callback with every value that is sent from now on, for as long as the notifier lives.
  ///
  /// ```swift
  /// person.notifier.observe { property in print(property) }
  /// ```
  ///
  /// The token may be dropped. The notifier keeps what the callback captures: an observer that is an object and keeps
  /// the notifier as well is better added with ``observe(owner:_:)``.
  ///
  /// - Complexity: O(1), amortised.
  @discardableResult
  public func observe(_ callback: @escaping NotificationCallback) -> Token { Token(event.keep(callback)) }

  /// Calls the callback immediately with a value of the caller's, and with every value that is sent from now on.
  ///
  /// ```swift
  /// person.notifier.observe({ property in print(property) }, withInitialValue: .initial)
  /// ```
  ///
  /// No other observer receives the initial value. It may be `nil` if that is a value of the notifier; the original said
  /// nothing then. The callback is added first: should it send, it receives that too.
  ///
  /// - Complexity: O(1), amortised.
  @discardableResult
  public func observe(_ callback: @escaping NotificationCallback, withInitialValue initialValue: T) -> Token {
    let token = observe(callback)
    callback(initialValue)
    return token
  }

  /// The same for an initial value that there may be or not: `nil` emits nothing.
  @_disfavoredOverload @discardableResult
  public func observe(_ callback: @escaping NotificationCallback, withInitialValue initialValue: T?) -> Token {
    if let initialValue { return observe(callback, withInitialValue: initialValue) }
    return observe(callback)
  }

  /// Calls the callback with the owner and every value that is sent from now on, until the owner is deinitialized.
  ///
  /// ```swift
  /// person.notifier.observe(owner: self) { viewModel, property in viewModel.show(property) }
  /// ```
  ///
  /// In place of `[unowned self]`, which traps once `self` is deinitialized: the owner is held weakly and passed to the
  /// callback. That it is deinitialized is noticed at the next send, or when the notifier is deinitialized; until then
  /// whatever else the callback captured is retained. New in this module.
  ///
  /// - Complexity: O(1), amortised. Each send costs a weak load for it, about 40 ns, more than for another observer.
  @discardableResult
  public func observe<Owner: AnyObject>(owner: Owner, _ callback: @escaping (Owner, T) -> Void) -> Token {
    Token(event.observe(with: owner, callback))
  }

  /// The same with an initial value, which is delivered immediately.
  ///
  /// ```swift
  /// person.notifier.observe(owner: self, { $0.show($1) }, withInitialValue: .initial)
  /// ```
  @discardableResult
  public func observe<Owner: AnyObject>(
    owner: Owner, _ callback: @escaping (Owner, T) -> Void, withInitialValue initialValue: T
  ) -> Token {
    let token = observe(owner: owner, callback)
    callback(owner, initialValue)
    return token
  }

  /// Ends one observer. May be dropped, which ends nothing.
  ///
  /// ```swift
  /// let token = person.notifier.observe { property in print(property) }
  /// token.stop()
  /// ```
  ///
  /// The original had no way to stop, and wished for one. A token does not keep the notifier or the observer alive.
  public struct Token: Hashable {
    private let subscription: LocalSubscription
    fileprivate init(_ subscription: LocalSubscription) { self.subscription = subscription }

    /// Ends the observer: once this has returned, no call of it begins, also in a send that is in progress.
    ///
    /// What it captured is released immediately or, from within an observer, when that send is over. To stop twice, or after
    /// the notifier is deinitialized, does nothing.
    ///
    /// - Complexity: O(1), amortised.
    public func stop() { subscription.cancel() }
  }
}

extension Notifier where T == Void {
  /// Notifies every observer that it happened.
  public func send() { event.emit(()) }
}
