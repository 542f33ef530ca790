/// An ``Event`` for a single isolation: payloads and handlers need not be `Sendable`, and it uses no lock and no atomic.
///
/// ```swift
/// let pressed = LocalEvent<Key>("keyboard.pressed")
/// let subscription = pressed.observe { key in document.type(key) }
/// pressed.emit(.return)
/// ```
///
/// It has the same verbs and the same contract, as far as they apply to one isolation. Handlers are called in place: before
/// `emit` returns or, if a handler of this event emits, when the current value has reached every handler. It has no
/// operators; use ``Event`` for those. It is not `Sendable`: the compiler keeps the event, its handlers and its
/// subscriptions in one isolation.
public final class LocalEvent<Payload> {
  let delivery: LocalDelivery<Payload>

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - policy: What happens to a value that a handler emits.
  ///   - maximumDepth: The causal depth of handlers beyond which an emission counts as a cycle and is rejected with a
  ///     report. 10,000 unless given, or 200 where emissions nest on the stack (`.immediate`).
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  public init(
    _ label: String? = nil, policy: DeliveryPolicy = .serial, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    delivery = LocalDelivery(EventIdentity(label, maximumDepth, file, line), policy)
  }
  deinit { delivery.clear() }

  /// Calls the handler with every value that is emitted from now on, for as long as the subscription is kept.
  ///
  /// - Parameters:
  ///   - handler: Called with each value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1), amortized.
  public func observe(
    _ handler: @escaping (Payload) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    delivery.attach(handler, owned: false, CallSite(file: file, line: line))
  }

  /// Calls the handler with every value for as long as the event lives. The subscription may be dropped; if it is stored, it
  /// can cancel.
  @discardableResult
  package func keep(
    _ handler: @escaping (Payload) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    delivery.attach(handler, owned: true, CallSite(file: file, line: line))
  }

  /// Calls the handler with the owner and every value, until the owner is deinitialized.
  ///
  /// The owner is held weakly. The subscription may be dropped. That the owner was deinitialized is detected at the next
  /// value, or when the list of handlers grows.
  ///
  /// - Parameters:
  ///   - owner: Held weakly and passed to the handler, which should not capture it.
  ///   - handler: Called with the owner and each value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  /// - Complexity: O(1), amortized.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject>(
    with owner: Owner, _ handler: @escaping (Owner, Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    let selfCancellation = LocalSelfCancellation(owner: owner)
    return attach(selfCancellation.handler(owner, handler), selfCancellation, CallSite(file: file, line: line))
  }
  @usableFromInline
  func attach(
    _ handler: @escaping (Payload) -> Void, _ selfCancellation: LocalSelfCancellation, _ site: CallSite
  ) -> LocalSubscription {
    delivery.attach(handler, selfCancellation, site)
  }

  /// Calls a handler that may throw. Errors are passed to `onError`, and every other handler is still called.
  ///
  /// - Parameters:
  ///   - onError: Called with what the handler throws, immediately.
  ///   - handler: Called with each value.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1), amortized.
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
  ///
  /// - Parameters:
  ///   - handler: Called with the next value, at most once.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which can cancel before the call.
  /// - Complexity: O(1), amortized.
  @_alwaysEmitIntoClient @discardableResult
  public func once(
    _ handler: @escaping (Payload) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    let selfCancellation = LocalSelfCancellation()
    return attach(
      { value in
        // Its place in the list is empty once it is called. Only an outer delivery can reach it again, as a retired handler.
        guard !selfCancellation.isCalled else { return }
        selfCancellation.isCalled = true
        selfCancellation.cancel()
        handler(value)
      }, selfCancellation, CallSite(file: file, line: line))
  }

  /// Notifies every handler of a value, before it returns; from a handler of this event, when the current value has reached
  /// every handler.
  ///
  /// - Parameter payload: The value.
  /// - Complexity: O(*n*) in the number of handlers.
  public func emit(_ payload: Payload) { delivery.emit(payload) }

  /// Notifies every handler of each of the values, in their order.
  ///
  /// - Parameter payloads: The values.
  /// - Complexity: O(*m* × *n*) for *m* values and *n* handlers.
  @_alwaysEmitIntoClient
  public func emit(contentsOf payloads: some Sequence<Payload>) {
    for payload in payloads { emit(payload) }
  }

  /// Ends the event: it accepts no more values.
  ///
  /// If a handler calls it, values that wait are still delivered before every subscription ends. Otherwise the subscriptions
  /// end immediately. The first value that is emitted afterwards is reported; neither it nor a later one reaches a handler.
  /// The subscription of a handler that is added afterwards has ended from the beginning. Finishing twice does nothing.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func finish() { delivery.finish() }

  /// Cancels every subscription, with the same effect as `cancel()` of each.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func cancelAll() { delivery.clear() }

  /// A snapshot of this event for people: label, subscriptions, where they were made, and values that wait.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var diagnostics: Diagnostics { delivery.diagnostics }

  /// The number of live subscriptions, as in `diagnostics`, without making one.
  package var count: Int { delivery.live }
}

extension LocalEvent where Payload == Void {
  /// Notifies every handler.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  @_alwaysEmitIntoClient  // here, all of `LocalEvent` would be compiled once more, for `Void`
  public func emit() { emit(()) }
}
