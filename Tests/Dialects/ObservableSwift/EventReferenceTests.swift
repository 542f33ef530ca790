// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

@Suite struct EventReferenceTests {
  @Test func `every holder adds to and notifies the same list`() {
    let event = EventReference<Int>()
    let same = event
    var received: [Int] = []
    let subscription = same += { received.append($0) }
    event.notify(1)
    event -= subscription
    same.notify(2)
    #expect(received == [1])
  }

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

  @Test func `a handler may read, add, remove and notify`() {
    let event = EventReference<Int>()
    var received: [String] = []
    var last: EventSubscription<Int>?
    event.add { value in
      received.append("a\(value) of \(event.event.subscriptions.count)")
      guard value == 1 else { return }
      event += { received.append("added \($0)") }
      if let last { event -= last }
      event.notify(2)
    }
    event.add { received.append("b\($0)") }
    last = event.add { received.append("removed \($0)") }
    event.notify(1)
    #expect(received == ["a1 of 3", "a2 of 3", "b2", "added 2", "b1"])
    event.removeAll()
  }

  @Test func `a handler may remove all, itself included`() {
    let event = EventReference<Int>()
    var received = 0
    event.add { _ in
      received += 1
      event.removeAll()
    }
    event.add { _ in received += 100 }
    event.notify(1)
    event.notify(2)
    #expect(received == 1)
  }

  @Test func `a copy of the event that is kept does not make removed handlers be called`() {
    let event = EventReference<Int>()
    var received: [String] = []
    var second: EventSubscription<Int>?
    event.add { _ in
      received.append("first")
      if let second { event.remove(second) }
    }
    second = event.add { _ in received.append("second") }
    let copy = event.event
    event.notify(1)
    #expect(received == ["first"])
    #expect(copy.subscriptions.count == 2)
    event.removeAll()
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
      return EventSubscription(owner: nil) { _ in user.see() }
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

  @Test func `an owning reference that a client makes is a plain one`() {
    var ended = false
    do {
      let event = OwningEventReference<Int>(event: Event())
      let witness = Witness { ended = true }
      var received = 0
      event += {
        witness.see()
        received += $0
      }
      event.notify(3)
      #expect(received == 3)
    }
    #expect(ended)
  }
}
