import Testing
import Tidings
import TidingsTesting

@Suite("LocalEvent")
struct LocalEventTests {
  @Test("Handlers and payloads need not be Sendable")
  func payloadsOfOneIsolation() {
    let event = LocalEvent<Page>()
    var pages: [Page] = []
    let token = event.observe { pages.append($0) }
    let page = Page("one")
    event.emit(page)
    page.text = "two"
    #expect(pages.count == 1 && pages[0] === page && pages[0].text == "two")
    token.cancel()
  }

  @Test("It is emitted with a value, several, or none")
  func emitting() {
    let (numbers, pings) = (LocalEvent<Int>(), LocalEvent<Void>())
    var (received, count) = ([0], 0)
    let tokens = [numbers.observe { received.append($0) }, pings.observe { count += 1 }]
    numbers.emit(1)
    numbers.emit(contentsOf: [2, 3])
    pings.emit()
    pings.emit(())
    #expect(received == [0, 1, 2, 3] && count == 2)
    withExtendedLifetime(tokens) {}
  }

  @Test("The policy decides whether a nested value waits")
  func policies() {
    for policy in [DeliveryPolicy.serial, .immediate] {
      let event = LocalEvent<Int>(policy: policy)
      var received: [String] = []
      let a = event.observe { value in
        received.append("a\(value)")
        if value == 1 { event.emit(2) }
      }
      let b = event.observe { received.append("b\($0)") }
      event.emit(1)
      #expect(received == (policy == .serial ? ["a1", "b1", "a2", "b2"] : ["a1", "a2", "b2", "b1"]))
      withExtendedLifetime((a, b)) {}
    }
  }

  @Test("A subscription is cancelled, dropped, paused, resumed and stored like any other")
  func subscriptions() {
    let event = LocalEvent<Int>()
    var (received, tokens): ([String], Set<LocalSubscription>) = ([], [])
    let cancelled = event.observe { received.append("cancelled\($0)") }
    let paused = event.observe { received.append("paused\($0)") }
    event.observe { received.append("stored\($0)") }.store(in: &tokens)
    _ = event.observe { received.append("dropped\($0)") }
    event.emit(1)
    cancelled.cancel()
    cancelled.cancel()
    paused.pause()
    paused.pause()
    event.emit(2)
    paused.resume()
    paused.resume()
    event.emit(3)
    #expect(!cancelled.isActive && paused.isActive)
    tokens = []
    event.emit(4)
    #expect(
      received == ["cancelled1", "paused1", "stored1", "stored2", "paused3", "stored3", "paused4"],
      "a resumed handler has its old place")
    event.cancelAll()
    event.emit(5)
    #expect(received.count == 7 && !paused.isActive)
    #expect(cancelled != paused && cancelled == cancelled)
  }

  @Test("A pause in a handler drops what is under way; resumed, it receives what is emitted from then on")
  func pausingInAHandler() {
    for policy in [DeliveryPolicy.serial, .immediate] {
      let event = LocalEvent<Int>(policy: policy)
      var (received, victim): ([Int], LocalSubscription?) = ([], nil)
      let first = event.observe { value in
        guard value == 1 else { return }
        event.emit(2)
        victim?.pause()
        event.emit(3)
        victim?.resume()
        event.emit(4)
      }
      victim = event.observe { received.append($0) }
      event.emit(1)
      #expect(received == (policy == .serial ? [4] : [2, 4]))
      first.cancel()
    }
  }

  @Test("Failures reach onError, in place")
  func failures() {
    let event = LocalEvent<Int>()
    var received: [String] = []
    let typed = event.observe(
      onError: { received.append("typed \($0.number)") },
      { number throws(Rejected) in if number > 1 { throw Rejected(number: number) } })
    let untyped = event.observe(
      onError: { (error: any Error) in received.append("untyped \(error is Rejected)") },
      { throw Rejected(number: $0) })
    event.emit(contentsOf: [1, 2])
    #expect(received == ["untyped true", "typed 2", "untyped true"])
    withExtendedLifetime((typed, untyped)) {}
  }

  @Test("It lives in an actor, which handlers use without a hop")
  func inAnActor() async {
    let newsroom = Newsroom()
    #expect(await newsroom.publish(3) == [1, 2, 3])
  }

  @Test("It lives on the main actor")
  @MainActor
  func onTheMainActor() {
    let (event, screen) = (LocalEvent<Int>(), Screen())
    let token = event.observe { screen.shown.append($0) }
    event.emit(1)
    #expect(screen.shown == [1])
    token.cancel()
  }

  @Test("Many handlers that are added and cancelled leave nothing")
  func comingAndGoing() {
    let (event, canaries) = (LocalEvent<Int>(), Canaries())
    var (count, kept): (Int, [LocalSubscription]) = (0, [])
    for round in 0..<2_000 {
      let token = event.observe { [canary = canaries.make()] _ in
        canary.touch()
        count += 1
      }
      if round % 100 == 0 { kept.append(token) }
      if round % 10 == 0 { event.emit(round) }
    }
    #expect(canaries.alive == 20 && event.diagnostics.count == 20)
    count = 0
    event.emit(0)
    #expect(count == 20)
    kept = []
    #expect(canaries.alive == 0)
  }
}

private final class Page {
  var text: String
  init(_ text: String) { self.text = text }
}

private struct Rejected: Error { let number: Int }

private actor Newsroom {
  private let published = LocalEvent<Int>()
  private var seen: [Int] = []

  func publish(_ count: Int) -> [Int] {
    let token = published.observe { self.seen.append($0) }
    for number in 1...count { published.emit(number) }
    token.cancel()
    return seen
  }
}
