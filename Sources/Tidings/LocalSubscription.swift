/// What keeps a handler of a ``LocalEvent`` alive: dropping it cancels.
///
/// The same as ``Subscription`` within one isolation: not `Sendable`, and without `finish()`, since no call can be running
/// elsewhere.
public final class LocalSubscription: Hashable {
  let list: LocalHandlerList
  /// Nil once ended: the event lets go of it then, and so does this.
  var slot: LocalSlot?

  init(_ list: LocalHandlerList) { self.list = list }
  deinit { cancel() }

  /// Ends the subscription: once this has returned, no call of the handler begins. Cancelling twice does nothing.
  ///
  /// What the handler captured is let go at once or, while the event delivers, at the end of the current value.
  ///
  /// - Complexity: O(1), amortised.
  public func cancel() { if let slot { list.remove(slot) } }

  package enum Moment {
    /// When the values that are being delivered have reached every handler.
    case currentEmit
  }

  /// Ends the subscription for every value that has not begun, also for one that a handler is about to emit. A value whose
  /// delivery is under way still reaches the handler, as if it stood in a list that its delivery had copied.
  ///
  /// While nothing is delivered, and for a paused one, the same as `cancel()`. Otherwise what the handler captured is let
  /// go when the outermost delivery is over. For code that was written for observers that iterate over a copy.
  package func cancel(after _: Moment) { if let slot { list.retire(slot) } }

  /// Whether the handler can still be called. A paused subscription is active.
  public var isActive: Bool { slot != nil }

  /// Silences the handler: no call begins until `resume()`. What is emitted meanwhile is never heard.
  public func pause() { slot?.after = LocalSlot.never }

  /// Lets the handler hear again, in its old place in the order: exactly the values that are emitted from now on.
  public func resume() {
    if let slot, slot.after == LocalSlot.never { slot.after = list.emitted }
  }

  /// Keeps this subscription in an array.
  @_alwaysEmitIntoClient
  public func store(in array: inout [LocalSubscription]) { array.append(self) }

  /// Keeps this subscription in a set.
  @_alwaysEmitIntoClient  // a set of our own would be compiled here: 3 KB of every client
  public func store(in set: inout Set<LocalSubscription>) { set.insert(self) }

  public static func == (left: LocalSubscription, right: LocalSubscription) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
