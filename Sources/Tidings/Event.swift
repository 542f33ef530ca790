/// Something that happens, again and again: whoever wants to know adds a handler.
///
/// ```swift
/// let traded = Event<Trade>("market.traded")
/// let subscription = traded.observe { trade in print(trade) }
/// traded.emit(Trade("MSFT", price: 39.81))
/// ```
///
/// Handlers are called in the order in which they were added, all with the same values in the same order, whoever emits,
/// from whichever thread, also when a handler emits. The rules in full, each with its test, are in <doc:Contract>. Every
/// member may be used from any thread at any time, handlers included.
///
/// An event lives as long as somebody keeps it; its handlers end with it, subscriptions do not keep it alive. In one isolation
/// and for payloads that are not `Sendable` there is ``LocalEvent``.
public final class Event<Payload: Sendable>: EventSource {
  let delivery: Delivery<Payload>

  /// - Parameters:
  ///   - label: What reports and ``diagnosis`` call it.
  ///   - policy: What happens to a value that is emitted while another is being delivered.
  ///   - maximumDepth: How deep handlers may cause each other before it counts as a circle and is refused with a report.
  ///     10,000 unless given, or 200 where emits nest on the stack (`.immediate`).
  ///   - file: Where it is made: its name in reports when it has no label. Left to the compiler.
  ///   - line: The line there.
  public init(
    _ label: String? = nil, policy: DeliveryPolicy = .serial, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    delivery = Delivery(label, policy, maximumDepth, file, line)
  }
  deinit { delivery.close() }

  var policy: DeliveryPolicy { delivery.policy }

  public func attach(_ handler: EventHandler<Payload>) -> Subscription { delivery.attach(handler) }

  /// Calls the handler with every value that is emitted from now on, for as long as the subscription is kept.
  ///
  /// What ``EventSource`` says of `observe` holds; this is the same without the detour that any source takes.
  public func observe(
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    delivery.observe(handler, CallSite(file: file, line: line))
  }

  /// Tells every handler.
  ///
  /// Returns when every handler that needs no hop has been called; handlers on other actors hear it there, in order. From a
  /// handler of this event, or while another thread delivers it, a `.serial` event takes the value on and returns; it is
  /// delivered when its turn comes, by whoever delivers.
  ///
  /// Never throws, never blocks. Where the caller is, `isolation`, is found by the compiler; leave it alone. (It is not found
  /// in a closure inside an actor's method that does not use `self`; from there that actor's handlers are reached through
  /// their queues.)
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func emit(_ payload: Payload, isolation: isolated (any Actor)? = #isolation) {
    #if DEBUG
    assertIsolated(isolation)
    #endif
    delivery.emit(payload, Passage(here: isolation, ticket: nil))
  }

  /// Tells every handler each of the values, in their order. What others emit meanwhile may come in between.
  @_alwaysEmitIntoClient
  public func emit(contentsOf payloads: some Sequence<Payload>, isolation: isolated (any Actor)? = #isolation) {
    for payload in payloads { emit(payload, isolation: isolation) }
  }

  /// Tells every handler, and returns when each, on whichever actor, has finished with the value.
  ///
  /// Handlers that are paused, cancelled or without their owner count as finished, and so does a stream that has the value in
  /// its buffer. In a handler of this event, where only `Task.immediate` can bring it, it is refused with a report: it would
  /// wait for the handler that waits for it.
  public func emitAndWait(_ payload: Payload, isolation: isolated (any Actor)? = #isolation) async {
    if Frame.contains(delivery) { return delivery.refuseToWait() }
    await withUnsafeContinuation { done in
      let ticket = Ticket(done)
      withExtendedLifetime(ticket) { delivery.emit(payload, Passage(here: isolation, ticket: ticket)) }
    }
  }

  /// Returns when everything that was emitted before this call has been handled, by every handler on whichever actor.
  ///
  /// ```swift
  /// traded.finish()
  /// await traded.drained()  // every row is stored
  /// ```
  ///
  /// Values that are emitted meanwhile are not waited for. Handlers that are paused or cancelled count as done; so do those of a
  /// stream, whose buffer has the values then. Handlers that ended with ``finish()`` are waited for. Values that went
  /// through `merge` or another operator are followed to their handlers. Called from a handler of this event, which only
  /// `Task.immediate` makes possible, it is rejected with a report: it would wait for itself.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func drained() async { await delivery.drained() }

  /// Ends the event: it takes no more values.
  ///
  /// What was emitted before is still delivered, also to handlers on other actors; then every subscription ends, and every
  /// stream when its consumer has taken what waits. The first value that is emitted afterwards is reported, and neither it nor
  /// a later one reaches a handler. A handler that is added afterwards has ended from the beginning. Finishing twice does
  /// nothing.
  ///
  /// It may be called from any thread and from a handler, and does not wait: ``drained()`` does.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func finish() { delivery.close(finishing: true) }

  /// Cancels every subscription, as `cancel()` does each.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func cancelAll() { delivery.clear(closingQueues: true) }
}

extension Event where Payload == Void {
  /// Tells every handler that it happened.
  @_alwaysEmitIntoClient  // here, all of `Event` would be compiled once more, for `Void`
  public func emit(isolation: isolated (any Actor)? = #isolation) {
    emit((), isolation: isolation)
  }
}
