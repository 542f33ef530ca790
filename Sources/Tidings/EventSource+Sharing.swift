extension EventSource {
  /// The values, of which each subscription receives some of its own first.
  ///
  /// ```swift
  /// let state = connected.map { "online" }.startWith("offline")
  /// ```
  ///
  /// They are delivered before `observe` returns, or through the queue of the handler's actor; what is emitted meanwhile
  /// follows them.
  ///
  /// - Parameter values: What a subscription begins with.
  @_alwaysEmitIntoClient
  public func startWith(_ values: Payload...) -> Operated<Payload> {
    Operated.begun(on: self) { (values, { $0 }) }
  }

  /// The values of the source that `transform` makes of the latest value.
  ///
  /// ```swift
  /// let ticks = selected.flatMapLatest { symbol in market.priced(symbol) }
  /// ```
  ///
  /// With each value the subscription to the source before is cancelled, and none of its values comes any more. The closure
  /// runs where this source delivers. Of value sources `chain` gives a value.
  ///
  /// - Parameter transform: Gives the source that is followed until the next value.
  @_alwaysEmitIntoClient
  public func flatMapLatest<Inner: EventSource>(
    _ transform: @escaping @Sendable (Payload) -> Inner
  ) -> Operated<Inner.Payload> {
    Operated.switching(self, transform)
  }

  /// The same values for several subscriptions, with the operators before this run once for all of them.
  ///
  /// ```swift
  /// let parsed = lines.map { expensiveParse($0) }.share()
  /// ```
  ///
  /// There is one subscription to the source, made with the first and cancelled with the last subscription to this. A first
  /// one that comes later begins anew. (Two first ones that are made at the same moment on different threads may each have
  /// their own.) All subscriptions end with the source. One that is added while values wait at the source receives those too:
  /// they were emitted, and have yet to come through the shared operators.
  @_alwaysEmitIntoClient
  public func share() -> Operated<Payload> { Operated.shared(self) }

  /// The same values for several subscriptions, of which each receives the last `count` first.
  ///
  /// ```swift
  /// let recent = traded.replay(10)
  /// ```
  ///
  /// It listens from this call on, with one subscription to the source, for as long as this or a subscription to it is kept.
  /// A subscription receives up to `count` values that came before it, then every later one: none twice, and none is missing.
  /// What waits at the source when it is added counts as later.
  ///
  /// - Parameters:
  ///   - count: How many values are kept for those who come later.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  @_alwaysEmitIntoClient
  public func replay(_ count: Int, file: StaticString = #fileID, line: UInt = #line) -> Operated<Payload> {
    Operated.replayed(self, count, CallSite(file: file, line: line))
  }

  /// The same values, with closures that are told what happens to each subscription.
  ///
  /// ```swift
  /// let watched = traded.handleEvents(onSubscribe: { metrics.add() }, onEnd: { metrics.remove() })
  /// ```
  ///
  /// - Parameters:
  ///   - onSubscribe: Called when a subscription is made, before it receives anything.
  ///   - onValue: Called with each value, where the source delivers, before it is passed on.
  ///   - onEnd: Called when the subscription has ended, however that came about, and its handler is released.
  @_alwaysEmitIntoClient
  public func handleEvents(
    onSubscribe: (@Sendable () -> Void)? = nil, onValue: (@Sendable (Payload) -> Void)? = nil,
    onEnd: (@Sendable () -> Void)? = nil
  ) -> Operated<Payload> {
    operated { pass in
      onSubscribe?()
      let end = onEnd.map { AtEnd($0) }
      return { value, passage in
        onValue?(value)
        withExtendedLifetime(end) { pass(value, passage) }
      }
    }
  }

  /// The same values, each printed with a word in front; so are the subscription and its end. For looking into a program.
  ///
  /// ```swift
  /// let subscription = traded.print("trades").filter { $0.price > 100 }.observe { show($0) }
  /// // trades: subscribed
  /// // trades: Trade(symbol: "MSFT", price: 39.81)
  /// ```
  ///
  /// - Parameter name: What stands in front.
  @_alwaysEmitIntoClient
  public func print(_ name: String) -> Operated<Payload> {
    handleEvents(
      onSubscribe: { Swift.print("\(name): subscribed") }, onValue: { Swift.print("\(name): \($0)") },
      onEnd: { Swift.print("\(name): ended") })
  }
}

extension EventSource where Payload: EventSource {
  /// The values of the source that came last.
  ///
  /// ```swift
  /// let ticks = selectedTicker.switchToLatest()
  /// ```
  ///
  /// As `flatMapLatest` with the sources themselves.
  @_alwaysEmitIntoClient
  public func switchToLatest() -> Operated<Payload.Payload> { flatMapLatest { $0 } }
}
