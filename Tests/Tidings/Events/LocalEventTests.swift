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

  @Test("A subscription is stored, equal to itself alone, and cancelled once however often it is asked to")
  func subscriptions() {
    let event = LocalEvent<Int>()
    var (received, tokens): ([String], Set<LocalSubscription>) = ([], [])
    let (cancelled, paused) = (event.observe { _ in }, event.observe { received.append("paused\($0)") })
    for _ in 0..<2 { cancelled.cancel() }
    for _ in 0..<2 { paused.pause() }
    event.observe { received.append("stored\($0)") }.store(in: &tokens)
    event.emit(1)
    paused.resume()
    event.emit(2)
    #expect(received == ["stored1", "paused2", "stored2"], "a resumed handler has its old place")
    event.cancelAll()
    event.emit(3)
    #expect(received.count == 3 && !paused.isActive)
    #expect(cancelled != paused && cancelled == cancelled)
  }
}

private final class Page {
  var text: String
  init(_ text: String) { self.text = text }
}
