/// An occurrence that repeats, and that handlers can observe.
///
/// ```swift
/// let traded = Event<Trade>("market.traded")
/// let subscription = traded.observe { trade in print(trade) }
/// traded.emit(Trade("MSFT", price: 39.81))
/// ```
///
/// Handlers are called in the order in which they were added. All handlers receive the same values in the same order,
/// whichever thread or handler emits. <doc:Contract> has all rules, each with its test. Every member may be used from any
/// thread at any time, handlers included.
///
/// An event lives as long as a reference to it. When it is deinitialized its handlers are released; subscriptions do not
/// keep it alive. For a single isolation, and for payloads that are not `Sendable`, there is ``LocalEvent``.
public final class Event<Payload: Sendable>: EventSource {
  let delivery: Delivery<Payload>

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - policy: What happens to a value that is emitted while another is being delivered.
  ///   - maximumDepth: The causal depth of handlers beyond which an emission counts as a cycle and is rejected with a
  ///     report. 10,000 unless given, or 200 where emissions nest on the stack (`.immediate`).
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  public init(
    _ label: String? = nil, policy: DeliveryPolicy = .serial, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    delivery = Delivery(EventIdentity(label, maximumDepth, file, line), policy)
    ObjectObservation.created(delivery, isHook: false, payload: Payload.self)
  }
  deinit {
    ObjectObservation.destroyed(delivery)
    delivery.close()
  }

  var policy: DeliveryPolicy { delivery.policy }

  /// Whether ``finish()`` was called: the event accepts no more values.
  public var isFinished: Bool { delivery.isFinished }
  /// The number of subscriptions: of handlers, of streams and of operators whose results are observed.
  ///
  /// ```swift
  /// if traded.subscriptionCount > 0 { traded.emit(try loadTrade()) }
  /// ```
  ///
  /// Another thread may add or cancel one at the same time. So it serves to save work, and to find leaks in tests.
  public var subscriptionCount: Int { delivery.liveCount }

  public func attach(_ handler: EventHandler<Payload>) -> Subscription { delivery.attach(handler) }

  /// Calls the handler with every value that is emitted from now on, for as long as the subscription is kept.
  ///
  /// The rules of `observe` of an ``EventSource`` apply. This overload avoids the indirection of the general one.
  ///
  /// - Parameters:
  ///   - handler: Called with each value, on the actor on which it was formed, or else on the delivering thread.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1).
  public func observe(
    @_inheritActorContext _ handler: __owned @escaping @isolated(any) @Sendable (Payload) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    delivery.observe(handler, CallSite(file: file, line: line))
  }

  /// Notifies every handler of a value.
  ///
  /// Returns when every handler that needs no hop has been called. Handlers on other actors receive the value there, in
  /// order. If the caller is a handler of this event, or another thread is delivering it, a `.serial` event enqueues the
  /// value and returns; the delivering thread delivers it in its turn.
  ///
  /// Never throws and never blocks.
  ///
  /// - Parameters:
  ///   - payload: The value.
  ///   - isolation: The caller's actor. Filled in by the compiler; do not pass it. (It is nil in a closure inside an actor's
  ///     method that does not use `self`: from there the handlers of that actor are notified through their queues.)
  /// - Complexity: O(*n*) in the number of handlers.
  public func emit(_ payload: Payload, isolation: isolated (any Actor)? = #isolation) {
    #if DEBUG
    assertIsolated(isolation)
    #endif
    delivery.emit(payload, DeliveryContext(here: isolation, counter: nil))
  }

  /// Notifies every handler of each of the values, in their order. Values that other threads emit meanwhile may come in
  /// between.
  ///
  /// - Parameters:
  ///   - payloads: The values.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Complexity: O(*m* × *n*) for *m* values and *n* handlers.
  @_alwaysEmitIntoClient
  public func emit(contentsOf payloads: some Sequence<Payload>, isolation: isolated (any Actor)? = #isolation) {
    for payload in payloads { emit(payload, isolation: isolation) }
  }

  /// Notifies every handler, and returns when each handler, on any actor, has finished with the value.
  ///
  /// Handlers that are paused, cancelled or without their owner count as finished, and so does a stream that has the value
  /// in its buffer.
  ///
  /// An asynchronous handler of this event that calls it would wait for itself. The call is reported; the value is emitted, and only
  /// the other handlers are waited for. A task that a handler starts may wait.
  ///
  /// - Parameters:
  ///   - payload: The value.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Complexity: O(*n*) in the number of handlers, and the time that they take.
  public func emitAndWait(_ payload: Payload, isolation: isolated (any Actor)? = #isolation) async {
    let task = CompletionCounter.currentTask
    await withUnsafeContinuation { done in
      let counter = CompletionCounter(done, waitingTask: task)
      withExtendedLifetime(counter) { delivery.emit(payload, DeliveryContext(here: isolation, counter: counter)) }
    }
  }

  /// Returns when every handler, on any actor, has handled every value that was emitted before this call.
  ///
  /// ```swift
  /// traded.finish()
  /// await traded.drained()  // every row is stored
  /// ```
  ///
  /// Values that are emitted meanwhile are not waited for. Handlers that are paused or cancelled count as done. So does a
  /// stream, whose buffer then has the values. Handlers that ended with ``finish()`` are waited for. Values that went
  /// through `merge` or another operator are followed to their handlers. An asynchronous handler of this event that calls
  /// it would wait for itself: the call is reported and waits for the other handlers only. A task that a handler starts may wait.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func drained() async { await delivery.drained() }

  /// Ends the event: it accepts no more values.
  ///
  /// Values that were emitted before are still delivered, also to handlers on other actors. Then every subscription ends,
  /// and every stream ends when its consumer has taken the values that wait. The first value that is emitted afterwards is
  /// reported; neither it nor a later one reaches a handler. The subscription of a handler that is added afterwards has
  /// ended from the beginning. Finishing twice does nothing.
  ///
  /// Any thread and any handler may call it. It does not wait for handlers; ``drained()`` does.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func finish() { delivery.close(finishing: true) }

  /// Cancels every subscription, with the same effect as `cancel()` of each.
  ///
  /// Values that wait behind operators are dropped as well. Where an operator also follows another source (`merge`, `zip`,
  /// `withLatest`), it continues with that source, and delivers what it has accepted of both.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func cancelAll() { delivery.clear(closingQueues: true) }
}

extension Event where Payload == Void {
  /// Notifies every handler.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  /// - Complexity: O(*n*) in the number of handlers.
  @_alwaysEmitIntoClient  // here, all of `Event` would be compiled once more, for `Void`
  public func emit(isolation: isolated (any Actor)? = #isolation) {
    emit((), isolation: isolation)
  }
}
