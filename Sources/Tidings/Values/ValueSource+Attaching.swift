// For the products of this package whose types present another source's value in another form.

extension ValueSource {
  /// Attaches a handler of the results of `transform` for each change. If the result is nil the handler is not called.
  package func attach<Output: Sendable>(
    _ handler: EventHandler<Output>, sendingInitial: Bool, isolation: isolated (any Actor)?,
    transform: @escaping @Sendable (Change<Value>) -> Output?
  ) -> Subscription {
    attach(
      handler.adapted { pass in
        { change, context in if let output = transform(change) { pass(output, context) } }
      }, sendingInitial: sendingInitial, isolation: isolation)
  }
}

extension EventHandler {
  /// A handler of a closure, as `observe` makes it.
  package init(
    _ handler: @escaping @isolated(any) @Sendable (Payload) -> Void, file: StaticString, line: UInt
  ) {
    self.init(handler, CallSite(file: file, line: line))
  }
  /// A handler that is bound to an object, as `observe(with:)` makes it.
  package init<Owner: AnyObject & Sendable>(
    to owner: Owner, _ handler: @escaping @isolated(any) @Sendable (Owner, Payload) -> Void, file: StaticString,
    line: UInt
  ) {
    self = .bound(to: owner, handler, CallSite(file: file, line: line))
  }
  /// A handler that is bound to an actor and runs on it, as `observe(with:)` makes it.
  package init<Owner: Actor>(
    onOwner owner: Owner, _ handler: @escaping @Sendable (isolated Owner, Payload) -> Void, file: StaticString,
    line: UInt
  ) {
    self = .bound(onOwner: owner, handler, CallSite(file: file, line: line))
  }
}

extension Observed: PolicyBearing { var policy: DeliveryPolicy { .serial } }
extension Derived: PolicyBearing { var policy: DeliveryPolicy { .serial } }
