// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

@Suite struct ObservableSwiftEventTests {
  @Test func `a copy has a list of its own`() {
    var event = Event<Int>()
    var received: [String] = []
    let shared = event.add { received.append("both \($0)") }
    var copy = event
    event.add { received.append("original \($0)") }
    copy.add { received.append("copy \($0)") }
    event.notify(1)
    copy.notify(2)
    #expect(received == ["both 1", "original 1", "both 2", "copy 2"])

    received = []
    copy.remove(shared)
    event.notify(3)
    copy.notify(4)
    #expect(received == ["both 3", "original 3", "copy 4"])

    received = []
    var third = event
    third.removeAll()
    event.notify(5)
    third.notify(6)
    #expect(received == ["both 5", "original 5"])
  }

  @Test func `a subscription is called as often as it was added; remove takes its first place, if it has one`() {
    var event = Event<Int>()
    var received: [String] = []
    let twice = event.add { _ in received.append("twice") }
    event.add { _ in received.append("between") }
    event.add(twice)
    event.notify(1)
    #expect(received == ["twice", "between", "twice"])

    received = []
    event.remove(twice)
    event.notify(2)
    #expect(received == ["between", "twice"])

    received = []
    var other = Event<Int>()
    for subscription in [twice, twice, other.add { _ in }] { event.remove(subscription) }
    event.notify(3)
    #expect(received == ["between"])
  }

  @Test func `the subscriptions can be read, in their order, without those that have ended`() {
    var event = Event<Int>()
    #expect(event.subscriptions.isEmpty)
    let (a, b) = (event.add { _ in }, event.add { _ in })
    event.add(a)
    #expect(event.subscriptions.map(ObjectIdentifier.init) == [a, b, a].map(ObjectIdentifier.init))
    a.invalidate()
    #expect(event.subscriptions.map(ObjectIdentifier.init) == [ObjectIdentifier(b)])
    event.removeAll()
    #expect(event.subscriptions.isEmpty)
  }

  @Test func `an owner's handlers can be removed together`() {
    var event = Event<Int>()
    let reference = EventReference<Int>()
    let (owner, other) = (Witness(), Witness())
    var received: [String] = []
    event.add(owner: owner) { _ in received.append("owner's") }
    event.add(owner: other) { _ in received.append("other's") }
    event.add(owner: owner) { _ in received.append("owner's") }
    reference.add(owner: owner) { _ in received.append("owner's") }
    reference.add { _ in received.append("unowned") }
    event.remove(owner: owner)
    reference.remove(owner: owner)
    event.notify(1)
    reference.notify(1)
    #expect(received == ["other's", "unowned"])
    withExtendedLifetime((owner, other)) {}
  }

  /// An event stored where its handlers can reach it.
  private final class Station {
    var pressed = Event<Int>()
    var received: [String] = []
  }

  @Test func `an event stored in a class may be read, added to and notified from its own handler`() {
    let station = Station()
    station.pressed.add { [unowned station] value in
      station.received.append("a\(value) of \(station.pressed.subscriptions.count)")
      guard value == 1 else { return }
      station.pressed += { station.received.append("added \($0)") }
      station.pressed.notify(2)
      station.received.append("a\(value) ends")
    }
    station.pressed.add { [unowned station] in station.received.append("b\($0)") }
    station.pressed.notify(1)
    // Immediately and nested; what was added in the first round receives the second.
    #expect(station.received == ["a1 of 2", "a2 of 3", "b2", "added 2", "a1 ends", "b1"])
    station.received = []
    station.pressed.notify(3)
    #expect(station.received == ["a3 of 3", "b3", "added 3"])
  }

  @Test func `a copy that is notified is not changed by what its handler does to another copy`() {
    let station = Station()
    var second: EventSubscription<Int>?
    station.pressed.add { [unowned station] _ in if let second { station.pressed.remove(second) } }
    second = station.pressed.add { [unowned station] _ in station.received.append("second") }
    let copy = station.pressed
    copy.notify(1)
    #expect(station.received == ["second"])
    #expect(copy.subscriptions.count == 2)
    #expect(station.pressed.subscriptions.count == 1)
  }

  @Test func `an event that is never notified does not collect the subscriptions of deinitialized owners`() {
    var event = Event<Int>()
    for _ in 0..<1_000 { event.add(owner: Witness()) { _ in } }
    #expect(event.subscriptions.count < 100)
  }
}
