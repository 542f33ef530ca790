// Names of RxSwift that do not exist here, each with its counterpart. No program contains code of them.

extension Event {
  @available(*, unavailable, renamed: "emit(_:)")
  @_alwaysEmitIntoClient
  public func accept(_ payload: Payload) { fatalError() }

  @available(*, unavailable, renamed: "emit(_:)")
  @_alwaysEmitIntoClient
  public func onNext(_ payload: Payload) { fatalError() }

  @available(*, unavailable, renamed: "finish()")
  @_alwaysEmitIntoClient
  public func onCompleted() { fatalError() }
}

extension EventSource {
  @available(*, unavailable, message: "use observe { … }, and keep the subscription")
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func subscribe(onNext handler: @escaping (Payload) -> Void) -> Subscription { fatalError() }

  @available(*, unavailable, message: "use observe { … }, and keep the subscription")
  @_alwaysEmitIntoClient @discardableResult
  public func bind(onNext handler: @escaping (Payload) -> Void) -> Subscription { fatalError() }

  @available(
    *, unavailable,
    message: "use observe(with: object) { object, value in … }, or assign(to:) for an Observed"
  )
  @_alwaysEmitIntoClient @discardableResult
  public func bind<Target>(to target: Target) -> Subscription { fatalError() }

  @available(*, unavailable, message: "a handler that is formed on the main actor runs there: use observe { … }")
  @_alwaysEmitIntoClient @discardableResult
  public func drive(onNext handler: @escaping (Payload) -> Void) -> Subscription { fatalError() }

  @available(*, unavailable, renamed: "withLatest(from:)")
  @_alwaysEmitIntoClient
  public func withLatestFrom<Other>(_ other: Other) -> AnyEventSource<Payload> { fatalError() }

  @available(*, unavailable, renamed: "prefix(_:)")
  @_alwaysEmitIntoClient
  public func take(_ count: Int) -> AnyEventSource<Payload> { fatalError() }

  @available(*, unavailable, renamed: "dropFirst(_:)")
  @_alwaysEmitIntoClient
  public func skip(_ count: Int) -> AnyEventSource<Payload> { fatalError() }

  @available(
    *, unavailable,
    message:
      "an output is an AnyEventSource(event), the readOnly of a value, or a Derived; handlers run where they are formed"
  )
  @_alwaysEmitIntoClient
  public func asObservable() -> AnyEventSource<Payload> { fatalError() }

  @available(
    *, unavailable,
    message:
      "an output is an AnyEventSource(event), the readOnly of a value, or a Derived; handlers run where they are formed"
  )
  @_alwaysEmitIntoClient
  public func asDriver() -> AnyEventSource<Payload> { fatalError() }
}

extension Subscription {
  @available(*, unavailable, message: "use store(in:), with a Set of subscriptions")
  @_alwaysEmitIntoClient
  public func disposed<Bag>(by bag: Bag) { fatalError() }
}
