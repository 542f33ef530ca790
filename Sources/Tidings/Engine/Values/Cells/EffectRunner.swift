/// Runs the closure of an effect: a derived value without content, which is computed by the effect's handler and by nothing else.
///
/// The handler is notified that the value was invalidated, not that it was recomputed. So the thread that writes never runs the
/// closure of an effect of another actor. Until the handler has computed the value, further changes find nothing to notify.
final class EffectRunner: @unchecked Sendable {  // `lock` guards what changes; beside it as in `Completion`
  private let latest: LatestValue<Void>
  private let cleanup: RunCleanup
  /// The token is known once the handler is attached, before the first run. Weak, or it would keep the effect alive.
  private weak var token: Subscription?
  private let lock = Lock(())
  private var subscription: Subscription? { lock.withLock { _ in token } }

  @_optimize(none)  // or the delivery would be compiled once more, for this type
  init(_ reading: Cell<Void>, _ cleanup: RunCleanup) {
    reading.node.pointee.body._withUnsafeGuaranteedRef { $0.cleanup = cleanup }
    latest = LatestValue(reading)
    self.cleanup = cleanup
  }
  /// The effect has ended, and no run is under way. An outer effect that ends this one before its next run is on its own actor.
  deinit { cleanup(on: Self.running?.home) }

  /// The cleanup of the effect whose closure runs on this thread; nil in any other computation and outside.
  static var running: RunCleanup? { (CausalFrame.computing as? Body)?.cleanup }

  @_optimize(none)  // or the delivery would be compiled once more, for this type
  func attach(_ handler: EventHandler<Change<UInt>>) -> Subscription {
    let links = UpstreamSubscriptions()
    links.keep(Resumption.observe(self, handler.site))
    let subscription = latest.attach(handler.holding(links))
    lock.withLock { _ in token = subscription }
    return subscription
  }

  /// Runs the closure until no value that it read has changed meanwhile. From then on the next change notifies the handler. A
  /// cancelled effect begins no further run, even if the run that has just ended cancelled it. An effect that can never run again
  /// ends. An effect that is overtaken each time goes back into
  /// the handler's queue, so that the actor's other work has its turn.
  ///
  /// After the run, the calls begin that its closure has made pending, on the same actor.
  func run() {
    let context = Context.current
    context.pointee.seen.notifying &+= 1
    makeRuns()
    context.pointee.seen.notifying &-= 1
    if context.pointee.notifications.isPending { Context.drain(context, cleanup.home) }
  }
  @_optimize(none)
  private func makeRuns() {
    var left = 16  // counted by hand: without optimisation a range is code of every client
    while left > 0 {
      guard let subscription, subscription.isActive, let taken = latest.take() else { return }
      if taken.isFinal { return latest.end() }
      if taken.isOpen { return }
      left -= 1
    }
    notify(nil)
  }

  /// Notifies the handler without a change. The closure runs only if something has changed, or for the first time.
  @_optimize(none)
  func notify(_ here: (any Actor)?) {
    guard let list = subscription?.registration.list else { return }
    unsafeDowncast(list, to: Delivery<Change<UInt>>.self)
      .relay(Change(old: nil, new: 0), DeliveryContext(here: here, counter: nil))
  }
}

/// Observes that the effect's subscription is resumed. The handler's list pauses and resumes the subscriptions to which the handler
/// is linked. Here these include a handler of a separate list. Resuming it asks its endpoint what else is to be done.
private enum Resumption {
  static func observe(_ runner: EffectRunner, _ site: CallSite) -> Subscription {
    let list = Delivery<Never>(EventIdentity("effect", nil, site.file, site.line), .serial)
    let subscription = Subscription(list, site: site)
    list.add(.passRetained(ResumedSlot(runner)), for: subscription)
    return subscription
  }
}

private final class ResumedSlot: Slot, @unchecked Sendable {  // nothing but a constant is added to `Slot`
  private let resumed: ResumptionEndpoint
  init(_ runner: EffectRunner) { resumed = ResumptionEndpoint(runner) }
  override var endpoint: Endpoint? { resumed }
}

private final class ResumptionEndpoint: Endpoint, @unchecked Sendable {  // a constant is stored
  private let runner: EffectRunner
  init(_ runner: EffectRunner) { self.runner = runner }
  override func close() {}
  override func retire() {}
  override func pause() -> AnyObject? { nil }
  /// Called under the list's lock. The returned object is released after the lock.
  override func resume() -> AnyObject? { OnDeinit { [runner] in runner.notify(nil) } }
  override func idle() async {}
}

private struct Isolated { let call: @isolated(any) @Sendable () -> Void }
private struct Unisolated { let call: @Sendable () -> Void }

/// Drops the isolation of a closure. As for closures with a parameter, the bits and the calling convention are the same. Call the
/// result only on the closure's own actor.
func plain(_ body: @escaping @isolated(any) @Sendable () -> Void) -> @Sendable () -> Void {
  unsafeBitCast(Isolated(call: body), to: Unisolated.self).call
}
