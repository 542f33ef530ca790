// Compiled in the modules that use them, see `Event+Relaying.swift`.

extension AnyEventSource {
  /// A source of which each subscription begins with values of its own, before anything of `source`.
  ///
  /// The subscription is added to `source` by its relay while that delivers nil, the beginning: what comes meanwhile waits
  /// there, after the first values. `begin` is called after that, so what it looks at is no older than the first value that
  /// is received.
  @_alwaysEmitIntoClient
  static func begun<Source: EventSource>(
    on source: Source,
    _ begin: @escaping @Sendable () -> (first: [Payload], next: @Sendable (Source.Payload) -> Payload?)
  ) -> AnyEventSource {
    AnyEventSource(.serial) { handler in
      let (links, site) = (UpstreamSubscriptions(), handler.site)
      let relay = Event<Source.Payload?>("begin", file: site.file, line: site.line)
      let begun = handler.adapted { (pass: @escaping Passing<Payload>) -> Passing<Source.Payload?> in
        let next = OperatorState<(@Sendable (Source.Payload) -> Payload?)?>(nil)
        // Released at the beginning: a subscription does not keep its source.
        let unbegun = OperatorState<Source?>(source)
        // Weak: the relay keeps this handler. The source's handler keeps the relay, so the subscription ends with the source.
        return { [weak relay] item, context in
          if let item {
            if let output = next.value?(item) { pass(output, context) }
          } else if let relay, let source = unbegun.value {
            unbegun.value = nil
            links.keep(
              source.attach(EventHandler(passing: { relay.relay($0, $1, through: $2) }, to: relay, site)))
            let beginning = begin()
            next.value = beginning.next
            for value in beginning.first { pass(value, context) }
          }
        }
      }
      let subscription = relay.attach(begun.holding(links))
      relay.relayFirst(nil)
      return subscription
    }
  }

  /// The values of the source that `transform` makes of the latest value of `outer`.
  ///
  /// The relay has one order of what chooses a source and of what the sources emit, and each value knows the number of its
  /// source: so none of a source comes after the next one was chosen.
  @_alwaysEmitIntoClient
  static func switching<Outer: EventSource, Inner: EventSource<Payload>>(
    _ outer: Outer, _ transform: @escaping @Sendable (Outer.Payload) -> Inner
  ) -> AnyEventSource {
    AnyEventSource(.serial) { handler in
      let (links, site) = (UpstreamSubscriptions(), handler.site)
      let relay = Event<(Outer.Payload?, Payload?, Int)>("switch", file: site.file, line: site.line)
      let switching = handler.adapted {
        (pass: @escaping Passing<Payload>) -> Passing<(Outer.Payload?, Payload?, Int)> in
        let followed = OperatorState<(number: Int, subscription: Subscription?)>((0, nil))
        // Weak, as in `begun`.
        return { [weak relay] item, context in
          if let value = item.1 {
            if item.2 == followed.value.number { pass(value, context) }
          } else if let value = item.0 {
            let (number, old) = (followed.value.number + 1, followed.value.subscription)
            followed.value.number = number
            guard let relay else { return }
            let received = relay.received(context)
            let inner = transform(value)
              .attach(EventHandler(passing: { relay.relay((nil, $0, number), $1, through: $2) }, to: relay, site))
            // Among the links, so that it is paused with the handler.
            links.keep(inner, insteadOf: old)
            followed.value.subscription = inner
            // After the new one was made: a source of both selections stays subscribed, and a shared upstream stays connected.
            old?.cancel()
            relay.include(context, since: received)
          }
        }
      }
      let subscription = relay.attach(switching.holding(links))
      links.keep(outer.attach(EventHandler(passing: { relay.relay(($0, nil, 0), $1, through: $2) }, to: relay, site)))
      return subscription
    }
  }

  /// The values of the sources that `transform` makes of the values of `outer`, of which at most `maximum` are followed at a time.
  ///
  /// Each source's handler keeps the relay, which ends with the last of them. The relay delivers what chooses a source too, so that a
  /// source's first values are part of that delivery. The end of a source is no value of the relay, since a pause would drop it.
  @_alwaysEmitIntoClient
  static func flattening<Outer: EventSource, Inner: EventSource<Payload>>(
    _ outer: Outer, _ maximum: Int, _ transform: @escaping @Sendable (Outer.Payload) -> Inner
  ) -> AnyEventSource {
    AnyEventSource(.serial) { handler in
      typealias Relay = Event<(Outer.Payload?, Payload?)>
      let (links, site) = (UpstreamSubscriptions(), handler.site)
      let relay = Relay("flatMap", file: site.file, line: site.line)
      let turns = GuardedState((waiting: ZipBuffer<Outer.Payload>(), followed: 0, isStarting: false))
      /// Follows what waits, while there is room. One call at a time does, so sources that have ended already take no stack. Nothing
      /// that a source retains retains the links: they end with the relay's handler.
      @Sendable func follow(_ relay: Relay, _ links: UpstreamSubscriptions, _ context: DeliveryContext?) {
        while true {
          let next = turns.withLock { turns -> Outer.Payload? in
            if turns.isStarting || turns.followed >= maximum || turns.waiting.isEmpty { return nil }
            turns.followed += 1
            turns.isStarting = true
            return turns.waiting.pop()
          }
          guard let next else { return }
          let received = context.flatMap { relay.received($0) }
          let end = OnDeinit { [weak links] in
            turns.withLock { $0.followed -= 1 }
            guard let links else { return }
            links.leaveEnded()
            follow(relay, links, nil)
          }
          links.keep(
            transform(next).attach(
              EventHandler(
                passing: { value, context, gate in
                  withExtendedLifetime(end) { relay.relay((nil, value), context, through: gate) }
                }, to: relay, site.ofFollowedSource)))
          if let context { relay.include(context, since: received) }
          turns.withLock { $0.isStarting = false }
        }
      }
      let flattening = handler.adapted { (pass: @escaping Passing<Payload>) -> Passing<(Outer.Payload?, Payload?)> in
        // Weak, as in `begun`; the handler retains the links.
        return { [weak relay, weak links] item, context in
          if let value = item.1 {
            pass(value, context)
          } else if let value = item.0, let relay, let links {
            turns.withLock { $0.waiting.push(value) }
            follow(relay, links, context)
          }
        }
      }
      let subscription = relay.attach(flattening.holding(links))
      links.keep(outer.attach(EventHandler(passing: { relay.relay(($0, nil), $1, through: $2) }, to: relay, site)))
      return subscription
    }
  }

