internal import Tidings

/// A handler that was added to an event, or to several, or to one several times.
///
/// ```swift
/// let subscription = pressed.add { key in print(key) }
/// pressed.remove(subscription)
/// subscription.invalidate()
/// ```
///
/// - **Order**: each place it has in an event is a call of its own, where it was added.
/// - **Thread**: that of the events it is in. Not `Sendable`; closures need not be.
/// - **Re-entrancy**: a handler may invalidate or remove itself and others. Once that has returned, no call begins.
/// - **Lifetime**: the event keeps its subscriptions, so one may be dropped. One that is kept keeps its handler, wherever it was
///   removed from, for it can be added again; it ends by ``invalidate()`` or with its owner. It never keeps an event
///   alive, except one of a chain, which lives by that alone.
/// - **Cost**: a call costs what the closure costs; with an owner, a weak load more.
///
/// From the original. Fixed: to end it releases the handler immediately, wherever it was added, instead of when each event
/// fires.
public final class EventSubscription<T> {
  /// The type of the closure that is called with each value.
  public typealias HandlerType = (T) -> Void

  /// The closure that is called with each value; it does nothing once the subscription has ended.
  public private(set) var handler: HandlerType

  private weak var owner: AnyObject?
  private let hasOwner: Bool
  private var isOver = false
  private var ownedObjects: [AnyObject] = []
  /// One for each place in an event.
  private var tokens: [LocalSubscription] = []

  /// A subscription that is in no event yet.
  ///
  /// ```swift
  /// let subscription = EventSubscription<Key>(owner: self) { key in print(key) }
  /// ```
  ///
  /// - Parameters:
  ///   - owner: With it the subscription ends. Held weakly; nil for one that ends only when it is invalidated.
  ///   - handler: Called with each value.
  public init(owner: AnyObject?, handler: @escaping HandlerType) {
    self.owner = owner
    hasOwner = owner != nil
    self.handler = handler
  }

  /// Whether the handler can still be called. False from ``invalidate()`` or the owner's death on.
  public func valid() -> Bool {
    if hasOwner, !isOver, owner == nil { invalidate() }
    return !isOver
  }

  /// Ends the subscription in every event: no call begins once this has returned, and handler and owned objects are released.
  ///
  /// An event that is calling the handler at that moment releases it when the value has reached every handler. The empty entry
  /// is removed out of an event's ``Event/subscriptions`` when that fires next.
  public func invalidate() {
    let last = (handler, ownedObjects)
    let places = tokens
    isOver = true
    handler = { _ in }
    ownedObjects = []
    tokens = []
    for place in places { place.cancel() }
    withExtendedLifetime(last) {}  // what it deinitialises finds nothing half done
  }

  /// Keeps an object alive until the subscription ends. Added twice, it is kept once more.
  public func addOwnedObject(_ object: AnyObject) { if !isOver { ownedObjects.append(object) } }

  /// Releases an object, however often it was added.
  public func removeOwnedObject(_ object: AnyObject) {
    let all = ownedObjects
    ownedObjects = all.filter { $0 !== object }
    withExtendedLifetime(all) {}
  }

  /// Releases an object once.
  func disown(_ object: AnyObject) {
    guard let index = ownedObjects.firstIndex(where: { $0 === object }) else { return }
    _ = ownedObjects.remove(at: index)
  }

  func isOwned(by object: AnyObject) -> Bool { owner === object }

  // MARK: Its places

  func enter(_ event: LocalEvent<T>) -> LocalSubscription {
    let token = event.observe(hasOwner ? whileOwned() : handler)
    tokens.append(token)
    return token
  }

  func leave(_ token: LocalSubscription) {
    token.cancel()
    tokens.removeAll { $0 === token }
  }

  private func whileOwned() -> HandlerType {
    { [weak owner, weak self, handler] value in
      if let owner {
        withExtendedLifetime(owner) { handler(value) }
      } else {
        self?.invalidate()
      }
    }
  }
}
