// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

@Suite struct ObservableSwiftSubscriptionTests {
  @Test func `invalidating ends it in every event immediately, and frees handler and owned objects`() {
    let (a, b) = (EventReference<Int>(), EventReference<Int>())
    var received: [Int] = []
    var ended: [String] = []
    let subscription: EventSubscription<Int>
    do {
      let captured = Witness { ended.append("captured") }
      subscription = EventSubscription(owner: nil) {
        captured.touch()
        received.append($0)
      }
      subscription.addOwnedObject(Witness { ended.append("owned") })
    }
    a.add(subscription)
    a.add(subscription)
    b.add(subscription)
    #expect(subscription.valid())
    a.notify(1)
    b.notify(2)
    #expect(received == [1, 1, 2])
    #expect(ended.isEmpty)

    subscription.invalidate()
    #expect(ended.sorted() == ["captured", "owned"])
    #expect(!subscription.valid())
    a.notify(3)
    b.notify(4)
    subscription.handler(5)
    subscription.invalidate()
    #expect(received == [1, 1, 2])
  }

  @Test func `the husk of an ended one leaves the event when that fires next`() {
    let event = EventReference<Int>()
    event.add { _ in }
    weak let husk = event.add { _ in }
    husk?.invalidate()
    event.notify(1)
    #expect(husk == nil)
    #expect(event.event.subscriptions.count == 1)
  }

  @Test func `it ends with its owner, which it does not keep, when it is next notified or asked`() {
    var event = Event<Int>()
    var received: [String] = []
    let (notified, asked): (EventSubscription<Int>, EventSubscription<Int>)
    do {
      let owner = Witness { received.append("owner") }
      let captured = [Witness { received.append("notified") }, Witness { received.append("asked") }]
      notified = event.add(owner: owner) { [captured = captured[0]] in
        captured.touch()
        received.append("\($0)")
      }
      asked = EventSubscription(owner: owner) { [captured = captured[1]] _ in captured.touch() }
      event.notify(1)
      #expect(notified.valid() && asked.valid())
      withExtendedLifetime(owner) {}
    }
    #expect(received == ["1", "owner"])
    event.notify(2)
    #expect(received == ["1", "owner", "notified"])
    #expect(!notified.valid() && !asked.valid())
    #expect(received == ["1", "owner", "notified", "asked"])
  }

  @Test func `an owner that is deinitialized while the event is notified is skipped`() {
    let event = EventReference<Int>()
    var received: [String] = []
    var owner: Witness? = Witness()
    event.add { _ in
      received.append("first")
      owner = nil
    }
    event.add(owner: owner!) { _ in received.append("owner's") }
    event.add { _ in received.append("last") }
    event.notify(1)
    event.notify(2)
    #expect(received == ["first", "last", "first", "last"])
  }

  @Test func `one that has ended is not added`() {
    var event = Event<Int>()
    var received = 0
    let subscription = EventSubscription<Int>(owner: nil) { received += $0 }
    subscription.invalidate()
    event.add(subscription)
    event.notify(1)
    #expect(received == 0)
    #expect(event.subscriptions.isEmpty)
  }

  @Test func `owned objects live until they are released, however often they were added`() {
    var ended: [String] = []
    let subscription = EventSubscription<Int>(owner: nil) { _ in }
    var (a, b): (Witness?, Witness?) = (Witness { ended.append("a") }, Witness { ended.append("b") })
    weak let weakA = a
    subscription.addOwnedObject(a!)
    subscription.addOwnedObject(a!)
    subscription.addOwnedObject(b!)
    (a, b) = (nil, nil)
    #expect(ended.isEmpty)
    if let held = weakA { subscription.removeOwnedObject(held) }
    #expect(ended == ["a"])
    subscription.invalidate()
    #expect(ended == ["a", "b"])
    subscription.addOwnedObject(Witness { ended.append("too late") })
    #expect(ended == ["a", "b", "too late"])
  }
}
