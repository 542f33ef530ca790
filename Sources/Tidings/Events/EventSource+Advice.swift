// Declarations that do not exist, each with what to write instead: the compiler shows the message in place of "no match". No
// program contains code of them.

extension EventSource {
  @available(
    *, unavailable, message: "a handler that throws needs to know where errors go: observe(onError: { … }) { … }"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe(_ handler: @escaping (Payload) async throws -> Void) -> Subscription { fatalError() }

  @available(
    *, unavailable,
    message: "a handler that throws needs to know where errors go: observe(with: owner, onError: { … }) { … }"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    with owner: Owner, _ handler: @escaping (Owner, Payload) async throws -> Void
  ) -> Subscription { fatalError() }

  @available(
    *, unavailable,
    message:
      "an owner is an object that is Sendable, or an actor: it is held weakly, and the handler ends with it. Capture anything else in the closure of observe { … }, and keep the subscription"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe<Owner>(
    with owner: Owner, _ handler: @escaping (Owner, Payload) async throws -> Void
  ) -> Subscription { fatalError() }

  @available(*, unavailable, message: "onError comes first: observe(onError: { … }) { … }")
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe(
    _ handler: @escaping (Payload) async throws -> Void, onError: @escaping (any Error) -> Void
  ) -> Subscription { fatalError() }

  @available(*, unavailable, message: "the handler receives the value: observe { _ in … } if it does not use it")
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe(_ handler: @escaping () -> Void) -> Subscription { fatalError() }

  @available(
    *, unavailable,
    message:
      "observe(on:) takes a DeliveryTarget: .queue(…) of TidingsDispatch for a dispatch queue; a handler that is formed on an actor runs there without it"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe<Target>(
    on target: Target, _ handler: @escaping (Payload) async throws -> Void
  ) -> Subscription { fatalError() }

  @available(*, unavailable, message: "a handler on a delivery target cannot wait: observe { … } awaits a handler")
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe(
    on target: DeliveryTarget, _ handler: @escaping (Payload) async throws -> Void
  ) -> Subscription { fatalError() }

  @available(*, unavailable, message: "the handler receives the value: once { _ in … } if it does not use it")
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func once(_ handler: @escaping () -> Void) -> Subscription { fatalError() }

  @available(
    *, unavailable,
    message: "the handler receives the owner and the value: observe(with: owner) { owner, value in … }"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    with owner: Owner, _ handler: @escaping (Payload) -> Void
  ) -> Subscription { fatalError() }

  @available(
    *, unavailable, message: "a handler that throws needs to know where errors go: once(onError: { … }) { … }"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func once(_ handler: @escaping (Payload) async throws -> Void) -> Subscription { fatalError() }

  @available(
    *, unavailable,
    message:
      "operators neither wait nor throw: map to a Result or use compactMap { try? … }; to wait, observe { await … } or for await … in stream()"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func map<Output>(_ transform: @escaping (Payload) async throws -> Output) -> AnyEventSource<Output> {
    fatalError()
  }

  @available(
    *, unavailable,
    message:
      "operators neither wait nor throw: use try? in the closure; to wait, observe { await … } or for await … in stream()"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func compactMap<Output>(
    _ transform: @escaping (Payload) async throws -> Output?
  ) -> AnyEventSource<Output> { fatalError() }

  @available(
    *, unavailable,
    message:
      "operators neither wait nor throw: use try? in the closure; to wait, observe { await … } or for await … in stream()"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func filter(_ isIncluded: @escaping (Payload) async throws -> Bool) -> AnyEventSource<Payload> { fatalError() }

  @available(*, unavailable, message: "use observe { … }, and keep the subscription")
  @_alwaysEmitIntoClient @discardableResult
  public func sink(_ handler: @escaping (Payload) -> Void) -> Subscription { fatalError() }

  @available(*, unavailable, message: "use observe { … }, and keep the subscription")
  @_alwaysEmitIntoClient @discardableResult
  public func subscribe(_ handler: @escaping (Payload) -> Void) -> Subscription { fatalError() }
}

// Names the counterparts of operators of other libraries.
extension EventSource {
  @available(*, unavailable, message: "use debounced(for:), of the product TidingsTime")
  @_alwaysEmitIntoClient
  public func debounce(for interval: Duration, scheduler: Any? = nil) -> AnyEventSource<Payload> { fatalError() }

  @available(*, unavailable, message: "use throttled(for:), of the product TidingsTime")
  @_alwaysEmitIntoClient
  public func throttle(
    for interval: Duration, scheduler: Any? = nil, latest: Bool = true
  ) -> AnyEventSource<Payload> { fatalError() }

  @available(
    *, unavailable,
    message: "a handler that is formed on an actor runs there; for other places observe(on:) takes a DeliveryTarget"
  )
  @_alwaysEmitIntoClient
  public func receive<Target>(on target: Target) -> AnyEventSource<Payload> { fatalError() }

  @available(*, unavailable, renamed: "startWith(_:)")
  @_alwaysEmitIntoClient
  public func prepend(_ values: Payload...) -> AnyEventSource<Payload> { fatalError() }

  @available(
    *, unavailable,
    message: "prefix(1) is a source of the first value, once { … } handles it, await next() waits for it"
  )
  @_alwaysEmitIntoClient
  public func first() -> AnyEventSource<Payload> { fatalError() }

  @available(
    *, unavailable,
    message:
      "an error ends no subscription, so there is nothing to retry: catch { … } replaces failures, AsyncDerived.reload() loads again"
  )
  @_alwaysEmitIntoClient
  public func retry(_ count: Int = 1) -> AnyEventSource<Payload> { fatalError() }

  @available(*, unavailable, message: "use observe(with: object) { object, value in … }")
  @_alwaysEmitIntoClient @discardableResult
  public func assign<Root, Value>(to keyPath: KeyPath<Root, Value>, on object: Root) -> Subscription { fatalError() }

  @available(
    *, unavailable, message: "values are combined by Derived { … }, events by withLatest(from:), zip(_:) or merge(_:)"
  )
  @_alwaysEmitIntoClient
  public func combineLatest<Other>(_ other: Other) -> AnyEventSource<Payload> { fatalError() }

  @available(
    *, unavailable, message: "flatMap { … } makes an event of each value; compactMap { … } unwraps optional values"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func flatMap<Inner>(_ transform: @escaping (Payload) -> Inner) -> AnyEventSource<Payload> { fatalError() }

  @available(*, unavailable, renamed: "removeDuplicates()")
  @_alwaysEmitIntoClient
  public func distinctUntilChanged() -> AnyEventSource<Payload> { fatalError() }
}

extension Event {
  @available(*, unavailable, renamed: "emit(_:)")
  @_alwaysEmitIntoClient
  public func send(_ payload: Payload) { fatalError() }

  @available(*, unavailable, message: "an event has one payload: a tuple has its own parentheses, emit((…, …))")
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func emit<First, Second, each Other>(_ first: First, _ second: Second, _ other: repeat each Other) {
    fatalError()
  }

  @available(
    *, unavailable, message: "an event has no value: hold(nil) makes one that is the latest, Observed is one to set"
  )
  @_alwaysEmitIntoClient
  public var value: Payload { fatalError() }
}

extension AnyEventSource {
  @available(
    *, unavailable,
    message: "what an operator gives can be observed and not emitted: emit on the event that it is made of"
  )
  @_alwaysEmitIntoClient
  public func emit(_ payload: Payload) { fatalError() }
}

extension LocalEvent {
  @available(
    *, unavailable,
    message:
      "handlers of a LocalEvent run in place: they cannot wait, and one that throws needs observe(onError: { … }) { … }; Event has handlers that are awaited"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe(_ handler: @escaping (Payload) async throws -> Void) -> LocalSubscription { fatalError() }

  @available(*, unavailable, message: "a LocalEvent has no operators: compute in its handler, or use an Event")
  @_alwaysEmitIntoClient
  public func map<Output>(_ transform: (Payload) -> Output) -> LocalEvent<Output> { fatalError() }

  @available(*, unavailable, message: "a LocalEvent has no operators: compute in its handler, or use an Event")
  @_alwaysEmitIntoClient
  public func filter(_ isIncluded: (Payload) -> Bool) -> LocalEvent<Payload> { fatalError() }

  @available(*, unavailable, message: "a LocalEvent has no streams: use an Event")
  @_alwaysEmitIntoClient
  public func stream() -> Never { fatalError() }
}
