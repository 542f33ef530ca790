/// Removes now; see ``Subject/remove(observer:)``. An assignment, so `a --= b` needs no parentheses beside other operators.
infix operator --= : AssignmentPrecedence

extension Subject {
  /// Adds an observer, as ``add(observer:)``.
  public static func += (subject: Subject, observer: any Observer) { subject.add(observer: observer) }

  /// Adds several observers, in their order.
  public static func += (subject: Subject, observers: [any Observer]) {
    for observer in observers { subject.add(observer: observer) }
  }

  /// Removes an observer now, as ``remove(observer:)``.
  public static func --= (subject: Subject, observer: any Observer) { subject.remove(observer: observer) }

  /// Removes several observers now, each as by itself.
  public static func --= (subject: Subject, observers: [any Observer]) {
    for observer in observers { subject.remove(observer: observer) }
  }

  /// Disposes of an observer, as ``dispose(observer:)``.
  public static func -= (subject: Subject, observer: any Observer) { subject.dispose(observer: observer) }

  /// Disposes of several observers, each as by itself.
  public static func -= (subject: Subject, observers: [any Observer]) {
    for observer in observers { subject.dispose(observer: observer) }
  }

  /// Sends a notification, as ``send(notification:)``.
  public static func ~> (subject: Subject, notification: any Notification) {
    subject.send(notification: notification)
  }

  /// Sends several notifications: the first to all the observers, then the second to all, and so on.
  public static func ~> (subject: Subject, notifications: [any Notification]) {
    for notification in notifications { subject.send(notification: notification) }
  }
}
