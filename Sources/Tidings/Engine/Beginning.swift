/// What passes through the relay of a subscription that begins with values of its own.
private enum Begun<Value: Sendable>: Sendable {
  case beginning
  case value(Value)
}

/// How such a subscription begins: with these values, and with what `next` makes of each that comes.
@usableFromInline
struct Beginning<Source: Sendable, Payload: Sendable>: Sendable {
  @usableFromInline let first: [Payload]
  @usableFromInline let next: @Sendable (Source) -> Payload?

  @usableFromInline
  init(first: [Payload], next: @escaping @Sendable (Source) -> Payload?) {
    self.first = first
    self.next = next
  }
}

extension Operated {
  /// A source of which each subscription begins with values of its own, before anything of `source`.
  ///
  /// The subscription is added to `source` by its relay while that delivers: what comes meanwhile waits there, behind the first
  /// values. `begin` is called after that, so what it looks at is no older than the first value that is received.
  @usableFromInline
  static func begun<Source: EventSource>(
    on source: Source, _ begin: @escaping @Sendable () -> Beginning<Source.Payload, Payload>
  ) -> Operated {
    Operated(.serial) { handler in
      let relay = Event<Begun<Source.Payload>>("begin", file: handler.site.file, line: handler.site.line)
      let (links, site) = (Links(), handler.site)
      let begun = handler.behind { (pass: @escaping Passing<Payload>) -> Passing<Begun<Source.Payload>> in
        let next = OperatorState<(@Sendable (Source.Payload) -> Payload?)?>(nil)
        // Released at the beginning: a subscription does not keep its source.
        let unbegun = OperatorState<Source?>(source)
        // Weak: the relay keeps this handler. The source's handler keeps the relay, so the subscription ends with the source.
        return { [weak relay] item, passage in
          switch item {
          case .beginning:
            guard let relay, let source = unbegun.value else { return }
            unbegun.value = nil
            links.keep(source.attach(EventHandler(passingOn: { .value($0) }, to: relay, site: site)))
            let beginning = begin()
            next.value = beginning.next
            for value in beginning.first { pass(value, passage) }
          case .value(let value): if let output = next.value?(value) { pass(output, passage) }
          }
        }
      }
      let subscription = relay.attach(begun.holding(links))
      relay.delivery.relay(.beginning, Passage(here: nil, ticket: nil))
      return subscription
    }
  }
}

extension EventHandler {
  /// Passes on to a relay what `item` makes of each value.
  init<Item: Sendable>(
    passingOn item: @escaping @Sendable (Payload) -> Item, to relay: Event<Item>, site: CallSite
  ) {
    self.init(
      .operated({ value, passage in relay.delivery.relay(item(value), passage) }, .relay(relay.delivery)), site: site)
  }
}
