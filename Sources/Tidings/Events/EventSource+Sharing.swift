extension EventSource {
  /// The values of this source, after given values that each subscription receives first.
  ///
  /// ```swift
  /// let state = connected.map { "online" }.startWith("offline")
  /// ```
  ///
  /// The given values are delivered before `observe` returns, or through the queue of the handler's actor. Values that are
  /// emitted meanwhile follow them.
  ///
  /// - Parameter values: The values that a subscription receives first.
  /// - Returns: A source of both.
  @_alwaysEmitIntoClient
  public func startWith(_ values: Payload...) -> AnyEventSource<Payload> {
    AnyEventSource.begun(on: self) { (values, { $0 }) }
  }

  /// The values of the source that `transform` returns for the latest value.
  ///
  /// ```swift
  /// let ticks = selected.flatMapLatest { symbol in market.priced(symbol) }
  /// ```
  ///
  /// Each value cancels the subscription to the previous source, of which no further value is delivered. The closure runs
  /// where this source delivers. For value sources, `chain` gives a value. The new source is followed before the previous one is
  /// left, and what the previous subscription brings from then on is dropped: so a source that belongs to both selections may lose a
  /// value that another thread emits during the switch.
  ///
  /// - Parameter transform: Returns the source that is followed until the next value.
  /// - Returns: A source of the followed values.
  @_alwaysEmitIntoClient
  public func flatMapLatest<Inner: EventSource>(
    _ transform: @escaping @Sendable (Payload) -> Inner
  ) -> AnyEventSource<Inner.Payload> {
    AnyEventSource.switching(self, transform)
  }

  /// The values of the sources that `transform` returns for each value, in the order in which they are emitted.
  ///
  /// ```swift
  /// let fills = ordered.flatMap { order in order.filled }
  /// let pages = opened.flatMap(maximum: 1) { document in document.pages }  // one document after the other
  /// ```
  ///
  /// At most `maximum` sources are followed at a time. A value beyond that waits, without a limit to their number, until one of the
  /// sources has ended. The subscription ends when this source and all that are followed have ended. Values that wait for their turn
  /// are accepted: a pause leaves them, and so does `cancelAll()` of this source.
  ///
  /// - Parameters:
  ///   - maximum: How many sources are followed at a time, at least 1; unless given, all of them.
  ///   - transform: Returns the source that is followed until it ends. It runs where this source delivers, or, for a value that had to
  ///     wait, where another source ends.
  /// - Returns: A source of the followed values.
  /// - Complexity: O(*n*) in the number of followed sources when one of them ends.
  @_alwaysEmitIntoClient
  public func flatMap<Inner: EventSource>(
    maximum: Int = .max, _ transform: @escaping @Sendable (Payload) -> Inner
  ) -> AnyEventSource<Inner.Payload> {
    precondition(maximum > 0, "flatMap follows one source at least")
    return AnyEventSource.flattening(self, maximum, transform)
  }

  /// The same values for several subscriptions, with the operators before this run once for all of them.
  ///
  /// ```swift
  /// let parsed = lines.map { expensiveParse($0) }.share()
  /// ```
  ///
  /// There is one subscription to the source, which the first subscription to this connects and the last disconnects. A
  /// first subscription that is made later connects again. (Two first subscriptions that are made simultaneously on
  /// different threads may each connect.) All subscriptions end with the source. One that is added while values wait at the
  /// source receives those too: they were emitted, but have not yet passed the shared operators.
  ///
  /// - Returns: A source that shares one subscription.
  @_alwaysEmitIntoClient
  public func share() -> AnyEventSource<Payload> { AnyEventSource.shared(self) }

  /// The same values for several subscriptions, of which each receives the last `count` first.
  ///
  /// ```swift
  /// let recent = traded.replay(10)
  /// ```
  ///
  /// It subscribes to the source at this call, once, and for as long as the result or a subscription to the result is
  /// retained. A subscription receives up to `count` values that came before it, then every later one: none twice, and none
  /// is missing. Values that wait at the source when the subscription is added count as later.
  ///
  /// - Parameters:
  ///   - count: The number of values that are retained for later subscriptions.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: A source that shares one subscription and its last values.
  @_alwaysEmitIntoClient
  public func replay(_ count: Int, file: StaticString = #fileID, line: UInt = #line) -> AnyEventSource<Payload> {
    AnyEventSource.replayed(self, count, CallSite(file: file, line: line))
  }

  /// The same values, with closures that are called when a subscription begins, receives and ends.
  ///
  /// ```swift
  /// let watched = traded.handleEvents(onSubscribe: { metrics.add() }, onEnd: { metrics.remove() })
  /// ```
  ///
  /// - Parameters:
  ///   - onSubscribe: Called when a subscription is made, before it receives anything.
  ///   - onValue: Called with each value, where the source delivers, before it is passed on.
  ///   - onEnd: Called when the subscription has ended, for whatever reason, and its handler is released.
  /// - Returns: A source of the same values.
  @_alwaysEmitIntoClient
  public func handleEvents(
    onSubscribe: (@Sendable () -> Void)? = nil, onValue: (@Sendable (Payload) -> Void)? = nil,
    onEnd: (@Sendable () -> Void)? = nil
  ) -> AnyEventSource<Payload> {
    transformed { pass in
      onSubscribe?()
      let end = onEnd.map { OnDeinit($0) }
      return { value, context in
        onValue?(value)
        withExtendedLifetime(end) { pass(value, context) }
      }
    }
  }

  /// The same values, each printed with a name in front, as are the subscription and its end. For debugging.
  ///
  /// ```swift
  /// let subscription = traded.print("trades").filter { $0.price > 100 }.observe { show($0) }
  /// // trades: subscribed
  /// // trades: Trade(symbol: "MSFT", price: 39.81)
  /// ```
  ///
  /// - Parameter name: The text in front of each line.
  /// - Returns: A source of the same values.
  @_alwaysEmitIntoClient
  public func print(_ name: String) -> AnyEventSource<Payload> {
    handleEvents(
      onSubscribe: { Swift.print("\(name): subscribed") }, onValue: { Swift.print("\(name): \($0)") },
      onEnd: { Swift.print("\(name): ended") })
  }
}

extension EventSource where Payload: EventSource {
  /// The values of the source that was emitted last.
  ///
  /// ```swift
  /// let ticks = selectedTicker.switchToLatest()
  /// ```
  ///
  /// The same as `flatMapLatest { $0 }`.
  ///
  /// - Returns: A source of the followed values.
  @_alwaysEmitIntoClient
  public func switchToLatest() -> AnyEventSource<Payload.Payload> { flatMapLatest { $0 } }
}
