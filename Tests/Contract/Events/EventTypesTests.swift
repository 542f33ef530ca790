import Testing
import Tidings
import TidingsTesting

@Suite("The contract's kit, on the library's own types")
struct EventTypesTests {
  @Test("Event keeps every sentence")
  func event() async {
    let report = await Contract.check(EventTypes.event("Event"))
    #expect(report.isKept, "\(report)")
    #expect(report.skipped.isEmpty, "\(report)")
  }

  @Test("An immediate Event keeps all but the two sentences of `.serial`")
  func immediateEvent() async {
    let report = await Contract.check(
      EventTypes.event("Event, immediate", policy: .immediate),
      except: [
        2: "nested and concurrent: handlers may receive another order",
        4: "depth-first: a nested value is delivered first",
      ], provingExceptions: true)
    #expect(report.isKept, "\(report)")
    #expect(report.needless.isEmpty, "\(report)")
  }

  @Test("LocalEvent keeps every sentence that does not speak of threads")
  func localEvent() async {
    let report = await Contract.check(EventTypes.local)
    #expect(report.isKept, "\(report)")
    #expect(report.skipped.keys.sorted() == [7, 10, 12], "\(report)")
  }

  @Test("What an operator gives keeps every sentence of its event")
  func viaOperator() async {
    let report = await Contract.check(EventTypes.viaOperator)
    #expect(report.isKept, "\(report)")
    #expect(report.skipped.isEmpty, "\(report)")
  }

  @Test("What `merge` gives keeps every sentence of its events")
  func merged() async {
    let report = await Contract.check(EventTypes.merged)
    #expect(report.isKept, "\(report)")
    #expect(report.skipped.isEmpty, "\(report)")
  }
}
