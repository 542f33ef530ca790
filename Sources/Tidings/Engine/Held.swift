/// A value that an event keeps up to date: what `hold` and `reduce` give.
///
/// It keeps the subscription to the event; the event's handler keeps the value. What depends on it keeps both, never the event.
final class Held<Value: Sendable>: ValueSource {
  private let observed: Observed<Value>
  private let subscription = Lock<Subscription?>(nil)

  init(_ initial: Value, from source: some EventSource<Value>, _ site: CallSite) {
    let observed = Observed(initial, file: site.file, line: site.line)
    self.observed = observed
    let end = EndSlot()
    let subscription = source.attach(
      EventHandler(
        .operated(
          { value, passage in
            if end.isOpen { observed.cell.set(value, passage.here, observed) }
          }, .handler(end)), site: site))
    self.subscription.withLock { $0 = subscription }
  }

  var value: Value { observed.value }
  var reader: ValueReader<Value> { ValueReader { self.value } }

  func attach(
    _ handler: EventHandler<Change<Value>>, tellingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    let keeping = handler.behind { pass in
      { change, passage in withExtendedLifetime(self) { pass(change, passage) } }
    }
    return observed.attach(
      handler.links.map { keeping.holding($0) } ?? keeping, tellingInitial: tellingInitial, isolation: isolation)
  }
}

extension ReadOnly {
  @usableFromInline
  init(holding initial: Value, from source: some EventSource<Value>, file: StaticString, line: UInt) {
    self.init(Held(initial, from: source, CallSite(file: file, line: line)))
  }
}
