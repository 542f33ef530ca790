extension EventSource {
  /// An operator with a state of its own that can end the subscription.
  @_alwaysEmitIntoClient
  func completing<Output: Sendable>(
    _ transform: @escaping @Sendable (@escaping Passing<Output>, Completion) -> Passing<Payload>
  ) -> AnyEventSource<Output> {
    let source = oneAtATime
    return AnyEventSource(.serial) { handler in
      let completion = Completion()
      let subscription = source.attach(handler.adapted { transform($0, completion) })
      completion.bind(subscription)
      return subscription
    }
  }

  /// The same source for handlers that are called once: their tokens may be dropped.
  @_alwaysEmitIntoClient
  var callingOnce: AnyEventSource<Payload> { AnyEventSource(knownPolicy) { attach($0.calledOnce()) } }
}
