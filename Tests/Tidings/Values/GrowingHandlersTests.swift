import Testing
import Tidings
import TidingsTesting

#if DEBUG
@Suite("Handlers that grow with each run", .serialized)
struct GrowingHandlersTests {
  /// The places where handlers are added.
  enum Place: String, CaseIterable { case derived, effect, valueHandler, eventHandler, initialHandler, behindFlatMap }
  /// The ways of keeping them.
  enum Form: String, CaseIterable {
    case token, forever, owner, initial, changes, event, other, replaced, once, owners, several
  }

  private static let owner = Owner()
  private static let kept = Locked<[Subscription]>([])

  /// Runs code in the place five times.
  private func run(_ place: Place, _ body: @escaping @Sendable () -> Void) {
    let (source, event) = (Observed(0), Event<Int>())
    let tokens: [Subscription] =
      switch place {
      case .derived:
        [
          Derived { () -> Int in
            body()
            return source.value
          }.observe { _ in }
        ]
      case .effect:
        [
          effect {
            _ = source.value
            body()
          }
        ]
      case .valueHandler: [source.observe { _ in body() }]
      case .initialHandler: [source.observe(.initial) { _ in body() }]
      case .eventHandler: [event.observe { _ in body() }]
      case .behindFlatMap: [event.flatMap { Event<Int>().startWith($0) }.observe { _ in body() }]
      }
    for step in 1...5 {
      source.set(step)
      event.emit(step)
    }
    withExtendedLifetime(tokens) {}
  }

  private func reports(_ place: Place, _ form: Form) async -> [String] {
    let reports = Recorder<String>()
    let label = "growing.\(place).\(form)"
    let token = Diagnostics.reports.observe { report in
      if report.message.hasPrefix("growing: '\(label)'") { reports(report.message) }
    }
    let (source, event) = (Observed(0, label: label), Event<Int>(label))
    let keep: @Sendable (Subscription) -> Void = { token in Self.kept.withLock { $0.append(token) } }
    // A line for each place: a place is reported once.
    let add: @Sendable (StaticString) -> Void = { file in
      switch form {
      case .token: keep(source.observe({ _ in }, file: file))
      case .forever: source.observe({ _ in }, file: file).forever()
      case .owner: source.observe(with: Self.owner, { _, _ in }, file: file)
      case .initial: keep(source.observe(.initial, { _ in }, file: file))
      case .changes: keep(source.changes.map(\.new).observe({ _ in }, file: file))
      case .event: keep(event.observe({ _ in }, file: file))
      case .other: keep(Observed(0, label: label).observe({ _ in }, file: file))
      case .replaced: Self.kept.current = [source.observe({ _ in }, file: file)]
      case .once: event.once({ _ in }, file: file)
      case .owners:
        let owner = Owner()
        source.observe(with: owner, { _, _ in withExtendedLifetime(owner) {} }, file: file)
      case .several: Self.kept.current = (0..<3).map { _ in source.observe({ _ in }, file: file) }
      }
    }
    run(place) {
      switch place {
      case .derived: add("growing/derived")
      case .effect: add("growing/effect")
      case .valueHandler: add("growing/value")
      case .initialHandler: add("growing/initial")
      case .eventHandler: add("growing/event")
      case .behindFlatMap: add("growing/flatMap")
      }
    }
    // Another test's thread may be delivering reports, and then delivers these too.
    await Diagnostics.reports.drained()
    token.cancel()
    Self.kept.current = []
    return reports.values
  }

  @Test(
    "A handler that each run of a computation or of a handler adds is reported once for a place",
    arguments: Place.allCases, [Form.token, .forever, .owner, .initial, .changes, .event])
  func growing(_ place: Place, _ form: Form) async {
    let messages = await reports(place, form)
    #expect(messages.count == 1)
    #expect(messages.allSatisfy { $0.contains("from growing/") })
    #expect(await reports(place, form) == [], "once")
  }

  @Test(
    "A handler that ends before the next ones, or belongs to another object, is not reported",
    arguments: Place.allCases, [Form.other, .replaced, .once, .owners, .several])
  func notGrowing(_ place: Place, _ form: Form) async {
    #expect(await reports(place, form) == [])
  }

  @Test("Operators that were made at one place and follow one source are not reported")
  func operators() async {
    let (outer, inner, growing) = (Event<Int>(), Event<Int>("growing.operators"), Recorder<String>())
    let token = Diagnostics.reports.observe { report in
      if report.message.contains("growing.operators") { growing(report.message) }
    }
    let tokens = (0..<5).map { _ in outer.flatMapLatest { _ in inner }.observe { _ in } }
    outer.emit(1)
    await Diagnostics.reports.drained()
    #expect(growing.values == [] && inner.subscriptionCount == 5)
    withExtendedLifetime((token, tokens)) {}
  }

  @Test(
    "flatMap follows one more source with each value, and is not reported",
    arguments: [DeliveryPolicy.serial, .immediate])
  func flatMaps(_ policy: DeliveryPolicy) async {
    let (outer, inner, closed) = (
      Event<Int>(), Event<Int>("growing.flatMaps", policy: policy), Event<Void>("growing.flatMaps")
    )
    let growing = Recorder<String>()
    let token = Diagnostics.reports.observe { report in
      if report.message.contains("growing.flatMaps") { growing(report.message) }
    }
    let answers = Recorder<Int>()
    let tokens = [
      outer.flatMap { id in inner.filter { $0 == id }.prefix(1) }.observe { answers($0) },
      outer.flatMap { id in inner.prefix(until: closed) }.observe { _ in },
      outer.flatMap { id in inner.merge(Event()).share() }.observe { _ in },
      // It follows the ones that have waited at the ends of others.
      outer.flatMap(maximum: 3) { id in inner.filter { $0 == id }.prefix(1) }.observe { answers($0) },
    ]
    outer.emit(contentsOf: Array(1...8))
    inner.emit(contentsOf: Array(1...8))
    await Diagnostics.reports.drained()
    #expect(growing.values == [] && answers.values.count == 16)
    withExtendedLifetime((token, tokens)) {}
  }
}
#endif
