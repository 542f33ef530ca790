/// An ``Event`` for one isolation: payloads and handlers need not be `Sendable`, and there is no lock and no atomic.
///
/// ```swift
/// let pressed = LocalEvent<Key>("keyboard.pressed")
/// let subscription = pressed.observe { key in document.type(key) }
/// pressed.emit(.return)
/// ```
///
/// The same verbs and the same contract, as far as one isolation goes: handlers are called in place, before `emit` returns
/// or, from a handler of this event, when the current value has reached every handler. No operators; for those there is
/// ``Event``. Not `Sendable`: the compiler keeps it, its handlers and its subscriptions in one isolation.
public final class LocalEvent<Payload> {
  let delivery: LocalDelivery<Payload>

  /// - Parameters:
  ///   - label: What reports and ``diagnosis`` call it.
  ///   - policy: What happens to a value that a handler emits.
  ///   - maximumDepth: How deep handlers may cause each other before it counts as a circle and is refused with a report.
  ///     10,000 unless given, or 200 where emits nest on the stack (`.immediate`).
  ///   - file: Where it is made: its name in reports when it has no label. Left to the compiler.
  ///   - line: The line there.
  public init(
    _ label: String? = nil, policy: DeliveryPolicy = .serial, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    delivery = LocalDelivery(label, policy, maximumDepth, file, line)
  }
  deinit { delivery.clear() }

  /// Calls the handler with every value that is emitted from now on, for as long as the subscription is kept.
  ///
  /// - Complexity: O(1), amortised.
  public func observe(
    _ handler: @escaping (Payload) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    delivery.attach(handler, owned: false, CallSite(file: file, line: line))
  }

  /// Calls the handler with every value for as long as the event lives. The subscription may be dropped; kept, it can cancel.
  @discardableResult
  package func keep(
    _ handler: @escaping (Payload) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    delivery.attach(handler, owned: true, CallSite(file: file, line: line))
  }

  /// Calls the handler with the owner and every value, until the owner, which is held weakly, is gone. The subscription may
  /// be dropped. That an owner has gone is noticed at the next value, or when the list of handlers grows.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject>(
    with owner: Owner, _ handler: @escaping (Owner, Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    let ending = LocalEnding(owner: owner)
    return attach(
      { [weak owner] value in
        if let owner { handler(owner, value) } else { ending.cancel() }
      }, ending, CallSite(file: file, line: line))
  }
  @usableFromInline
  func attach(
    _ handler: @escaping (Payload) -> Void, _ ending: LocalEnding, _ site: CallSite
  ) -> LocalSubscription {
    delivery.attach(handler, ending, site)
  }

  /// Calls a handler that may throw; what it throws reaches `onError`, and every other handler is called all the same.
  @_alwaysEmitIntoClient
  public func observe<Failure: Error>(
    onError: @escaping (Failure) -> Void, _ handler: @escaping (Payload) throws(Failure) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    observe(
      { value in
        do throws(Failure) { try handler(value) } catch { onError(error) }
      }, file: file, line: line)
  }

  /// Calls the handler with the next value, and never again. The subscription may be dropped.
  @_alwaysEmitIntoClient @discardableResult
  public func once(
    _ handler: @escaping (Payload) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    let ending = LocalEnding()
    return attach(
      { value in
        // Its place is blank from its call on; only a retired handler can be found again, by a delivery further out.
        guard !ending.isCalled else { return }
        ending.isCalled = true
        ending.cancel()
        handler(value)
      }, ending, CallSite(file: file, line: line))
  }

  /// Tells every handler before it returns; from a handler of this event, when the current value has reached them all.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func emit(_ payload: Payload) { delivery.emit(payload) }

  /// Tells every handler each of the values, in their order.
  @_alwaysEmitIntoClient
  public func emit(contentsOf payloads: some Sequence<Payload>) {
    for payload in payloads { emit(payload) }
  }

  /// Ends the event: it takes no more values.
  ///
  /// In a handler, values that wait are still delivered, then every subscription ends; else they end immediately. The first
  /// value that is emitted afterwards is reported, and neither it nor a later one reaches a handler. A handler that is added
  /// afterwards has ended from the beginning. Finishing twice does nothing.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func finish() { delivery.finish() }

  /// Cancels every subscription, as `cancel()` does each.
  public func cancelAll() { delivery.clear() }

  /// What this event looks like now: label, subscriptions and where they were made, values that wait.
  public var diagnosis: Diagnosis { delivery.diagnosis }

  /// How many subscriptions are live: what a diagnosis says, without making one.
  package var count: Int { delivery.live }
}

extension LocalEvent where Payload == Void {
  /// Tells every handler that it happened.
  @_alwaysEmitIntoClient  // here, all of `LocalEvent` would be compiled once more, for `Void`
  public func emit() { emit(()) }
}
