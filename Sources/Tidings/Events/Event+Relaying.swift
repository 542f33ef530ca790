// The entry points through which operators that make subscriptions of their own reach the engine. The operators are compiled
// in the modules that use them, in `AnyEventSource+Relaying.swift`: together they would add 50 KB to every client.

extension Event {
  /// Passes a value on that another source has delivered, unless that may not pass it on any more.
  @usableFromInline
  func relay(_ value: Payload, _ context: DeliveryContext, through gate: GateSlot) {
    delivery.relay(value, context, through: gate)
  }
  /// Delivers a value of the operator itself.
  @usableFromInline
  func relayFirst(_ value: Payload) { delivery.relay(value, DeliveryContext(here: nil, counter: nil), canWait: false) }
  /// Passes a value on in a task: it begins a chain of causes.
  @usableFromInline
  func relayFromTask(_ value: Payload, _ context: DeliveryContext, through gate: GateSlot) {
    delivery.relay(value, context, depth: 0, through: gate)
  }
  /// How many values the relay has received, if a caller waits for the one that it delivers.
  @usableFromInline
  func received(_ context: DeliveryContext) -> Int? { context.counter == nil ? nil : delivery.received }
  /// Lets the caller wait for what the relay has received since then as well.
  @usableFromInline
  func include(_ context: DeliveryContext, since received: Int?) {
    guard let counter = context.counter, delivery.received != received else { return }
    counter.enter()
    delivery.sendBarrier(counter, through: nil)
  }
  /// Ends the handlers: no value comes any more.
  @usableFromInline
  func endHandlers() { delivery.close() }
}

extension EventHandler {
  /// Passes on to a relay, each value with the gate that the relay is to ask.
  @usableFromInline
  init<Item: Sendable>(
    passing pass: @escaping @Sendable (Payload, DeliveryContext, GateSlot) -> Void, to relay: Event<Item>,
    _ site: CallSite
  ) {
    let gate = GateSlot(.next())
    self.init(
      .operatorChain({ value, context in pass(value, context, gate) }, .relay(relay.delivery, gate: gate)), site: site)
  }
  /// Keeps a value up to date.
  @usableFromInline
  init(passing pass: @escaping Passing<Payload>, _ site: CallSite) {
    self.init(.operatorChain(pass, .handler(GateSlot())), site: site)
  }
  /// Awaited: the slot calls for each value what `pass` gives it.
  @usableFromInline
  init(
    passing pass: @escaping Passing<Payload>, to slot: AwaitingSlot, selfCancellation: SelfCancellation?,
    _ site: CallSite
  ) {
    self.init(.operatorChain(pass, .handler(slot)), selfCancellation: selfCancellation, site: site)
  }
}

extension AwaitingSlot {
  /// The end of the chain before an operator that waits.
  @usableFromInline
  convenience init<Payload>(
    before relay: Event<Payload>, waking wake: @escaping @Sendable () -> Void, _ site: CallSite
  ) {
    self.init(RelayingMailbox(before: relay.delivery, waking: wake, site))
  }
}
