import Synchronization
import Tidings
import TidingsTesting

extension EventFuzz {
  /// One random thing, done by a thread or, `inside` its call, by a handler.
  func act(
    _ random: inout SplitMix64, inside: FuzzHandler? = nil, generation: Int = 0, isolation: isolated (any Actor)?
  ) {
    let actor = actors.firstIndex { $0 === isolation }
    if let inside, random.isOne(in: 2) { return actOnItself(&random, inside, by: actor) }
    let source = sources[random.number(below: sources.count)]
    if random.isOne(in: 20) { _ = source.event?.diagnostics }
    switch random.number(below: 100) {
    case 0..<38:
      let waiting = actors[random.number(below: actors.count)]
      emit(
        on: source, generation, waits: random.isOne(in: 6), from: random.isOne(in: 3) ? waiting : nil,
        isolation: isolation)
    case 38..<40: if source.isFinishable { source.finish(clock) }
    case 40..<58: add(to: source, &random, isolation: isolation)
    case 58..<64: anyHandler(&random)?.perform(.cancel, by: actor, inside: inside)
    case 64..<70: waitUntilDrained(source, &random)
    case 70..<77: anyHandler(&random)?.perform(.pause, by: actor, inside: inside)
    case 77..<87: anyHandler(&random)?.perform(.resume, by: actor, inside: inside)
    case 87..<91:
      guard let handler = anyHandler(&random) else { return }
      for verb in [FuzzOperation.Verb.pause, .resume] { handler.perform(verb, by: actor, inside: inside) }
    case 91..<94:
      guard let handler = anyHandler(&random) else { return }
      inBackground { await handler.finish() }
    case 94..<97:
      let owned = handlers.withLock { $0.filter { $0.owner.current != nil } }
      if let handler = owned.randomElement(using: &random) {
        handler.perform(.releaseOwner, by: actor, inside: inside)
      }
    default: if source.isExpendable { cancelAll(source, by: actor, inside: inside) }
    }
  }

  private func actOnItself(_ random: inout SplitMix64, _ handler: FuzzHandler, by actor: Int?) {
    switch random.number(below: 10) {
    case 0..<2: handler.perform(.cancel, by: actor, inside: handler)
    case 2..<5: handler.perform(.pause, by: actor, inside: handler)
    case 5: handler.perform(.resume, by: actor, inside: handler)
    case 6..<8:
      for verb in [FuzzOperation.Verb.pause, .resume] { handler.perform(verb, by: actor, inside: handler) }
    default: if handler.mayDropToken { handler.perform(.dropToken, by: actor, inside: handler) }
    }
  }

  @discardableResult
  func emit(
    on source: FuzzSource, _ generation: Int = 0, waits: Bool = false, from waiting: TestActor? = nil,
    isolation: isolated (any Actor)?
  ) -> Int? {
    // Deep enough to nest, and far from what counts as a cycle.
    guard generation < 6 else { return nil }
    let waits = source.isHook || (waits && source.event != nil)
    let value = emissions.begin(on: source.number, generation, isWaitedFor: waits)
    if waits {
      inBackground { [emissions] in
        await source.emitAndWait(value, isolation: waiting)
        emissions.end(value)
      }
    } else {
      source.emit(value, isolation: isolation)
      emissions.end(value)
    }
    return value
  }

  /// Waits until an event or a subscription is drained, on an actor or on none. The actor then takes the values in its handlers'
  /// queues.
  private func waitUntilDrained(_ source: FuzzSource, _ random: inout SplitMix64) {
    let actor = random.isOne(in: 3) ? actors[random.number(below: actors.count)] : nil
    if random.isOne(in: 3) {
      guard let handler = anyHandler(&random), !handler.source.isHook else { return }
      inBackground { await self.drain(handler, isolation: actor) }
    } else if source.event != nil {
      inBackground { await self.drain(source, isolation: actor) }
    }
  }

  func drain(_ source: FuzzSource, isolation: isolated (any Actor)?) async {
    guard let event = source.event else { return }
    let begin = clock.tick()
    await event.drained()
    let drain = FuzzDrain(target: .source(source.number), begin: begin, end: clock.tick())
    drains.withLock { $0.append(drain) }
  }

