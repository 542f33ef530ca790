/// A handler together with where it runs: what a source takes to attach it.
///
/// Programs do not make one; `observe`, `once` and their kin do. A type that wraps an event hands it on:
///
/// ```swift
/// struct Thermometer: EventSource {
///   private let measured = Event<Double>("thermometer.measured")
///   func attach(_ handler: EventHandler<Double>) -> Subscription { measured.attach(handler) }
/// }
/// ```
///
/// and has every verb and operator of `EventSource`, with delivery in place and all. A handler is attached to one source: to
/// attach the same one to a second source stops the program with a message where that would let one subscription silence the
/// other. For several sources there is `merge`.
public struct EventHandler<Payload: Sendable>: Sendable {
  enum Form: Sendable {
    case plain(Plain<Payload>)
    /// Converted from a closure that knows its actor, whose address this is.
    case isolated(Converted<Payload>, UInt)
    case routed(Plain<Payload>, Route)
    /// Behind operators.
    case operated(Passing<Payload>, Head)
    /// What fills a stream.
    case stream(StreamHub<Payload>)
  }
  let form: Form
  /// How it ends itself; who can, is kept by the event and not by its token.
  private(set) var ending: Ending?
  /// The subscriptions that it holds to the sources of its relay.
  private(set) var links: Links?
  @usableFromInline let site: CallSite

  init(_ form: Form, ending: Ending? = nil, site: CallSite) {
    self.form = form
    self.ending = ending
    self.site = site
  }

  /// The same handler, kept by the event and not by its token.
  @usableFromInline
  func owned() -> EventHandler {
    var handler = self
    handler.ending = ending ?? Ending()
    return handler
  }

  /// The same handler, holding the subscriptions through which it hears.
  @usableFromInline
  func holding(_ links: Links) -> EventHandler {
    var handler = behind { $0 }
    handler.links = links
    return handler
  }

  /// A closure that was converted, or wraps one that was, on the actor `home`.
  @usableFromInline
  init(_ call: @escaping Plain<Payload>, on home: (any Actor)?, ending: Ending?, site: CallSite) {
    self.init(home.map { .routed(call, .actor($0)) } ?? .plain(call), ending: ending, site: site)
  }
  /// One that runs on its owner, and does not keep it.
  @usableFromInline
  init(_ call: @escaping Plain<Payload>, onOwner owner: any Actor, ending: Ending, site: CallSite) {
    self.init(.routed(call, .owner(WeakActor(owner), ending)), ending: ending, site: site)
  }
  @usableFromInline
  init(_ call: @escaping Plain<Payload>, on target: DeliveryTarget, site: CallSite) {
    self.init(.routed(call, .target(target)), site: site)
  }
  @usableFromInline
  init(_ call: @escaping Plain<Payload>, on target: DeliveryTarget, ending: Ending, site: CallSite) {
    self.init(.routed(call, .target(target)), ending: ending, site: site)
  }

  /// The handler of another payload that passes on to this one what `transform` makes of it.
  @usableFromInline
  func behind<Upstream: Sendable>(
    _ transform: (@escaping Passing<Payload>) -> Passing<Upstream>
  ) -> EventHandler<Upstream> {
    let head: Head
    let pass: Passing<Payload>
    switch form {
    case .plain(let call):
      let slot = EndSlot()
      (head, pass) = (.handler(slot), { value, _ in if slot.isOpen { call(value) } })
    case .isolated(let handler, let home): (head, pass) = Self.deliver(to: IsolatedSlot(handler, home: home))
    case .routed(let call, let route): (head, pass) = Self.deliver(to: RoutedHandlerSlot(call, route, ending))
    case .operated(let chain, let end): (head, pass) = (end, chain)
    case .stream(let hub): (head, pass) = Self.deliver(to: StreamSlot(hub))
    }
    return EventHandler<Upstream>(.operated(transform(pass), head), ending: ending, site: site)
  }
  private static func deliver(to slot: RoutedSlot<Payload>) -> (Head, Passing<Payload>) {
    (.handler(slot), { value, passage in slot.receive(value, passage) })
  }

  func makeSlot() -> Slot {
    switch form {
    case .plain(let call): ending.map { EndingSlot(call, $0) } ?? HandlerSlot(call)
    case .isolated(let handler, let home): IsolatedSlot(handler, home: home)
    case .routed(let call, let route): RoutedHandlerSlot(call, route, ending)
    case .operated(let pass, let head): OperatedSlot(pass, head, ending, links)
    case .stream(let hub): StreamSlot(hub)
    }
  }
}

extension Delivery {
  /// As `attach`, without the description of the handler in between: in unspecialised code naming its generic parts costs
  /// more than adding it.
  func observe(
    _ handler: @escaping @isolated(any) @Sendable (Payload) -> Void, _ site: CallSite
  ) -> Subscription {
    let subscription = Subscription(self, owned: false, site: site)
    let home = address(handler.isolation)
    if home == 0 {
      add(plainSlot.init(plain(handler)), for: subscription)
    } else {
      add(IsolatedSlot(Converted(handler), home: home), for: subscription)
    }
    return subscription
  }

  func attach(_ handler: EventHandler<Payload>) -> Subscription {
    let subscription = Subscription(self, owned: handler.ending != nil, site: handler.site)
    handler.ending?.bind(subscription)
    add(handler.makeSlot(), for: subscription)
    return subscription
  }
}
