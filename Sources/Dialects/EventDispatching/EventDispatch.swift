import Tidings

/// An event to which handlers are added, and of which they are notified.
///
/// ```swift
/// let onPriceChange = EventDispatch<Double>()
/// var price = 100.0 { didSet { onPriceChange <- (oldValue, price) } }
///
/// onPriceChange += { print("the price is \($0) now") }
/// price = 90
/// ```
///
/// - **Order**: handlers are called in the order in which they were added.
/// - **Thread**: on the thread that notifies, before `notify(_:)` returns. A dispatch and its handlers belong to one
///   thread or one actor: it is not `Sendable`, and closures need not be. Code in Swift 5 mode must keep to that by itself.
/// - **Re-entrancy**: a handler may add, remove and notify. What it notifies is delivered immediately, nested, so handlers
///   after it receive the inner event first. **What a handler adds or removes counts from the next notify on**, a nested
///   one included: an added handler does not receive the event that is being delivered, a removed one still does.
/// - **Lifetime**: handlers live as long as the dispatch, unless removed; identifiers may be dropped and keep neither alive.
/// - **Cost**: to notify is O(*n*) in the number of handlers, without allocation, lock or atomic.
///
/// All of it is documented for the original. New: identifiers that stay true (see ``HandlerIdentifier``), once-handlers that
/// run once and can be removed, and that handlers which cause each other without end are stopped and reported, where the
/// original ran out of stack.
public final class EventDispatch<Event>: EventDispatchProtocol {
  private let event: LocalEvent<Event>

  /// A dispatch without handlers. A report of a cycle calls it by the place where it was made.
  public init(file: StaticString = #fileID, line: UInt = #line) {
    event = LocalEvent(policy: .immediate, file: file, line: line)
  }

  /// Notifies every handler, each before the next, and returns.
  ///
  /// ```swift
  /// onGotResponse.notify((200, "ok"))
  /// ```
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func notify(_ event: Event) { self.event.emit(event) }

  /// Calls the handler with every event from the next notify on, until it is removed.
  ///
  /// ```swift
  /// let identifier = onGotResponse.addHandler { (code, message) in print(code, message) }
  /// ```
  ///
  /// The dispatch keeps what the handler captures until the handler is removed; the identifier may be dropped.
  ///
  /// - Complexity: O(1), amortised.
  @discardableResult
  public func addHandler(_ handler: @escaping (Event) -> Void) -> HandlerIdentifier {
    HandlerIdentifier(self, event.keep(handler))
  }

  /// Calls the handler with the next event, and never again.
  ///
  /// ```swift
  /// onDownloaded.handleOnce { file in print(file) }
  /// ```
  ///
  /// It is removed just before it is called: one that notifies is not called again, as it was by the original, whose
  /// once-handlers could not be removed either. What it captured is released when the outermost notify is over.
  ///
  /// - Complexity: O(1), amortised.
  @discardableResult
  public func handleOnce(_ handler: @escaping (Event) -> Void) -> HandlerIdentifier {
    HandlerIdentifier(self, event.once(handler))
  }

  /// Removes a handler, from the next notify on.
  ///
  /// ```swift
  /// onGotResponse.removeHandler(identifier)
  /// ```
  ///
  /// From within a handler: the notify that is in progress still reaches the removed one, and so do those around it; one that
  /// begins later does not. What the handler captured is released immediately or, from within a handler, when the outermost
  /// notify is over.
  ///
  /// - Returns: Whether there was anything to remove: false if that was done before, if a once-handler has had its event, and
  ///   for an identifier of another dispatch, which removes nothing.
  /// - Complexity: O(1), amortised.
  @discardableResult
  public func removeHandler(_ identifier: HandlerIdentifier) -> Bool {
    guard identifier.dispatch == ObjectIdentifier(self), identifier.subscription.isActive else { return false }
    identifier.subscription.cancelAfterCurrentEmit()
    return true
  }

  /// Which handler of which dispatch: opaque, and never given out twice.
  ///
  /// ```swift
  /// var handler: EventDispatch<Void>.HandlerIdentifier?
  /// handler = onCallback.addHandler { print("called back") }
  /// ```
  ///
  /// In the original the identifiers of two dispatches could be equal, and one removed the other's handler. Keeping one keeps
  /// neither the dispatch nor the handler alive; dropping it removes nothing.
  public struct HandlerIdentifier: Hashable {
    /// Only an address, which a later dispatch may get; by then the subscription, which is the identity, has ended.
    fileprivate let dispatch: ObjectIdentifier
    fileprivate let subscription: LocalSubscription

    fileprivate init(_ dispatch: EventDispatch, _ subscription: LocalSubscription) {
      self.dispatch = ObjectIdentifier(dispatch)
      self.subscription = subscription
    }
  }
}
