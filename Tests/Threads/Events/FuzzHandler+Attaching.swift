import Dispatch
import Synchronization
import TestSupport
import Tidings
import TidingsDispatch
import TidingsTesting

extension FuzzHandler {
  /// Adds it. Formed on an actor, `isolation`, it runs there, unless another actor owns it.
  func attach(_ canary: Canary, in fuzz: EventFuzz, isolation: isolated (any Actor)?) {
    if case .hook(let hook) = source.kind { return handle(hook, canary, in: fuzz, isolation: isolation) }
    if !chain.steps.isEmpty {
      if let items = chain.over(source, other) { add(to: items, { $0 }, canary, in: fuzz, isolation: isolation) }
      return
    }
    switch source.kind {
    case .event(let event): add(to: event, { FuzzItem(value: $0) }, canary, in: fuzz, isolation: isolation)
    case .observed(let observed):
      add(to: observed, { FuzzItem(value: $0.new, old: $0.old) }, canary, in: fuzz, isolation: isolation)
    case .hook, nil: break
    }
  }

  private func add<Source: EventSource>(
    to source: Source, _ read: @escaping @Sendable (Source.Payload) -> FuzzItem, _ canary: Canary, in fuzz: EventFuzz,
    isolation: isolated (any Actor)?
  ) {
    if route.isAsync { return addAsync(to: source, read, canary, in: fuzz, isolation: isolation) }
    if isOwnedByActor, let home {
      token.current = source.observe(with: home) { [self] home, payload in
        canary.touch()
        fuzz.receive(self, read(payload), isolation: home)
      }
      return
    }
    let call: @Sendable (Source.Payload, isolated (any Actor)?) -> Void = {
      [self] (payload: Source.Payload, isolation: isolated (any Actor)?) in
      canary.touch()
      fuzz.receive(self, read(payload), isolation: isolation)
    }
    switch route {
    case .plain, .hook, .async, .asyncNewest: token.current = source.observe { call($0, isolation) }
    case .once: token.current = source.once { call($0, isolation) }
    case .target: token.current = source.observe(on: .queue(.global())) { call($0, nil) }
    case .stream: consume(source.stream(), read, in: fuzz)
    case .owned:
      guard let owner = owner.current as? FuzzOwner else { return }
      token.current = source.observe(with: owner) { _, payload in call(payload, isolation) }
    case .ownedByActor:
      guard let owner = owner.current as? FuzzActor else { return }
      token.current = source.observe(with: owner) { owner, payload in call(payload, owner) }
    case .throwing:
      token.current = source.observe(
        onError: { [self] (_: FuzzFailure) in failures.received.add(1) },
        { [self] payload throws(FuzzFailure) in
          call(payload, isolation)
          guard read(payload).value % 2 == 0 else { return }
          failures.thrown.add(1)
          throw FuzzFailure()
        })
    }
  }

  private func addAsync<Source: EventSource>(
    to source: Source, _ read: @escaping @Sendable (Source.Payload) -> FuzzItem, _ canary: Canary, in fuzz: EventFuzz,
    isolation: isolated (any Actor)?
  ) {
    let buffering: BufferingPolicy = route == .asyncNewest ? .newest(2) : .unbounded
    if isOwnedByActor, let home {
      token.current = source.observe(with: home, buffering: buffering) { [self] home, payload async in
        canary.touch()
        await fuzz.receiveSuspending(self, read(payload), isolation: home)
      }
    } else {
      token.current = source.observe(buffering: buffering) { [self] payload async in
        canary.touch()
        await fuzz.receiveSuspending(self, read(payload), isolation: isolation)
      }
    }
  }

  /// Its elements are its calls. It has no canary: what a task keeps is no concern of the source.
  private func consume<Payload: Sendable>(
    _ stream: EventStream<Payload>, _ read: @escaping @Sendable (Payload) -> FuzzItem, in fuzz: EventFuzz
  ) {
    token.current = stream.subscription
    Task.detached { [self] in
      for await payload in stream { fuzz.receive(self, read(payload), isolation: nil) }
      hasEnded.store(true, ordering: .releasing)
    }
  }

  private func handle(
    _ hook: Hook<Int, Int, Never>, _ canary: Canary, in fuzz: EventFuzz, isolation: isolated (any Actor)?
  ) {
    if isOwnedByActor, let home {
      token.current = hook.handle(with: home) { [self] home, value in
        canary.touch()
        fuzz.receive(self, FuzzItem(value: value), isolation: home)
        return number
      }
    } else {
      token.current = hook.handle { [self] value in
        canary.touch()
        fuzz.receive(self, FuzzItem(value: value), isolation: isolation)
        return number
      }
    }
  }
}

private struct FuzzFailure: Error {}
