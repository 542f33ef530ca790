/// One subscription to a source for several handlers, for as long as there is one of them.
///
/// Kept by its handlers, and so is the subscription. The source's handler keeps the event here: when the source ends, so do
/// the handlers.
private final class Connection<Payload: Sendable>: Sendable {
  private let event: Event<Payload>
  private let subscription = Lock<Subscription?>(nil)

  init(_ site: CallSite) { event = Event("share", file: site.file, line: site.line) }

  func attach(_ handler: EventHandler<Payload>) -> Subscription {
    event.attach(
      handler.behind { pass in
        { value, passage in withExtendedLifetime(self) { pass(value, passage) } }
      })
  }

  func connect(to source: some EventSource<Payload>, _ site: CallSite) {
    let end = SourceEnd(event)
    let subscription = source.attach(EventHandler(passingOn: { $0 }, to: event, endingWith: end, site: site))
    Watch.leaveOut(subscription)
    self.subscription.withLock { $0 = subscription }
  }
}

/// Ends the handlers of an event when the source that feeds it lets go of this.
final class SourceEnd<Payload: Sendable>: Sendable {
  private let event: Event<Payload>
  init(_ event: Event<Payload>) { self.event = event }
  deinit { event.delivery.close() }
}

extension EventHandler {
  /// Passes on to a relay what `item` makes of each value, and keeps what ends the relay.
  init<Item: Sendable>(
    passingOn item: @escaping @Sendable (Payload) -> Item, to relay: Event<Item>, endingWith end: SourceEnd<Item>,
    site: CallSite
  ) {
    self.init(
      .operated(
        { value, passage in withExtendedLifetime(end) { relay.delivery.relay(item(value), passage) } },
        .relay(relay.delivery)), site: site)
  }
}

/// A value of one of two sources.
@usableFromInline
enum Either<First: Sendable, Second: Sendable>: Sendable {
  case first(First)
  case second(Second)
}

extension Operated {
  /// The values of two sources through one serial event, made for each subscription; it ends with the first source.
  @usableFromInline
  static func joined<First: Sendable, Second: Sendable>(
    _ first: some EventSource<First>, _ second: some EventSource<Second>
  ) -> Operated where Payload == Either<First, Second> {
    Operated(.serial) { handler in
      let (links, site) = (Links(), handler.site)
      let relay = Event<Payload>("join", file: site.file, line: site.line)
      let subscription = relay.attach(handler.holding(links))
      links.keep(second.attach(EventHandler(passingOn: { .second($0) }, to: relay, site: site)))
      links.keep(
        first.attach(
          EventHandler(passingOn: { .first($0) }, to: relay, endingWith: SourceEnd(relay), site: site)))
      return subscription
    }
  }
}

private final class CurrentConnection<Payload: Sendable>: Sendable {
  private struct Reference { weak var connection: Connection<Payload>? }
  private let reference = Lock(Reference())
  var connection: Connection<Payload>? { reference.withLock { $0.connection } }
  func set(_ connection: Connection<Payload>) { reference.withLock { $0.connection = connection } }
}

extension Operated {
  /// The values of `source` through one subscription.
  @usableFromInline
  static func shared(_ source: some EventSource<Payload>) -> Operated {
    let current = CurrentConnection<Payload>()
    return Operated(.serial) { handler in
      if let connection = current.connection { return connection.attach(handler) }
      // Known to others when it is connected: who finds it has missed nothing that is emitted later.
      let connection = Connection<Payload>(handler.site)
      let subscription = connection.attach(handler)
      connection.connect(to: source, handler.site)
      current.set(connection)
      return subscription
    }
  }

  /// The values of `source`, of which a subscription receives the last `count` first.
  @usableFromInline
  static func replayed(_ source: some EventSource<Payload>, _ count: Int, _ site: CallSite) -> Operated {
    let event = Event<RecentValues<Payload>.Item>("replay", file: site.file, line: site.line)
    let recent = RecentValues<Payload>(count)
    let subscription = source.attach(
      EventHandler(passingOn: { recent.add($0) }, to: event, endingWith: SourceEnd(event), site: site))
    Watch.leaveOut(subscription)
    return begun(on: event) {
      // Whatever is delivered later and is in here already has a number that says so.
      let (values, last) = withExtendedLifetime(subscription) { recent.all }
      return Beginning(first: values) { item in item.number > last ? item.value : nil }
    }
  }
}

/// The last values of a source, numbered.
private final class RecentValues<Value: Sendable>: Sendable {
  struct Item: Sendable {
    let number: Int
    let value: Value
  }
  private struct State {
    var values: [Value] = []
    /// The place of the oldest, once there are as many as are kept.
    var oldest = 0
    var number = 0
  }
  private let state = Lock(State())
  private let limit: Int

  init(_ limit: Int) { self.limit = max(0, limit) }

  func add(_ value: Value) -> Item {
    // The value that is replaced is destroyed outside the lock.
    let (number, replaced) = state.withLock { state -> (Int, Value?) in
      state.number += 1
      if state.values.count < limit {
        state.values.append(value)
        return (state.number, nil)
      }
      guard limit > 0 else { return (state.number, nil) }
      let replaced = state.values[state.oldest]
      state.values[state.oldest] = value
      state.oldest = (state.oldest + 1) % limit
      return (state.number, replaced)
    }
    withExtendedLifetime(replaced) {}
    return Item(number: number, value: value)
  }

  var all: (values: [Value], last: Int) {
    state.withLock { state in (Array(state.values[state.oldest...] + state.values[..<state.oldest]), state.number) }
  }
}
