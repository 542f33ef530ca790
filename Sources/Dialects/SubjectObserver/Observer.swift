/// An observer of notifications: any class.
///
/// ```swift
/// final class Inbox: Observer {
///   func notify(with notification: any Notification) { print(notification.data ?? "nothing") }
/// }
/// ```
///
/// A ``Subject`` holds it weakly, and calls it on the thread that sends.
public protocol Observer: AnyObject {
  /// Called with every notification that is sent while the observer is added, once for each time that it was added.
  ///
  /// On the thread that sends; on several simultaneously, when several send. It may add, remove, dispose and send, also on the
  /// same subject; nothing is locked meanwhile.
  func notify(with notification: any Notification)
}

/// The object that observers receive: an instance of any class, with any data.
///
/// ```swift
/// final class EmailNotification: Notification {
///   let data: Any?
///   init(message: String) { data = message }
/// }
/// ```
///
/// One object is passed to all the observers, so they share it; with several threads, give it nothing that changes. For structs
/// and enums, with their type, there is the core's `Event`.
///
/// Foundation has a type of this name: with both imported, `import protocol SubjectObserver.Notification` selects it.
public protocol Notification: AnyObject {
  /// Its payload.
  var data: Any? { get }
}
