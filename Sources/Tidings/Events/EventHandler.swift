/// A handler together with where it runs: the argument of ``EventSource/attach(_:)``.
///
/// Programs do not make one; `observe`, `once` and the other verbs do. A type that wraps an event passes it on:
///
/// ```swift
/// struct Thermometer: EventSource {
///   private let measured = Event<Double>("thermometer.measured")
///   func attach(_ handler: EventHandler<Double>) -> Subscription { measured.attach(handler) }
/// }
/// ```
///
/// That type then has every verb and operator of `EventSource`, including delivery in place. A handler is attached to one
/// source. Attaching it to a second source stops the program with a message where one subscription could otherwise stop
/// the other. To observe several sources use `merge`.
public struct EventHandler<Payload: Sendable>: Sendable {
  enum Form: Sendable {
    case plain(PlainHandler<Payload>)
    /// Converted from a closure that knows its actor; the number is the actor's address.
    case isolated(Converted<Payload>, UInt)
    case routed(PlainHandler<Payload>, Route)
    /// A handler with operators in front of it.
    case operatorChain(Passing<Payload>, ChainEnd)
    /// The buffer of a stream.
    case stream(StreamHub<Payload>)
  }
  private(set) var form: Form
  /// Lets the handler cancel itself. A handler that has one is retained by the event and not by its token.
  private(set) var selfCancellation: SelfCancellation?
  /// The subscriptions to the sources of its relay, which it retains.
  private(set) var links: UpstreamSubscriptions?
  @usableFromInline let site: CallSite

  init(_ form: Form, selfCancellation: SelfCancellation? = nil, site: CallSite) {
    self.form = form
    self.selfCancellation = selfCancellation
    self.site = site
  }

  /// The same handler, retained by the event and not by its token.
  @usableFromInline
  func owned() -> EventHandler {
    var handler = self
    handler.selfCancellation = selfCancellation ?? SelfCancellation()
    return handler
  }

  /// The same handler, called once: with the first value whose call may begin.
  @usableFromInline
  func calledOnce() -> EventHandler {
    var handler = owned()
    let selfCancellation = handler.selfCancellation.unsafelyUnwrapped
    func once(_ call: @escaping PlainHandler<Payload>) -> PlainHandler<Payload> {
      { value in if selfCancellation.begin() { call(value) } }
    }
    switch form {
    case .plain(let call): handler.form = .plain(once(call))
    case .isolated(let converted, _): handler.form = .routed(once(converted.call), .actor(converted.isolation!))
    case .routed(let call, let route): handler.form = .routed(once(call), route)
    case .operatorChain(_, .handler(let slot)): (slot as? AwaitingSlot)?.becomeOnce(selfCancellation)
    case .operatorChain, .stream: break
    }
    return handler
  }

  /// The same handler, retaining the subscriptions through which it receives.
  @usableFromInline
  func holding(_ links: UpstreamSubscriptions) -> EventHandler {
    var handler = adapted { $0 }
    handler.links = links
    return handler
  }

  /// A handler of a converted closure, or of one that wraps a converted closure, on the actor `home`.
  @usableFromInline
  init(
    _ call: @escaping PlainHandler<Payload>, on home: (any Actor)?, selfCancellation: SelfCancellation?, site: CallSite
  ) {
    self.init(home.map { .routed(call, .actor($0)) } ?? .plain(call), selfCancellation: selfCancellation, site: site)
  }
  /// A handler that runs on its owner and holds it weakly.
  @usableFromInline
  init(
    _ call: @escaping PlainHandler<Payload>, onOwner owner: any Actor, selfCancellation: SelfCancellation,
    site: CallSite
  ) {
    self.init(.routed(call, .owner(WeakActor(owner), selfCancellation)), selfCancellation: selfCancellation, site: site)
  }
  @usableFromInline
  init(_ call: @escaping PlainHandler<Payload>, on target: DeliveryTarget, site: CallSite) {
    self.init(.routed(call, .target(target)), site: site)
  }
  @usableFromInline
  init(
    _ call: @escaping PlainHandler<Payload>, on target: DeliveryTarget, selfCancellation: SelfCancellation,
    site: CallSite
  ) {
    self.init(.routed(call, .target(target)), selfCancellation: selfCancellation, site: site)
  }

