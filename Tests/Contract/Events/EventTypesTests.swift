import Testing
import Tidings
import TidingsTesting

@Suite("The contract's kit, on the library's own types")
struct EventTypesTests {
  @Test("Every type keeps every sentence, but for the exceptions that are named", arguments: Subject.all)
  fileprivate func sentences(of subject: Subject) async {
    let report = await subject.check()
    #expect(report.isKept && report.needless.isEmpty, "\(report)")
    #expect(report.skipped.keys.sorted() == subject.skipped, "\(report)")
  }
}

/// A type, and what it does not promise.
private struct Subject: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let skipped: [Int]
  let check: @Sendable () async -> ContractReport

  init<Source, Token>(
    _ type: EventUnderTest<Source, Token>, skipping skipped: [Int] = [], except exceptions: [Int: String] = [:]
  ) {
    testDescription = type.name
    self.skipped = skipped
    check = { await Contract.check(type, except: exceptions, provingExceptions: true) }
  }

  static let all = events + operators + shared

  private static let events = [
    Subject(EventTypes.event("Event")),
    Subject(EventTypes.event("Event, immediate", policy: .immediate), except: depthFirst),
    Subject(EventTypes.local("LocalEvent"), skipping: [7, 10, 12]),
    Subject(EventTypes.local("LocalEvent, immediate", policy: .immediate), skipping: [7, 10, 12], except: depthFirst),
  ]
  private static let depthFirst = [
    2: "nested and concurrent: handlers may receive another order",
    4: "depth-first: a nested value is delivered first",
  ]

  private static let operators = [
    passing("map") { $0.map { $0 } },
    passing("merge") { $0.merge(Event<Int>("never")) },
    passing("prefix") { $0.prefix(.max) },
    passing("prefix(while:)") { $0.prefix { _ in true } },
    passing("dropFirst") { $0.dropFirst(0) },
    passing("startWith") { $0.startWith() },
    passing("handleEvents") { $0.handleEvents(onValue: { _ in }) },
    passing("collect") { $0.collect(1).map { $0[0] } },
    passing("scan(into:)") { $0.scan(into: 0) { $0 = $1 } },
    passing("withLatest") { $0.withLatest(from: constant.changes(.initial)).map { $0.0 } },
  ]
  private static let shared = [
    passing("share", except: whatWaits) { $0.share() },
    passing("replay", except: whatWaits) { $0.replay(0) },
  ]
  private static let whatWaits = [3: "a value that waits at the source comes through the shared operators later"]

  /// An operator that passes every value on.
  private static func passing(
    _ name: String, except exceptions: [Int: String] = [:],
    _ view: @escaping @Sendable (Event<Int>) -> AnyEventSource<Int>
  ) -> Subject {
    Subject(EventTypes.view(name, view), except: exceptions)
  }
}
private let constant = Observed(1)