  /// The values of two sources through one serial event, made for each subscription; it ends with the first source.
  @_alwaysEmitIntoClient
  static func joined<First: Sendable, Second: Sendable>(
    _ first: some EventSource<First>, _ second: some EventSource<Second>
  ) -> AnyEventSource where Payload == (First?, Second?) {
    AnyEventSource(.serial) { handler in
      let (links, site) = (UpstreamSubscriptions(endWithLast: true), handler.site)
      let relay = Event<(First?, Second?)>("join", file: site.file, line: site.line)
      let subscription = relay.attach(handler.holding(links))
      links.keep(second.attach(EventHandler(passing: { relay.relay((nil, $0), $1, through: $2) }, to: relay, site)))
      let end = OnDeinit { relay.endHandlers() }
      links.keep(
        first.attach(
          EventHandler(
            passing: { value, context, gate in
              withExtendedLifetime(end) { relay.relay((value, nil), context, through: gate) }
            }, to: relay, site)))
      return subscription
    }
  }

  /// The values and the ends of two sources through one serial event, made for each subscription.
  @_alwaysEmitIntoClient
  static func zipped<First: Sendable, Second: Sendable>(
    _ first: some EventSource<First>, _ second: some EventSource<Second>
  ) -> AnyEventSource where Payload == ZipItem<First, Second> {
    AnyEventSource(.serial) { handler in
      let (links, site) = (UpstreamSubscriptions(), handler.site)
      let relay = Event<Payload>("zip", file: site.file, line: site.line)
      let subscription = relay.attach(handler.holding(links))
      func follow<Source: EventSource>(
        _ source: Source, _ item: @escaping @Sendable (Source.Payload) -> Payload, endingWith last: Payload
      ) {
        let end = OnDeinit { relay.relayFirst(last) }
        links.keep(
          source.attach(
            EventHandler(
              passing: { value, context, gate in
                withExtendedLifetime(end) { relay.relay(item(value), context, through: gate) }
              }, to: relay, site)))
      }
      follow(first, { .first($0) }, endingWith: .firstEnded)
      follow(second, { .second($0) }, endingWith: .secondEnded)
      return subscription
    }
  }

  /// The values of `source` through one subscription, which its handlers keep. The source's handler keeps the event: when
  /// the source ends, so do they.
  @_alwaysEmitIntoClient
  static func shared(_ source: some EventSource<Payload>) -> AnyEventSource {
    let shared = SharedConnection()
    return AnyEventSource(.serial) { handler in
      if let (links, event) = shared.current { return (event as! Event<Payload>).attach(handler.holding(links)) }
      // Other threads find it once it is connected: they miss nothing that is emitted later.
      let (links, site) = (UpstreamSubscriptions(areShared: true), handler.site)
      let event = Event<Payload>("share", file: site.file, line: site.line)
      let subscription = event.attach(handler.holding(links))
      let end = OnDeinit { event.endHandlers() }
      links.keep(
        source.attach(
          EventHandler(
            passing: { value, context, gate in
              withExtendedLifetime(end) { event.relay(value, context, through: gate) }
            }, to: event, site)))
      shared.set(links, event)
      return subscription
    }
  }

  /// The values of `source`, of which a subscription receives the last `count` first.
  @_alwaysEmitIntoClient
  static func replayed(_ source: some EventSource<Payload>, _ count: Int, _ site: CallSite) -> AnyEventSource {
    let event = Event<(Int, Payload)>("replay", file: site.file, line: site.line)
    // The last values from the place of the oldest on, once there are as many as are kept, and the number of the last.
    let recent = GuardedState<(values: [Payload], oldest: Int, number: Int)>(([], 0, 0))
    // For good: a subscription that is made later ends when it has received the last values.
    let end = OnDeinit { event.finish() }
    let links = UpstreamSubscriptions(areShared: true)
    links.keep(
      source.attach(
        EventHandler(
          passing: { value, context, gate in
            // The value that is replaced is destroyed outside the lock.
            let (number, replaced) = recent.withLock { recent -> (Int, Payload?) in
              recent.number += 1
              var replaced: Payload?
              if recent.values.count < count {
                recent.values.append(value)
              } else if count > 0 {
                replaced = recent.values[recent.oldest]
                recent.values[recent.oldest] = value
                recent.oldest = (recent.oldest + 1) % count
              }
              return (recent.number, replaced)
            }
            withExtendedLifetime((replaced, end)) { event.relay((number, value), context, through: gate) }
          }, to: event, site)))
    return begun(on: AnyEventSource<(Int, Payload)>(.serial) { event.attach($0.holding(links)) }) {
      // Whatever is delivered later and is in here already has a number that says so.
      let (values, oldest, last) = recent.withLock { $0 }
      return (Array(values[oldest...] + values[..<oldest]), { $0.0 > last ? $0.1 : nil })
    }
  }
}
