/// The token of a handler: dropping it cancels.
///
/// ```swift
/// var subscriptions: Set<Subscription> = []
/// traded.observe { print($0) }.store(in: &subscriptions)
/// ```
///
/// The subscriptions of `once` and of an owner-bound handler may be dropped: they end by the call or with the owner.
///
/// Every member may be used from any thread at any time, also in a handler, including its own. A subscription is equal only
/// to itself. It retains neither its event nor, once cancelled, its handler.
public final class Subscription: Hashable, Sendable {
  let registration: Registration

  init(_ list: borrowing HandlerList, site: CallSite) {
    registration = Registration(copy list, site: site)
    SubscriptionTracking.note(self)
  }
  // No other thread can cancel any more, so a handler that has ended can be skipped without taking the lock. A handler that
  // ended with its event may still have values on their way to its actor.
  deinit {
    if registration.mayReceive { cancel() }
  }

  /// Ends the subscription: once this has returned, no call of the handler begins.
  ///
  /// That holds on every path: for the value that is being delivered, for values in the event's queue, and for values on
  /// their way to the handler's actor, which are dropped. A call that another thread was already entering counts as running;
  /// `finish()` waits for it. Cancelling twice does nothing.
  ///
  /// What the handler captured is released immediately or, while the event delivers, at the end of the current value at the
  /// latest. It is released on the thread that cancels, which need not be on the handler's actor.
  ///
  /// - Complexity: O(1), however many handlers the event has.
  @inline(never)
  public func cancel() {
    if !registration.list.removePlain(registration) { registration.list.remove(registration) }
  }

  /// Cancels, and returns when no call of the handler is running.
  ///
  /// It waits for at most one call, of any handler: the call that the event was making. It does not wait until the value has
  /// reached the other handlers. On a hook it waits for the calls of its own handler. A handler must not await it for its own
  /// subscription, because it would wait for its own end; it may start a task that does.
  public func finish() async { await registration.list.finish(self) }

  /// Returns when everything that was emitted before this call has been handled by this handler.
  ///
  /// ```swift
  /// await stored.drained()
  /// ```
  ///
  /// Values that are emitted meanwhile are not waited for. A paused or cancelled handler has nothing to wait for but a
  /// running call. A stream has handled a value when its buffer has it. A handler of a hook has handled a question when it
  /// is answered, so there this returns immediately. Through `merge`, what the sources had emitted is waited for.
  ///
  /// An asynchronous handler that calls it for its own subscription would wait for itself: the call is reported and returns.
  public func drained() async { await registration.list.drained(self) }

  /// Whether the handler can still be called: neither cancelled nor ended by its call or its owner, and its event is alive.
  ///
  /// A paused subscription is active. That an owner was deinitialized is detected at the next value, or when the list of
  /// handlers grows.
  public var isActive: Bool { registration.isLive }

  /// The number of values that were dropped because the buffer of a bounded asynchronous handler or stream was full; 0 for
  /// any other subscription.
  public var droppedCount: Int { registration.list.endpoint(of: self)?.dropped ?? 0 }

  /// Pauses the handler: no call begins until `resume()`.
  ///
  /// What is emitted meanwhile is never received, and what was still on its way is dropped. Pausing twice does nothing.
  ///
  /// - Complexity: O(1).
  public func pause() { registration.list.pause(registration).dispose() }

  /// Resumes the handler, in its old place in the order. It receives exactly the values that are emitted from now on.
  ///
  /// - Complexity: O(1); under `.immediate`, O(*n*) while values are being delivered.
  public func resume() { registration.list.resume(registration).dispose() }

  /// Keeps the handler for as long as the event lives: the subscription may be dropped.
  ///
  /// ```swift
  /// traded.observe { trade in print(trade) }.forever()
  /// ```
  ///
  /// This says so explicitly where nothing else would end the handler, in place of a variable that is never read. The
  /// subscription can still be cancelled, and ends with its event. What the handler captured is retained until then.
  ///
  /// - Complexity: O(1).
  public func forever() { registration.list.keep(self) }

  /// Appends this subscription to an array, which keeps it.
  ///
  /// - Parameter array: The array.
  @_alwaysEmitIntoClient
  public func store(in array: inout [Subscription]) { array.append(self) }

  /// Inserts this subscription into a set, the usual way to keep several for as long as an object lives.
  ///
  /// - Parameter set: The set.
  @_alwaysEmitIntoClient  // a set of our own would be compiled here: 3 KB of every client
  public func store(in set: inout Set<Subscription>) { set.insert(self) }

  public static func == (left: Subscription, right: Subscription) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
