import Dispatch
import Tidings
import TidingsDispatch
import TidingsTesting

extension FuzzHandler {
  typealias Receive = @Sendable (FuzzHandler, Int, Int?, isolated (any Actor)?) -> Void

  /// Adds it. Formed on an actor, `isolation`, it runs there, unless another actor owns it.
  func attach(_ canary: Canary, isolation: isolated (any Actor)?, _ receive: @escaping Receive) {
    switch source.kind {
    case .event(let event):
      if route == .merged, let other = other?.event {
        observe(event.merge(other), { ($0, nil) }, canary, isolation: isolation, receive)
      } else {
        observe(event, { ($0, nil) }, canary, isolation: isolation, receive)
      }
    case .observed(let observed):
      observe(observed, { ($0.new, $0.old) }, canary, isolation: isolation, receive)
    case .hook(let hook): handle(hook, canary, isolation: isolation, receive)
    case nil: break
    }
  }

  private func observe<Source: EventSource>(
    _ source: Source, _ read: @escaping @Sendable (Source.Payload) -> (Int, Int?), _ canary: Canary,
    isolation: isolated (any Actor)?, _ receive: @escaping Receive
  ) {
    if route == .viaOperator {
      let viaOperator = source.map { $0 }.filter { _ in true }
      add(to: viaOperator, read, canary, isolation: isolation, receive)
    } else {
      add(to: source, read, canary, isolation: isolation, receive)
    }
  }

  private func add<Source: EventSource>(
    to source: Source, _ read: @escaping @Sendable (Source.Payload) -> (Int, Int?), _ canary: Canary,
    isolation: isolated (any Actor)?, _ receive: @escaping Receive
  ) {
    if isOwnedByActor, let home {
      token.current = source.observe(with: home) { [self] home, payload in
        canary.touch()
        let (value, old) = read(payload)
        receive(self, value, old, home)
      }
      return
    }
    let call: @Sendable (Source.Payload, isolated (any Actor)?) -> Void = {
      [self] (payload: Source.Payload, isolation: isolated (any Actor)?) in
      canary.touch()
      let (value, old) = read(payload)
      receive(self, value, old, isolation)
    }
    switch route {
    case .plain, .viaOperator, .merged, .hook: token.current = source.observe { call($0, isolation) }
    case .once: token.current = source.once { call($0, isolation) }
    case .target: token.current = source.observe(on: .queue(.global())) { call($0, nil) }
    case .stream: consume(source.stream(), read, receive)
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
          guard read(payload).0 % 2 == 0 else { return }
          failures.thrown.add(1)
          throw FuzzFailure()
        })
    }
  }

  /// Its elements are its calls. It has no canary: what a task keeps is no concern of the source.
  private func consume<Payload: Sendable>(
    _ stream: EventStream<Payload>, _ read: @escaping @Sendable (Payload) -> (Int, Int?), _ receive: @escaping Receive
  ) {
    token.current = stream.subscription
    consumer.current = Task.detached { [self] in
      for await payload in stream {
        let (value, old) = read(payload)
        receive(self, value, old, nil)
      }
    }
  }

  private func handle(
    _ hook: Hook<Int, Int, Never>, _ canary: Canary, isolation: isolated (any Actor)?, _ receive: @escaping Receive
  ) {
    if isOwnedByActor, let home {
      token.current = hook.handle(with: home) { [self] home, value in
        canary.touch()
        receive(self, value, nil, home)
        return number
      }
    } else {
      token.current = hook.handle { [self] value in
        canary.touch()
        receive(self, value, nil, isolation)
        return number
      }
    }
  }
}

private struct FuzzFailure: Error {}
