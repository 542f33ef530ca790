/// Adds a closure, after those already there. Added twice, it is called twice.
///
/// ```swift
/// clock.ticked += show
/// ```
///
/// From any thread, also from a closure; an event that is held in a `let` or a `get`-only property will do. O(1).
public func += <Sender, Args: EventArgs>(event: Event<Sender, Args>, closure: Closure<Sender, Args>) {
  event.add(closure)
}

/// Adds several closures, in their order.
///
/// ```swift
/// clock.ticked += [show, log]
/// ```
public func += <Sender, Args: EventArgs>(event: Event<Sender, Args>, closures: [Closure<Sender, Args>]) {
  for closure in closures { event.add(closure) }
}

/// Takes a closure away: the first, if it was added more than once. One that the event does not have is ignored.
///
/// ```swift
/// clock.ticked -= show
/// ```
///
/// Once this has returned no call of it begins, also for what was invoked before. From any thread, also from a closure, also
/// its own. O(*n*) in the closures.
public func -= <Sender, Args: EventArgs>(event: Event<Sender, Args>, closure: Closure<Sender, Args>) {
  event.remove(closure)
}

/// Takes several closures away, each as by itself.
public func -= <Sender, Args: EventArgs>(event: Event<Sender, Args>, closures: [Closure<Sender, Args>]) {
  for closure in closures { event.remove(closure) }
}
