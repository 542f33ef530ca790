import Foundation
import Testing
import Tidings
import TidingsNotifications
import TidingsTesting

@Suite("Notifications as events")
struct NotificationEventTests {
  private let center = NotificationCenter()
  private let name = Notification.Name("tidings.tests.moved")
  private var moved: NotificationEvent<Int> { center.event(named: name) { $0.userInfo?["to"] as? Int } }
  private func post(_ place: Int, from object: AnyObject? = nil) {
    center.post(name: name, object: object, userInfo: ["to": place])
  }

  @Test("Handlers receive what the closure makes of each notification, and nothing when it makes nothing")
  func payloads() {
    let recording = moved.record()
    post(1)
    center.post(name: name, object: nil, userInfo: ["to": "nowhere"])
    center.post(name: Notification.Name("tidings.tests.other"), object: nil, userInfo: ["to": 9])
    post(2)
    #expect(recording.values == [1, 2])
  }

  @Test("Handlers are called in the order in which they were added, which the center does not promise")
  func order() {
    let (moved, received) = (moved, Recorder<Int>())
    let tokens = (0..<50).map { index in moved.observe { _ in received(index) } }
    post(1)
    post(2)
    #expect(received.values == Array(0..<50) + Array(0..<50))
    withExtendedLifetime(tokens) {}
  }

  @Test("One observer is enough for all subscriptions, while there is one")
  func oneObserver() {
    let (counted, canaries) = (Recorder<Void>(), Canaries())
    let moved = center.event(named: name) { [canary = canaries.make()] _ -> Int? in
      canary.touch()
      counted(())
      return 1
    }
    post(1)
    #expect(counted.values.count == 0, "there is no subscription")
    let (first, second) = (moved.record(), moved.record())
    post(1)
    #expect(counted.values.count == 1)
    first.stop()
    post(1)
    #expect(counted.values.count == 2)
    second.stop()
    post(1)
    #expect(counted.values.count == 2, "the last has removed the observer")
    let third = moved.record()
    post(1)
    #expect(counted.values.count == 3)
    #expect(third.values == [1])
  }

  @Test("A subscription keeps the observer, also when the event is not retained; with it all is released")
  func lifetime() {
    let (received, canaries) = (Recorder<Int>(), Canaries())
    var token: Subscription? = center.event(named: name) { [canary = canaries.make()] in
      canary.touch()
      return $0.userInfo?["to"] as? Int
    }.filter { $0 > 1 }.observe { received($0) }
    post(1)
    post(2)
    #expect(received.values == [2])
    #expect(canaries.alive == 1)
    withExtendedLifetime(token) {}
    token = nil
    #expect(canaries.alive == 0)
    post(3)
    #expect(received.values == [2])
  }

  @Test("Handlers that end by themselves remove the observer: once, and those of an owner that was deinitialized")
  func waysToEnd() {
    let (canaries, received) = (Canaries(), Recorder<Int>())
    var owner: Owner? = Owner()
    do {
      let moved = center.event(named: name) { [canary = canaries.make()] in
        canary.touch()
        return $0.userInfo?["to"] as? Int
      }
      moved.once { received($0) }
      moved.observe(with: owner!) { _, value in received(value) }
    }
    post(1)
    #expect(received.values == [1, 1])
    #expect(canaries.alive == 1)
    owner = nil
    post(2)
    #expect(received.values == [1, 1])
    #expect(canaries.alive == 0)
  }

  @Test(
    "An event of one sender does not keep it; once the sender is deinitialized, nothing is delivered, also to later handlers"
  )
  func senders() {
    var sender: Owner? = Owner()
    weak let released = sender
    let moved = center.event(named: name, object: sender) { $0.userInfo?["to"] as? Int }
    let recording = moved.record()
    post(1, from: sender)
    post(2, from: Owner())
    post(3)
    #expect(recording.values == [1])
    recording.stop()
    sender = nil
    #expect(released == nil)
    let later = moved.record()
    post(4)
    post(5, from: Owner())
    #expect(later.values == [])
  }

  @Test("A handler may post, subscribe and cancel; what it posts comes after the current notification")
  func reentrancy() {
    let (moved, received, tokens) = (moved, Recorder<String>(), Recorder<Subscription>())
    let first = moved.observe { value in
      received("a\(value)")
      if value == 1 {
        center.post(name: name, object: nil, userInfo: ["to": 2])
        tokens(moved.observe { received("c\($0)") })
      }
    }
    let second = moved.observe { received("b\($0)") }
    post(1)
    #expect(received.values.filter { !$0.hasPrefix("c") } == ["a1", "b1", "a2", "b2"])
    second.cancel()
    first.cancel()
    for token in tokens.values { token.cancel() }
    post(3)
    #expect(!received.values.contains { $0.hasSuffix("3") })
  }

  @Test("Posted from several threads, every handler receives all, in one order")
  func threads() {
    let moved = moved
    let recordings = (0..<3).map { _ in moved.record() }
    Threads.together(4) { thread in
      for value in 0..<100 { center.post(name: name, object: nil, userInfo: ["to": thread * 100 + value]) }
    }
    #expect(recordings[0].values.sorted() == Array(0..<400))
    for recording in recordings { #expect(recording.values == recordings[0].values) }
  }

  @Test("Subscribed and cancelled from several threads while others post, nothing is left and the observer comes again")
  func comingAndGoing() throws {
    let moved = moved
    Threads.together(4) { _ in
      for round in 0..<200 {
        let recording = moved.record()
        center.post(name: name, object: nil, userInfo: ["to": round])
        recording.stop()
      }
    }
    try expectNoLeakedSubscriptions { _ = moved.record() }
    let last = moved.record()
    post(1)
    #expect(last.values == [1])
  }

  @Test("A handler on the main actor receives it there, in order")
  func mainActor() async {
    let moved = moved
    let recording = moved.record(on: MainActor.shared)
    for value in 1...10 { post(value) }
    #expect(await recording.values(atLeast: 10) == Array(1...10))
  }
}
