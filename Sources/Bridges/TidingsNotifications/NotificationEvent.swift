public import Foundation
public import Tidings

/// The notifications of one name as an event with typed payloads.
///
/// ```swift
/// let saved = NotificationCenter.default.event(named: .documentSaved) { $0.userInfo?["path"] as? String }
/// let subscription = saved.observe { path in print("saved", path) }
/// ```
///
/// It observes the center once, while it has subscriptions, however many; so its handlers receive notifications in the order
/// in which they were added, which the center itself does not promise. A subscription keeps the observer in place, also
/// when nothing retains the event; the last to end removes it.
///
/// The payload is taken out of a notification where it is posted, once, before `post` continues; notifications of which the
/// closure makes nil are not delivered. Handlers run as those of any event: on the posting thread, or on their actor. A handler
/// of the main actor is called in place when the notification is posted on the main thread.
public struct NotificationEvent<Payload: Sendable>: EventSource {
  private let line: Line<Payload>

  init(_ line: Line<Payload>) { self.line = line }

  public func attach(_ handler: EventHandler<Payload>) -> Subscription {
    let observation = line.open()
    // The chain to the handler retains the observer, and is released with the handler.
    return observation.event.map { [observation] payload in observation.pass(payload) }.attach(handler)
  }
}

extension NotificationCenter {
  /// The notifications of a name, and of one sender if one is given, as an event.
  ///
  /// - Parameters:
  ///   - name: The notifications' name.
  ///   - object: The sender, held weakly; nil for all.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  ///   - payload: Makes of a notification, which must not leave its thread, what handlers receive.
  public func event<Payload: Sendable>(
    named name: Notification.Name, object: (any AnyObject & Sendable)? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    _ payload: @escaping @Sendable (Notification) -> Payload?
  ) -> NotificationEvent<Payload> {
    let isBound = object != nil
    return NotificationEvent(
      Line { [weak object] in
        let event = Event<Payload>(name.rawValue, file: file, line: line)
        // Nothing will come of a sender that was deinitialized; without a sender the center would give what others post.
        if isBound, object == nil { return NotificationObserver(event) }
        return NotificationObserver(event, self, name, object, payload)
      })
  }
}
