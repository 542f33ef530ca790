// The doors through which operators reach the engine that make subscriptions of their own. What they are made of is compiled by
// who uses them, in `Relaying+Operators.swift`: all together they would be 50 KB of every client.

extension Event {
  /// Passes a value on that another source has delivered, unless that may not pass it on any more.
  @usableFromInline
  func relay(_ value: Payload, _ passage: Passage, through gate: EndSlot) {
    delivery.relay(value, passage, through: gate)
  }
  /// Delivers a value that nobody has emitted.
  @usableFromInline
  func relayFirst(_ value: Payload) { delivery.relay(value, Passage(here: nil, ticket: nil)) }
  /// Ends the handlers: no value comes any more.
  @usableFromInline
  func endHandlers() { delivery.close() }
}

extension EventHandler {
  /// Passes on to a relay, each value with the gate that the relay is to ask.
  @usableFromInline
  init<Item: Sendable>(
    passing pass: @escaping @Sendable (Payload, Passage, EndSlot) -> Void, to relay: Event<Item>, _ site: CallSite
  ) {
    let gate = EndSlot()
    self.init(
      .operated({ value, passage in pass(value, passage, gate) }, .relay(relay.delivery, gate: gate)), site: site)
  }
  /// Keeps a value up to date.
  @usableFromInline
  init(passing pass: @escaping Passing<Payload>, _ site: CallSite) {
    self.init(.operated(pass, .handler(EndSlot())), site: site)
  }
  /// Awaited: the slot calls for each value what `pass` gives it.
  @usableFromInline
  init(
    passing pass: @escaping Passing<Payload>, to slot: AwaitingSlot, ending: Ending?, _ site: CallSite
  ) {
    self.init(.operated(pass, .handler(slot)), ending: ending, site: site)
  }
}