  func drain(_ handler: FuzzHandler, isolation: isolated (any Actor)?) async {
    guard let token = handler.token.current else { return }
    let begin = clock.tick()
    await token.drained()
    let drain = FuzzDrain(target: .handler(handler.number), begin: begin, end: clock.tick())
    drains.withLock { $0.append(drain) }
  }

  /// A task that the run waits for.
  func inBackground(_ body: @escaping @Sendable () async -> Void) {
    pending.add(1, ordering: .sequentiallyConsistent)
    Task.detached { [self] in
      await body()
      pending.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  private func cancelAll(_ source: FuzzSource, by actor: Int?, inside: FuzzHandler?) {
    let begin = clock.tick()
    source.event?.cancelAll()
    let operation = FuzzOperation(
      verb: .cancelAll, begin: begin, end: clock.tick(), thread: Threads.current, actor: actor, inside: inside?.number)
    cancellations.withLock { $0.append((source.number, operation)) }
  }

  // MARK: Adding

  /// Adds the handlers that nothing stops: a plain one, which every other is compared with, and one on an actor.
  func addLasting() {
    for source in sources where !source.isExpendable && !source.isHook {
      attach(
        make(.plain, .none, source, nil, actor: nil, isOwned: false, isPrivate: true, isLasting: true), isolation: nil)
      attach(
        make(.plain, .none, source, nil, actor: source.number % 2, isOwned: true, isPrivate: true, isLasting: true),
        isolation: nil)
    }
  }

  private func add(
    to source: FuzzSource, _ random: inout SplitMix64, isolation: isolated (any Actor)?
  ) {
    let routes: [FuzzHandler.Route] = source.isHook ? [.hook] : FuzzHandler.Route.allCases.filter { $0 != .hook }
    let route = routes[random.number(below: routes.count)]
    let chain = source.isHook ? .none : FuzzChain.random(&random)
    let others = sources.filter { $0 !== source && !$0.isHook }
    let other = others[random.number(below: others.count)]
    // The handler runs on an actor that owns it, on the actor where it is formed, or on no actor.
    let mayBeOwned = [.plain, .hook, .async, .asyncNewest].contains(route)
    let isOwned = mayBeOwned && random.isOne(in: 3)
    let here = [.ownedByActor, .target, .stream].contains(route) ? nil : actors.firstIndex { $0 === isolation }
    let actor = isOwned ? random.number(below: actors.count) : here
    let handler = make(
      route, chain, source, chain.hasSecondSource ? other : nil, actor: actor, isOwned: isOwned,
      isPrivate: random.isOne(in: 4))
    // Formed on an actor that a handler is to outlive, it would keep that actor.
    if here == nil { attach(handler, isolation: nil) } else { attach(handler, isolation: isolation) }
  }

  private func make(
    _ route: FuzzHandler.Route, _ chain: FuzzChain, _ source: FuzzSource, _ other: FuzzSource?, actor: Int?,
    isOwned: Bool, isPrivate: Bool, isLasting: Bool = false
  ) -> FuzzHandler {
    handlers.withLock { handlers in
      let handler = FuzzHandler(
        handlers.count, route, chain, source, other, actor: actor, home: actor.map { actors[$0] },
        isOwnedByActor: isOwned, isPrivate: isPrivate, isLasting: isLasting, clock)
      handlers.append(handler)
      return handler
    }
  }

  private func attach(_ handler: FuzzHandler, isolation: isolated (any Actor)?) {
    handler.attach(canaries.make(), in: self, isolation: isolation)
    handler.added()
  }

  /// The younger ones more often, so that threads meet at the same.
  private func anyHandler(_ random: inout SplitMix64) -> FuzzHandler? {
    let all = handlers.withLock { $0.filter { !$0.isPrivate } }
    if all.isEmpty { return nil }
    let recent = random.isOne(in: 4) ? all.count : min(all.count, 4)
    return all[all.count - 1 - random.number(below: recent)]
  }
}
