/// What an operator gives: a source that passes on what it makes of another's values.
///
/// ```swift
/// let dear: Operated<String> = traded.filter { $0.price > 100 }.map(\.symbol)
/// ```
///
/// It does nothing until it is observed; each subscription has operators of its own, with their state. The closures run where
/// the source delivers, before a value is sent on to the handler's actor: what a filter refuses wakes nobody.
/// A source that is handed out as an `Operated` can be observed and not emitted.
public struct Operated<Payload: Sendable>: EventSource {
  private let source: @Sendable (EventHandler<Payload>) -> Subscription
  let policy: DeliveryPolicy

  @usableFromInline
  init(_ policy: DeliveryPolicy, _ source: @escaping @Sendable (EventHandler<Payload>) -> Subscription) {
    self.policy = policy
    self.source = source
  }

  public func attach(_ handler: EventHandler<Payload>) -> Subscription { source(handler) }
}

/// A source that says how it delivers. Others may call a handler several times at once, for all that is known.
protocol PolicyBearing { var policy: DeliveryPolicy { get } }
extension Operated: PolicyBearing {}
extension Event: PolicyBearing {}
extension Observed: PolicyBearing { var policy: DeliveryPolicy { .serial } }
extension Derived: PolicyBearing { var policy: DeliveryPolicy { .serial } }

extension EventSource {
  @usableFromInline
  var knownPolicy: DeliveryPolicy { (self as? any PolicyBearing)?.policy ?? .immediate }

  /// Every operator but `merge`: values go through on their way, in the call that delivers them.
  @usableFromInline
  func operated<Output: Sendable>(
    _ transform: @escaping @Sendable (@escaping Passing<Output>) -> Passing<Payload>
  ) -> Operated<Output> {
    Operated(knownPolicy) { handler in attach(handler.behind(transform)) }
  }

  /// The same values one at a time: what an operator with a state of its own stands on.
  @usableFromInline
  var oneAtATime: Operated<Payload> {
    knownPolicy == .serial ? Operated(.serial) { attach($0) } : Operated.relayed([self])
  }
}

extension Operated {
  /// The values of several sources through one serial event, made for each subscription.
  ///
  /// Who keeps what: the sources' handlers keep the relay, the relay's handler keeps the subscriptions to the sources. So
  /// cancelling the outer subscription lets go of all, and so does the end of the last source.
  @usableFromInline
  static func relayed(_ sources: [any EventSource<Payload>]) -> Operated {
    Operated(.serial) { handler in
      let relay = Event<Payload>("merge", file: handler.site.file, line: handler.site.line)
      let links = Links()
      let subscription = relay.attach(handler.holding(links))
      for source in sources {
        func link<S: EventSource<Payload>>(_ source: S) -> Subscription {
          let gate = EndSlot()
          return source.attach(
            EventHandler(
              .operated(
                { value, passage in relay.delivery.relay(value, passage, through: gate) },
                .relay(relay.delivery, gate: gate)),
              site: handler.site))
        }
        links.keep(link(source))
      }
      return subscription
    }
  }
}
