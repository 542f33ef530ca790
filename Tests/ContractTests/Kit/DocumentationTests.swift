import Testing
import Tidings
import TidingsTesting

/// What the kit's documentation shows.
@Suite("The kit, as its documentation shows it")
struct DocumentationTests {
  @Test("An event of the library, through the whole kit")
  func wholeKit() async {
    let report = await Contract.check(
      EventUnderTest(
        "Event", make: { Event<Int>() }, add: { $0.observe($1) }, emit: { $0.emit($1) }, cancel: { $0.cancel() }))
    #expect(report.isKept, "\(report)")
  }

  @Test("A type that says more of itself is asked more, and may name what it departs from")
  func departure() async {
    var type = EventUnderTest(
      "Event", make: { Event<Int>() }, add: { $0.observe($1) }, emit: { $0.emit($1) }, cancel: { $0.cancel() })
    type.isThreadSafe = true
    type.dropCancels = true
    type.addOnce = { $0.once($1) }
    let notifier = type
    let report =
      await Contract.check(notifier, except: [4: "depth-first, as its users expect"])
    #expect(report.isKept, "\(report)")
  }

  @Test("A recorder keeps what a handler heard")
  func recorder() {
    let event = Event<Int>()
    let heard = Recorder<Int>()
    let token = event.observe { heard($0) }
    event.emit(1)
    #expect(heard.values == [1])
    withExtendedLifetime(token) {}
  }
}