  /// A handler of another payload that passes the results of `transform` on to this one.
  @usableFromInline
  func adapted<Upstream: Sendable>(
    _ transform: (@escaping Passing<Payload>) -> Passing<Upstream>
  ) -> EventHandler<Upstream> {
    let head: ChainEnd
    let pass: Passing<Payload>
    switch form {
    case .plain(let call):
      let slot = GateSlot()
      (head, pass) = (.handler(slot), { value, _ in if slot.isOpen, !RevocationCheck.isRevokedHere { call(value) } })
    case .isolated(let handler, let home): (head, pass) = Self.deliver(to: IsolatedSlot(handler, home: home))
    case .routed(let call, let route): (head, pass) = Self.deliver(to: RoutedHandlerSlot(call, route, selfCancellation))
    case .operatorChain(let chain, let end): (head, pass) = (end, chain)
    case .stream(let hub): (head, pass) = Self.deliver(to: StreamSlot(hub))
    }
    return EventHandler<Upstream>(.operatorChain(transform(pass), head), selfCancellation: selfCancellation, site: site)
  }
  private static func deliver(to slot: RoutedSlot<Payload>) -> (ChainEnd, Passing<Payload>) {
    (.handler(slot), { value, context in slot.receive(value, context) })
  }

  @inline(never)
  func makeSlot(for subscription: Subscription) -> Slot {
    ObjectObservation.isOn ? timed(ObjectObservation.timer(of: subscription, site)).makeSlot() : makeSlot()
  }
  /// The same handler, its calls timed by the observer of objects.
  @_optimize(size)
  private func timed(_ timer: @escaping ObjectObservation.CallTimer) -> EventHandler {
    func timed(_ call: @escaping PlainHandler<Payload>) -> PlainHandler<Payload> {
      { value in
        let start = timer(0)
        call(value)
        _ = timer(start)
      }
    }
    var handler = self
    switch form {
    case .plain(let call): handler.form = .plain(timed(call))
    case .isolated(let converted, _): handler.form = .routed(timed(converted.call), .actor(converted.isolation!))
    case .routed(let call, let route): handler.form = .routed(timed(call), route)
    case .operatorChain(let pass, let end):
      handler.form = .operatorChain(
        { value, context in
          let start = timer(0)
          pass(value, context)
          _ = timer(start)
        }, end)
    case .stream: break
    }
    return handler
  }
  private func makeSlot() -> Slot {
    switch form {
    case .plain(let call): Self.makePlainSlot(Converted(plain: call).erased, selfCancellation)
    case .isolated(let handler, let home): IsolatedSlot(handler, home: home)
    case .routed(let call, let route): RoutedHandlerSlot(call, route, selfCancellation)
    case .operatorChain(let pass, let head): OperatorSlot(pass, head, selfCancellation, links)
    case .stream(let hub): StreamSlot(hub)
    }
  }
  private static func makePlainSlot(_ handler: Converted<Never>, _ selfCancellation: SelfCancellation?) -> Slot {
    selfCancellation.map { SelfCancellingSlot(handler, $0) } ?? ErasedHandlerSlot(handler)
  }
}

extension Delivery {
  /// Like `attach`, without an `EventHandler` in between: in unspecialized code, instantiating its generic types costs more
  /// than adding the handler. The closure and the slot are handed on: retained on the way they were six atomic operations of
  /// sixteen. bench: subscribe + cancel, −8 % instructions
  @inline(__always)
  func observe(
    _ handler: __owned @escaping @isolated(any) @Sendable (Payload) -> Void, _ site: CallSite
  ) -> Subscription {
    let home = address(handler.isolation)
    if ObjectObservation.isOn { return observeTimed(handler, home, site) }
    #if DEBUG
    checkGrowth(at: site, nil)
    #endif
    let subscription = Subscription(self, site: site)
    if home == 0 {
      enter(.passRetained(ErasedHandlerSlot(Converted(consume handler).erased)), for: subscription).dispose()
    } else {
      add(.passRetained(IsolatedSlot(Converted(consume handler), home: home)), for: subscription)
    }
    return subscription
  }

  @inline(never)
  private func observeTimed(
    _ handler: @escaping @isolated(any) @Sendable (Payload) -> Void, _ home: UInt, _ site: CallSite
  ) -> Subscription {
    attach(EventHandler(home == 0 ? .plain(plain(handler)) : .isolated(Converted(handler), home), site: site))
  }

  func attach(_ handler: EventHandler<Payload>) -> Subscription {
    #if DEBUG
    checkGrowth(at: handler.site, handler.selfCancellation)
    #endif
    let subscription = Subscription(self, site: handler.site)
    handler.selfCancellation?.bind(subscription)
    add(
      .passRetained(handler.makeSlot(for: subscription)), for: subscription, owned: handler.selfCancellation != nil)
    return subscription
  }
}
