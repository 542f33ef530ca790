import SubjectObserver
import TidingsTesting

/// A notification of a number.
final class Number: Notification, Sendable {
  let value: Int
  var data: Any? { value }
  init(_ value: Int = 0) { self.value = value }
}

/// An observer that notes what it receives under its name, and then does something.
final class Listener: Observer, Sendable {
  let name: String
  private let received: Recorder<String>
  private let body: @Sendable (Listener, Int) -> Void
  private let canary: Canary?

  init(
    _ name: String, in received: Recorder<String>, canary: Canary? = nil,
    _ body: @escaping @Sendable (Listener, Int) -> Void = { _, _ in }
  ) {
    self.name = name
    self.received = received
    self.canary = canary
    self.body = body
  }
  func notify(with notification: any Notification) {
    let value = notification.data as? Int ?? -1
    received("\(name)\(value)")
    body(self, value)
  }
}

extension Subject {
  func send(_ values: Int...) { for value in values { send(notification: Number(value)) } }
}
