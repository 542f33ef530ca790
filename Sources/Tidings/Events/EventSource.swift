/// A source of values that notifies handlers: an event, or the result of its operators.
///
/// ```swift
/// let subscription = traded.filter { $0.price > 100 }.map { $0.symbol }.observe { print($0) }
/// ```
///
/// Each verb below returns a ``Subscription``. <doc:Contract> says what is guaranteed about order, threads and lifetime.
public protocol EventSource<Payload>: Sendable {
  /// The type of the values.
  associatedtype Payload: Sendable

  /// Adds a handler that one of the verbs has made. A type that wraps a source passes it on to that source.
  ///
  /// - Parameter handler: The handler, attached at most once.
  /// - Returns: The subscription that the source made.
  func attach(_ handler: EventHandler<Payload>) -> Subscription
}

extension EventSource {
  /// Calls the handler with every value that is emitted from now on, for as long as the subscription is kept.
  ///
  /// ```swift
  /// subscription = traded.observe { trade in print(trade) }
  /// ```
  ///
  /// A handler that is formed on a global actor, or in an actor and uses it, runs on that actor: in place when the emitter
  /// is on it, otherwise through the subscription's own queue, first in first out. Any other handler runs on the delivering
  /// thread. A handler may emit, subscribe, cancel and read without restriction. Within an actor write `self`, not
  /// `[weak self]`, which loses the isolation; use `observe(with:)` for a weak reference.
  ///
  /// - Parameters:
  ///   - handler: Called with each value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1).
  public func observe(
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(EventHandler(handler, CallSite(file: file, line: line)))
  }

  /// Calls the handler with the owner and every value, until the owner is deinitialized.
  ///
  /// ```swift
  /// traded.observe(with: self) { ticker, trade in ticker.show(trade) }
  /// ```
  ///
  /// The owner is held weakly. The subscription may be dropped; if it is stored, it can cancel earlier. That the owner was
  /// deinitialized is detected at the next value. Until then everything else that the handler captured is retained.
  ///
  /// - Parameters:
  ///   - owner: Held weakly and passed to the handler, which should not capture it.
  ///   - handler: Called with the owner and each value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  /// - Complexity: O(1); each value costs a weak load, about 40 ns, more than without an owner.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    with owner: Owner,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(.bound(to: owner, handler, CallSite(file: file, line: line)))
  }

  /// Calls the handler on the actor that owns it, with every value, until the actor is deinitialized.
  ///
  /// ```swift
  /// actor Ledger {
  ///   var trades: [Trade] = []
  ///   func follow(_ traded: Event<Trade>) {
  ///     traded.observe(with: self) { ledger, trade in ledger.trades.append(trade) }
  ///   }
  /// }
  /// ```
  ///
  /// As with any owner, the actor is held weakly, and the subscription may be dropped.
  ///
  /// - Parameters:
  ///   - owner: The actor on which the handler runs, and which is passed to it; held weakly.
  ///   - handler: Called with the owner and each value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  /// - Complexity: O(1); each value costs a weak load more than without an owner.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: Actor>(
    with owner: Owner, _ handler: @escaping @Sendable (isolated Owner, Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(.bound(onOwner: owner, handler, CallSite(file: file, line: line)))
  }

  /// Calls a handler that may throw. Errors are passed to `onError`, and every other handler is still called.
  ///
  /// ```swift
  /// subscription = traded.observe(onError: { print("not archived:", $0) }) { trade in try archive(trade) }
  /// ```
  ///
  /// `onError` runs where the handler ran, immediately. The subscription continues.
  ///
  /// - Parameters:
  ///   - onError: Called with what the handler throws.
  ///   - handler: Called with each value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1).
  @_alwaysEmitIntoClient
  public func observe<Failure: Error>(
    onError: @escaping @Sendable (Failure) -> Void,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Payload) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(.catching(onError, handler, CallSite(file: file, line: line)))
  }

  /// Calls the handler on a delivery target, through the subscription's own queue, first in first out.
  ///
  /// ```swift
  /// subscription = traded.observe(on: .queue(.global())) { trade in post(trade) }
  /// ```
  ///
  /// - Parameters:
  ///   - target: Where the handler runs.
  ///   - handler: Called with each value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1).
  @_alwaysEmitIntoClient
  public func observe(
    on target: DeliveryTarget, _ handler: @escaping @Sendable (Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(EventHandler(handler, on: target, site: CallSite(file: file, line: line)))
  }

  /// Calls the handler with the next value, and never again.
  ///
  /// ```swift
  /// opened.once { print("open since \($0)") }
  /// ```
  ///
  /// At most one call is made, also when the handler emits or several threads emit simultaneously. The subscription may be
  /// dropped; if it is stored, it can cancel before the call.
  ///
  /// - Parameters:
  ///   - handler: Called with the next value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which can cancel before the call.
  /// - Complexity: O(1).
  @_alwaysEmitIntoClient @discardableResult
  public func once(
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    let (home, call, selfCancellation) = (handler.isolation, plain(handler), SelfCancellation())
    let first: PlainHandler<Payload> = { value in if selfCancellation.begin() { call(value) } }
    return attach(
      EventHandler(first, on: home, selfCancellation: selfCancellation, site: CallSite(file: file, line: line)))
  }
}

extension EventHandler {
  init(_ handler: @escaping @isolated(any) @Sendable (Payload) -> Void, _ site: CallSite) {
    let home = address(handler.isolation)
    self.init(home == 0 ? .plain(plain(handler)) : .isolated(Converted(handler), home), site: site)
  }
}
