/// Something that tells handlers of values: an event, or what operators make of one.
///
/// ```swift
/// let subscription = traded.filter { $0.price > 100 }.map { $0.symbol }.observe { print($0) }
/// ```
///
/// Each verb below gives a ``Subscription``; what order, thread and lifetime mean is written in <doc:Contract>.
public protocol EventSource<Payload>: Sendable {
  associatedtype Payload: Sendable

  /// Adds a handler that one of the verbs has made. A type that wraps a source hands it on to that source.
  func attach(_ handler: EventHandler<Payload>) -> Subscription
}

extension EventSource {
  /// Calls the handler with every value that is emitted from now on, for as long as the subscription is kept.
  ///
  /// ```swift
  /// subscription = traded.observe { trade in print(trade) }
  /// ```
  ///
  /// A handler that is formed on a global actor, or in an actor and uses it, runs on that actor: in place when whoever
  /// emits is there, else through the subscription's own queue, first in first out. Any other runs on the thread that
  /// delivers. A handler may emit, add, cancel and read whatever it likes. Within an actor write `self`, not
  /// `[weak self]`, which loses the isolation; `observe(with:)` is for that.
  ///
  /// - Complexity: O(1).
  public func observe(
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(EventHandler(handler, CallSite(file: file, line: line)))
  }

  /// Calls the handler with the owner and every value, until the owner is gone.
  ///
  /// ```swift
  /// traded.observe(with: self) { ticker, trade in ticker.show(trade) }
  /// ```
  ///
  /// The owner is held weakly and handed to the handler, which should not capture it. The subscription may be dropped; kept,
  /// it can cancel earlier. That an owner has gone is noticed at the next value; until then what else the handler
  /// captured lives on.
  ///
  /// - Complexity: O(1); each value costs a weak load, about 40 ns, more than without an owner.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    with owner: Owner,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(.bound(to: owner, handler, CallSite(file: file, line: line)))
  }

  /// Calls the handler on the actor that owns it, with every value, until the actor is gone.
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
  /// As with any owner: held weakly, handed to the handler, and the subscription may be dropped.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: Actor>(
    with owner: Owner, _ handler: @escaping @Sendable (isolated Owner, Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(.bound(onOwner: owner, handler, CallSite(file: file, line: line)))
  }

  /// Calls a handler that may throw; what it throws reaches `onError`, and every other handler is called all the same.
  ///
  /// ```swift
  /// subscription = traded.observe(onError: { print("not archived:", $0) }) { trade in try archive(trade) }
  /// ```
  ///
  /// `onError` runs where the handler ran, at once. The subscription goes on.
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
  /// At most one call, also when the handler emits or several threads emit at once. The subscription may be dropped; kept,
  /// it can cancel before the call.
  @_alwaysEmitIntoClient @discardableResult
  public func once(
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    let (home, call, ending) = (handler.isolation, plain(handler), Ending())
    let first: Plain<Payload> = { value in
      guard ending.claim() else { return }
      ending.cancel()
      call(value)
    }
    return attach(EventHandler(first, on: home, ending: ending, site: CallSite(file: file, line: line)))
  }
}

extension EventHandler {
  init(_ handler: @escaping @isolated(any) @Sendable (Payload) -> Void, _ site: CallSite) {
    let home = address(handler.isolation)
    self.init(home == 0 ? .plain(plain(handler)) : .isolated(Converted(handler), home), site: site)
  }
}
