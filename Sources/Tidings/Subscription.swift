/// What keeps a handler alive: dropping it cancels.
///
/// ```swift
/// var subscriptions: Set<Subscription> = []
/// traded.observe { print($0) }.store(in: &subscriptions)
/// ```
///
/// The subscriptions of `once` and of an owner-bound handler may be dropped: those handlers end by their call, or with
/// their owner.
///
/// Every member may be used from any thread at any time, also from a handler, also its own. A subscription is equal to
/// itself alone. It keeps neither its event nor, once cancelled, its handler alive.
public final class Subscription: Hashable, Sendable {
  let registration: Registration

  init(_ list: HandlerList, owned: Bool, site: CallSite) {
    registration = Registration(list, owned: owned, site: site)
    Watch.note(self)
  }
  // No other thread can cancel any more, so a handler that has ended needs no lock to be left alone; but one that ended with its
  // event may have values on their way to its actor.
  deinit {
    if registration.mayReceive { registration.list.remove(registration) }
  }

  /// Ends the subscription: once this has returned, no call of the handler begins.
  ///
  /// That holds on every path: for the value that is being delivered, for values that wait in the event's queue and for
  /// those on their way to the handler's actor, which are dropped. A call that another thread was already entering counts
  /// as running; `finish()` waits for it. Cancelling twice does nothing.
  ///
  /// What the handler captured is let go at once or, while the event delivers, at the end of the current value at the
  /// latest; on the thread that cancels, which need not be the handler's actor.
  ///
  /// - Complexity: O(1), however many handlers the event has.
  public func cancel() { registration.list.remove(registration) }

  /// Cancels, and returns when no call of the handler is running.
  ///
  /// It waits for one call at the most, not for the rest of the value: the one that the event was making, of whichever
  /// handler. Of a hook it waits for the calls of its own handler. Not for the handler itself, which would wait for its
  /// own end; it may start a task that does.
  public func finish() async { await registration.list.finish(self) }

  /// Returns when everything that was emitted before this call has been handled by this handler.
  ///
  /// ```swift
  /// await stored.drained()
  /// ```
  ///
  /// Values that are emitted meanwhile are not waited for. A paused or cancelled handler has nothing to wait for but a call that
  /// is running. A stream has handled a value when its buffer has it; a handler of a hook, when the question is answered, so
  /// there it returns immediately. Behind `merge`, what the sources had emitted is waited for.
  ///
  /// It is not called from a handler of the same event, which would wait for itself: there it is rejected with a report.
  public func drained() async { await registration.list.drained(self) }

  /// Whether the handler can still be called: not cancelled, not ended by its call or its owner, its event alive.
  ///
  /// A paused subscription is active. That an owner has gone shows when the event is next used.
  public var isActive: Bool { registration.isLive }

  /// How many values were dropped because more came than may wait: of an asynchronous handler or a stream with a bound, 0 of
  /// any other.
  public var droppedCount: Int { registration.list.outlet(of: self)?.dropped ?? 0 }

  /// Silences the handler: no call begins until `resume()`.
  ///
  /// What is emitted meanwhile is never heard, and what was still on its way is dropped. Pausing twice does nothing.
  ///
  /// - Complexity: O(1).
  public func pause() { registration.list.pause(registration).dispose() }

  /// Lets the handler hear again, in its old place in the order: exactly the values that are emitted from now on.
  ///
  /// - Complexity: O(1); under `.immediate`, O(*n*) while values are being delivered.
  public func resume() { registration.list.resume(registration).dispose() }

  /// Keeps the handler for as long as the event lives: the subscription may be dropped.
  ///
  /// ```swift
  /// traded.observe { trade in print(trade) }.forever()
  /// ```
  ///
  /// To say so where nothing else would end the handler, in place of a variable that is never read. It can still be cancelled,
  /// and ends with its event; what the handler captured lives as long.
  ///
  /// - Complexity: O(1).
  public func forever() { registration.list.keep(self) }

  /// Keeps this subscription in an array.
  @_alwaysEmitIntoClient
  public func store(in array: inout [Subscription]) { array.append(self) }

  /// Keeps this subscription in a set, the usual way to hold several for as long as an object lives.
  @_alwaysEmitIntoClient  // a set of our own would be compiled here: 3 KB of every client
  public func store(in set: inout Set<Subscription>) { set.insert(self) }

  public static func == (left: Subscription, right: Subscription) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
