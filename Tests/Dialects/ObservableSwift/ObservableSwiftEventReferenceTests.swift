// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

@Suite struct ObservableSwiftEventReferenceTests {
  @Test func `made of an event it takes the subscriptions in a list of its own; its event is a copy`() {
    var received: [String] = []
    var event = Event<Int>()
    let subscription = event.add { received.append("both \($0)") }
    let reference = EventReference(event: event)
    reference.add { received.append("reference \($0)") }
    event.notify(1)
    reference.notify(2)
    #expect(received == ["both 1", "both 2", "reference 2"])

    received = []
    var copy = reference.event
    copy.removeAll()
    #expect(reference.event.subscriptions.count == 2)
    reference.remove(subscription)
    event.notify(3)
    reference.notify(4)
    #expect(received == ["both 3", "reference 4"])
  }

  @Test func `a copy that a handler keeps changes neither order nor what is removed`() {
    let x = ObservableReference(0)
    var received: [String] = []
    var copies: [Event<ValueChange<Int>>] = []
    var last: EventSubscription<ValueChange<Int>>?
    x += { new in
      received.append("first \(new)")
      copies.append(x.afterChange.event)
      if new == 1 { x <- 2 }
      if let last { x -= last }
    }
    x += { received.append("second \($0)") }
    last = x += { received.append("last \($0)") }
    x <- 1
    #expect(received == ["first 1", "second 1", "first 2", "second 2"])
    #expect(copies.map(\.subscriptions.count) == [3, 2])
    x.afterChange.removeAll()
  }

  @Test func `what a removed handler captured may use the event while it is released`() {
    let event = EventReference<Int>()
    var received: [String] = []
    func captureUser() -> EventSubscription<Int> {
      let user = Witness {
        received.append("destroyed, \(event.event.subscriptions.count) left")
        event.add { received.append("late \($0)") }
      }
      return EventSubscription(owner: nil) { _ in user.touch() }
    }
    weak let weakly = event.add(captureUser())
    if let subscription = weakly { event.remove(subscription) }
    event.add(captureUser())
    event.removeAll()
    event.add(captureUser()).invalidate()
    event.notify(1)
    #expect(received == ["destroyed, 0 left", "destroyed, 0 left", "destroyed, 1 left", "late 1", "late 1"])
  }

  @Test func `subclasses see every verb, and what is notified passes through them`() {
    final class Counting: EventReference<ValueChange<Int>> {
      var calls: [String] = []
      override func notify(_ value: ValueChange<Int>) {
        calls.append("notify")
        super.notify(value)
      }
      override func add(_ handler: @escaping (ValueChange<Int>) -> Void) -> EventSubscription<ValueChange<Int>> {
        calls.append("add")
        return super.add(handler)
      }
      override func add(
        _ subscription: EventSubscription<ValueChange<Int>>
      ) -> EventSubscription<ValueChange<Int>> {
        calls.append("add subscription")
        return super.add(subscription)
      }
      override func remove(_ subscription: EventSubscription<ValueChange<Int>>) {
        calls.append("remove")
        super.remove(subscription)
      }
    }
    let event = Counting()
    let subscription = event += { (_: Int) in }
    event.add { (_: Int, _: Int) in }
    _ = event.add(subscription)
    event.notify(ValueChange(1, 2))
    event -= subscription
    #expect(event.calls == ["add", "add", "add subscription", "notify", "remove"])
  }
}
