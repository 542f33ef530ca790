/// The token of a handler of a ``LocalEvent``: dropping it cancels.
///
/// The same as ``Subscription`` for a single isolation: not `Sendable`, and without `finish()`, because no call can be
/// running on another thread.
public final class LocalSubscription: Hashable {
  let list: LocalHandlerList
  var registration = LocalRegistration()

  init(_ list: LocalHandlerList) { self.list = list }
  deinit { cancel() }

  /// Ends the subscription: once this has returned, no call of the handler begins. Cancelling twice does nothing.
  ///
  /// What the handler captured is released immediately or, while the event delivers, at the end of the current value.
  ///
  /// - Complexity: O(1), amortized.
  public func cancel() { if let slot = registration.slot { list.remove(slot) } }

  /// Ends the subscription for every value whose delivery has not begun, also for one that a handler is about to emit.
  ///
  /// A value whose delivery is in progress still reaches the handler, as if the delivery iterated over a copy of the list.
  /// While nothing is being delivered, and for a paused subscription, this is the same as `cancel()`. Otherwise what the
  /// handler captured is released when the outermost delivery ends. For code that was written for observers that iterate
  /// over a copy.
  package func cancelAfterCurrentEmit() { if let slot = registration.slot { list.retire(slot) } }

  /// Whether the handler can still be called. A paused subscription is active.
  public var isActive: Bool { registration.slot != nil }

  /// Pauses the handler: no call begins until `resume()`. What is emitted meanwhile is never received.
  ///
  /// - Complexity: O(1).
  public func pause() { registration.receive(after: LocalSlot.never) }

  /// Resumes the handler, in its old place in the order. It receives exactly the values that are emitted from now on.
  ///
  /// - Complexity: O(1).
  public func resume() { if registration.isPaused { registration.receive(after: list.emitted) } }

  /// Appends this subscription to an array, which keeps it.
  ///
  /// - Parameter array: The array.
  @_alwaysEmitIntoClient
  public func store(in array: inout [LocalSubscription]) { array.append(self) }

  /// Inserts this subscription into a set, which keeps it.
  ///
  /// - Parameter set: The set.
  @_alwaysEmitIntoClient  // a set of our own would be compiled here: 3 KB of every client
  public func store(in set: inout Set<LocalSubscription>) { set.insert(self) }

  public static func == (left: LocalSubscription, right: LocalSubscription) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
