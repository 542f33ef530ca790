/// The result of an operator: a source of the values that the operator makes of another source's values.
///
/// ```swift
/// let dear: AnyEventSource<String> = traded.filter { $0.price > 100 }.map(\.symbol)
/// ```
///
/// It does nothing until it is observed. Each subscription has its own operators, with their own state. Their closures run
/// where the source delivers, before a value is sent to the handler's actor: a value that a filter drops wakes no actor. A
/// source that is passed out as an `AnyEventSource` can be observed, but not emitted to. It retains its source; a
/// subscription that is made through it does not.
public struct AnyEventSource<Payload: Sendable>: EventSource {
  private let source: @Sendable (EventHandler<Payload>) -> Subscription
  let policy: DeliveryPolicy

  @usableFromInline
  init(_ policy: DeliveryPolicy, _ source: @escaping @Sendable (EventHandler<Payload>) -> Subscription) {
    self.policy = policy
    self.source = source
  }

  /// Makes a source of the values of an event, or of any other source, that cannot be emitted to.
  ///
  /// ```swift
  /// var trades: AnyEventSource<Trade> { AnyEventSource(traded) }
  /// ```
  ///
  /// - Parameter source: The source, which is retained.
  @_alwaysEmitIntoClient
  public init(_ source: some EventSource<Payload>) { self.init(source.knownPolicy) { source.attach($0) } }

  public func attach(_ handler: EventHandler<Payload>) -> Subscription { source(handler) }
}

/// A source that knows its delivery policy. Any other source must be assumed to call a handler several times simultaneously.
protocol PolicyBearing { var policy: DeliveryPolicy { get } }
extension AnyEventSource: PolicyBearing {}
extension Event: PolicyBearing {}

extension EventSource {
  @usableFromInline
  var knownPolicy: DeliveryPolicy { (self as? any PolicyBearing)?.policy ?? .immediate }

  /// Every operator except `merge`: each value passes through in the call that delivers it.
  @usableFromInline
  func transformed<Output: Sendable>(
    _ transform: @escaping @Sendable (@escaping Passing<Output>) -> Passing<Payload>
  ) -> AnyEventSource<Output> {
    AnyEventSource(knownPolicy) { handler in attach(handler.adapted(transform)) }
  }

  /// The same values one at a time: the basis of every operator with state.
  @usableFromInline
  var oneAtATime: AnyEventSource<Payload> {
    knownPolicy == .serial ? AnyEventSource(.serial) { attach($0) } : AnyEventSource.relayed([self])
  }
}

extension AnyEventSource {
  /// The values of several sources through one serial event, made for each subscription.
  ///
  /// Ownership: the sources' handlers retain the relay, and the relay's handler retains the subscriptions to the sources. So
  /// cancelling the outer subscription releases them all, and so does the end of the last source.
  @usableFromInline
  static func relayed(_ sources: [any EventSource<Payload>]) -> AnyEventSource {
    AnyEventSource(.serial) { handler in
      let relay = Event<Payload>("merge", file: handler.site.file, line: handler.site.line)
      let links = UpstreamSubscriptions()
      let subscription = relay.attach(handler.holding(links))
      for source in sources {
        func link<S: EventSource<Payload>>(_ source: S) -> Subscription {
          let gate = GateSlot(.next())
          return source.attach(
            EventHandler(
              .operatorChain(
                { value, context in relay.delivery.relay(value, context, through: gate) },
                .relay(relay.delivery, gate: gate)),
              site: handler.site))
        }
        links.keep(link(source))
      }
      return subscription
    }
  }
}
