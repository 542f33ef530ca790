import DialectSupport
import Tidings

/// An object that sends notifications to its observers, which it holds weakly.
///
/// ```swift
/// let subject = Subject()
/// subject += [inbox, archive]
/// subject ~> EmailNotification(message: "Hello")
/// subject --= archive
/// ```
///
/// It may be used by itself, be a part of any class, or be subclassed.
///
/// - **Order**: observers are called in the order in which they were added. One that is added while a notification is
///   being sent does not receive that one.
/// - **Thread**: every operation, from any thread, at any time. Observers are called on the thread that sends, before
///   ``send(notification:)`` returns; threads that send simultaneously do not wait for each other.
/// - **Re-entrancy**: an observer may add, remove, dispose and send. A notification sent by an observer reaches all of them
///   before the outer one continues. Observers that cause each other in a cycle are stopped, 200 deep.
/// - **Lifetime**: observers are held weakly. The place of one that was deinitialized is swept when something is sent next.
/// - **Cost**: sending is O(*n*), one weak reference to load for each observer, and no lock. Adding is O(1), removing and
///   disposing are O(*n*).
///
/// From the original: all of this but that it froze when an observer added, removed or disposed, or sent while another
/// thread was about to; and that two threads sending swept the same places simultaneously.
open class Subject: @unchecked Sendable {
  // Unchecked because an open class cannot be checked. What is here is one `let` of a Sendable class; a subclass that adds
  // a `var` answers for it. Observers and notifications reach other threads unchecked: the caller asserts it.
  private let observers = Members<any Notification>()

  /// A subject without observers.
  public init() {}

  // MARK: Observers

  /// Adds an observer, after those already there. Added twice, it is notified twice.
  public func add(observer: any Observer) {
    observers.add(observer) { ended in
      // Typed, and not an object that would have to be cast: this is what sending costs.
      { [weak observer] notification in
        if let observer { observer.notify(with: notification.value) } else { ended.raise() }
      }
    }
  }

  /// Removes an observer now: the first, if it was added more than once. One that is not there is ignored.
  ///
  /// Once this has returned no call of it begins, also for what is being sent; those after it move up by one index.
  public func remove(observer: any Observer) { observers.remove(observer) }

  /// Empties an observer's place now, and leaves the sweeping to the next send: the first, if it was added more than once.
  /// One that is not there is ignored.
  ///
  /// Once this has returned no call of it begins, also for what is being sent. Until something is sent the indices of the
  /// others stay as they are, and its own gives nil.
  public func dispose(observer: any Observer) { observers.dispose(observer) }

  // MARK: Sending

  /// Sends a notification to all the observers, and returns when each has been called.
  public func send(notification: any Notification) {
    willSend(notification: notification)
    observers.notify(notification)
    didSend(notification: notification)
  }

  /// Called before the observers are, on the thread that sends. Does nothing here; for subclasses.
  open func willSend(notification: any Notification) {}

  /// Called when the observers have been, on the thread that sends. Does nothing here; for subclasses.
  open func didSend(notification: any Notification) {}

  // MARK: Places

  /// The observer at an index, in the order of adding; nil if there is no such place, or if it is empty: its observer was
  /// deinitialized or disposed of, and nothing has been sent since.
  public subscript(index: Int) -> (any Observer)? { observers[index] as? any Observer }

  /// The index of an observer: the first, if it was added more than once; nil if it is not there.
  public subscript(observer: any Observer) -> Int? { observers.index(of: observer) }
}
