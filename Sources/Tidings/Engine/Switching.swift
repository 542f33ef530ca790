/// What passes through the relay of a subscription that follows one source after the other.
private enum Switched<Outer: Sendable, Payload: Sendable>: Sendable {
  case outer(Outer)
  case inner(Payload, source: Int)
}

/// Which source a subscription follows.
private struct Followed {
  var number = 0
  var subscription: Subscription?
}

extension Operated {
  /// The values of the source that `transform` makes of the latest value of `outer`.
  ///
  /// The relay has one order of what chooses a source and of what the sources emit, and each value knows the number of its
  /// source: so none of a source comes after the next one was chosen.
  @usableFromInline
  static func switching<Outer: EventSource, Inner: EventSource<Payload>>(
    _ outer: Outer, _ transform: @escaping @Sendable (Outer.Payload) -> Inner
  ) -> Operated {
    Operated(.serial) { handler in
      let relay = Event<Switched<Outer.Payload, Payload>>("switch", file: handler.site.file, line: handler.site.line)
      let (links, site) = (Links(), handler.site)
      let switching = handler.behind {
        (pass: @escaping Passing<Payload>) -> Passing<Switched<Outer.Payload, Payload>> in
        let followed = OperatorState(Followed())
        // Weak, as in `begun`.
        return { [weak relay] item, passage in
          switch item {
          case .outer(let value):
            let number = followed.value.number + 1
            let old = followed.value.subscription
            followed.value = Followed(number: number, subscription: nil)
            old?.cancel()
            guard let relay else { return }
            let inner = transform(value)
              .attach(EventHandler(passingOn: { .inner($0, source: number) }, to: relay, site: site))
            Watch.leaveOut(inner)
            followed.value.subscription = inner
          case .inner(let value, let source): if source == followed.value.number { pass(value, passage) }
          }
        }
      }
      let subscription = relay.attach(switching.holding(links))
      links.keep(outer.attach(EventHandler(passingOn: { .outer($0) }, to: relay, site: site)))
      return subscription
    }
  }
}
