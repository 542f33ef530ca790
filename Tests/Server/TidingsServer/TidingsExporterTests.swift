#if Server
import Logging
import Metrics
import MetricsTestKit
import ServiceContextModule
import ServiceLifecycle
import Testing
import Tidings
import TidingsServer
import TidingsTesting

@Suite("The exporter", .timeLimit(.minutes(2)))
struct TidingsExporterTests {
  private let metrics = TestMetrics()
  private let logged = TidingsTesting.Recorder<LoggedMessage>()
  private let exporter: TidingsExporter

  init() { exporter = TidingsExporter(every: .milliseconds(5), logger: Logger(logged), factory: metrics) }

  private func counted(_ label: String, _ name: String, _ kind: String = "event") throws -> Int64 {
    try metrics.expectCounter("tidings." + label, [("name", name), ("kind", kind)]).totalValue
  }
  private func shown(_ label: String, _ name: String, _ kind: String = "event") throws -> Double? {
    try metrics.expectGauge("tidings." + label, [("name", name), ("kind", kind)]).lastValue
  }

  @Test("Each value is counted once, over all exports")
  func deliveries() throws {
    let event = Event<Int>("exporter.deliveries")
    let tokens = [event.observe { _ in }, event.observe { _ in }]
    for number in 0..<1_000 {
      event.emit(number)
      if number.isMultiple(of: 300) { exporter.export() }
    }
    exporter.export()
    exporter.export()
    #expect(try counted("deliveries", "exporter.deliveries") == 1_000)
    #expect(try counted("handler.calls", "exporter.deliveries") == 2_000)
    #expect(try shown("subscriptions", "exporter.deliveries") == 2)
    withExtendedLifetime(tokens) {}
  }

  @Test("Only an object with a label has a series")
  func labels() {
    let event = Event<Int>()
    let token = event.observe { _ in }
    let (value, derived) = (Observed(0), Derived { 1 })
    let stream = event.stream()
    event.emit(1)
    exporter.export()
    let names = metrics.counters.compactMap { counter in counter.dimensions.first { $0.0 == "name" }?.1 }
    #expect(names.allSatisfy { !$0.contains("TidingsExporterTests") })
    withExtendedLifetime((token, value, derived, stream)) {}
  }

  @Test("Values count their changes, derived values their computations, hooks what they are asked")
  func kinds() async throws {
    let (value, hook) = (Observed(1, label: "exporter.value"), Hook<Int, Int, Never>("exporter.hook"))
    let derived = Derived("exporter.derived") { value.value * 2 }
    let tokens = [derived.observe { _ in }, hook.handle { $0 }]
    for number in 2...4 { value.set(number) }
    _ = await hook.first(1)
    exporter.export()
    #expect(try counted("deliveries", "exporter.value", "observed") == 3)
    #expect(try counted("computations", "exporter.derived", "derived") == 4)
    #expect(try counted("deliveries", "exporter.hook", "hook") == 1)
    withExtendedLifetime(tokens) {}
  }

  @Test("A stream is counted under its source's name: what waits, what was dropped, and how many there are")
  func streams() throws {
    let event = Event<Int>("exporter.streamed")
    do {
      let streams = [event.stream(buffering: .newest(2)), event.stream(buffering: .newest(4))]
      event.emit(contentsOf: 1...5)
      exporter.export()
      #expect(try shown("objects", "exporter.streamed", "stream") == 2)
      #expect(try shown("waiting", "exporter.streamed", "stream") == 6)
      #expect(try counted("deliveries", "exporter.streamed", "stream") == 10)
      #expect(try counted("dropped", "exporter.streamed", "stream") == 4)
      withExtendedLifetime(streams) {}
    }
    exporter.export()
    #expect(try shown("objects", "exporter.streamed", "stream") == 0)
    #expect(try shown("waiting", "exporter.streamed", "stream") == 0)
    #expect(try counted("dropped", "exporter.streamed", "stream") == 4)
  }

  @Test("Objects with one label share a series, which remains when they are deinitialized")
  func sharing() throws {
    func round() throws {
      let events = [Event<Int>("exporter.shared"), Event<Int>("exporter.shared")]
      let tokens = events.map { $0.observe { _ in } }
      for event in events { event.emit(1) }
      exporter.export()
      #expect(try shown("objects", "exporter.shared") == 2)
      withExtendedLifetime(tokens) {}
    }
    try round()
    try round()
    exporter.export()
    #expect(try counted("deliveries", "exporter.shared") == 4)
    #expect(try shown("objects", "exporter.shared") == 0)
    #expect(try shown("subscriptions", "exporter.shared") == 0)
  }

  @Test("The series of a label without an object is exported as zero, then freed, and made again for a new object")
  func freed() throws {
    let exporter = TidingsExporter(logger: Logger(logged), factory: metrics, keeping: .zero)
    for _ in 0..<3 {
      do {
        let event = Event<Int>("exporter.freed")
        let token = event.observe { _ in }
        event.emit(1)
        exporter.export()
        #expect(try counted("deliveries", "exporter.freed") == 1)
        withExtendedLifetime(token) {}
      }
      exporter.export()
      #expect(try shown("objects", "exporter.freed") == 0)
      exporter.export()
      #expect(throws: (any Error).self) { try counted("deliveries", "exporter.freed") }
      #expect(throws: (any Error).self) { try shown("objects", "exporter.freed") }
      let timers = metrics.timers.filter { $0.dimensions.contains { $0.1 == "exporter.freed" } }
      #expect(timers.isEmpty)
    }
  }

  @Test("Labels whose objects are gone make room for those of new objects, before their time is over")
  func dead() throws {
    // More than the other tests have objects with labels.
    let exporter = TidingsExporter(logger: Logger(logged), factory: metrics, maximumSeries: 200)
    for number in 0..<600 {
      let event = Event<Int>("exporter.dead.\(number)")
      let token = event.observe { _ in }
      event.emit(number)
      exporter.export()
      #expect(try counted("deliveries", "exporter.dead.\(number)") == 1)
      withExtendedLifetime(token) {}
    }
    // One of the others of each kind, at most.
    #expect(metrics.counters.count { $0.label == "tidings.deliveries" } <= 206)
  }

  @Test("When there are more labels than series, further objects share one of each kind, and that is logged once")
  func bounded() throws {
    let exporter = TidingsExporter(logger: Logger(logged), factory: metrics, maximumSeries: 5)
    let events = (0..<100).map { Event<Int>("exporter.many.\($0)") }
    let tokens = events.map { $0.observe { _ in } }
    for _ in 0..<3 {
      for event in events { event.emit(1) }
      exporter.export()
    }
    let counters = metrics.counters.filter { $0.label == "tidings.deliveries" }
    #expect(counters.count <= 11)
    let own = counters.filter { counter in
      counter.dimensions.contains { $0.1.hasPrefix("exporter.many") || $0 == ("name", "(others)") }
        && counter.dimensions.contains { $0 == ("kind", "event") }
    }
    #expect(own.map(\.totalValue).reduce(0, +) >= 300)
    #expect(logged.values.count { $0.level == .warning && $0.text.contains("more than 5 labels") } == 1)
    withExtendedLifetime(tokens) {}
  }

  @Test("The timer receives the mean of a handler's calls, and its slowest call once")
  func durations() throws {
    let event = Event<Duration>("exporter.timed")
    let token = event.observe { duration in
      let start = ContinuousClock.now
      while ContinuousClock.now - start < duration {}
    }
    for milliseconds in [0, 0, 20] { event.emit(.milliseconds(milliseconds)) }
    exporter.export()
    event.emit(.zero)
    exporter.export()
    exporter.export()
    let timer = try metrics.expectTimer("tidings.handler.duration", [("name", "exporter.timed"), ("kind", "event")])
    let values = timer.values
    #expect(values.count == 3)
    #expect(values.count { $0 >= 20_000_000 } == 1)
    #expect(values.first ?? 0 >= 20_000_000 / 3)
    withExtendedLifetime(token) {}
  }

  @Test("A service that shuts down exports what the services after it have emitted at their end")
  func shutdown() async throws {
    struct Worker: Service {
      let event: Event<Int>
      func run() async throws {
        try await gracefulShutdown()
        for number in 0..<100 { event.emit(number) }
      }
    }
    let event = Event<Int>("exporter.shutdown")
    let token = event.observe { _ in }
    let group = ServiceGroup(
      services: [
        TidingsExporter(every: .seconds(3_600), logger: Logger(logged), factory: metrics), Worker(event: event),
      ],
      logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() })
    let running = Task { try await group.run() }
    await group.triggerGracefulShutdown()
    try await running.value
    #expect(try counted("deliveries", "exporter.shutdown") == 100)
    withExtendedLifetime(token) {}
  }

  @Test("A service that is cancelled exports a last time")
  func cancelled() async throws {
    let event = Event<Int>("exporter.cancelled")
    let token = event.observe { _ in }
    let running = Task { [metrics, logged] in
      try await TidingsExporter(every: .seconds(3_600), logger: Logger(logged), factory: metrics).run()
    }
    event.emit(1)
    running.cancel()
    try await running.value
    #expect(try counted("deliveries", "exporter.cancelled") == 1)
    withExtendedLifetime(token) {}
  }

  @Test("It exports periodically until it ends")
  func periodic() async throws {
    let event = Event<Int>("exporter.periodic")
    let token = event.observe { _ in }
    let running = Task { [exporter] in try await exporter.run() }
    for total in 1...3 {
      event.emit(total)
      while (try? counted("deliveries", "exporter.periodic")) != Int64(total) { await Task.yield() }
    }
    running.cancel()
    try await running.value
    withExtendedLifetime(token) {}
  }

  @Test("A rejected value is logged with its chain, in the context of the request that caused it")
  func reports() async throws {
    carryServiceContext()
    let (ping, pong) = (Event<Int>("exporter.ping", maximumDepth: 20), Event<Int>("exporter.pong", maximumDepth: 20))
    let tokens = [ping.observe { pong.emit($0) }, pong.observe { ping.emit($0) }]
    let running = Task { [exporter] in try await exporter.run() }
    // It observes reports before its first export.
    while metrics.counters.isEmpty { await Task.yield() }
    ServiceContext.with("A") { ping.emit(1) }
    await Diagnostics.reports.drained()
    running.cancel()
    try await running.value
    let message = try #require(logged.values.first { $0.text.contains("exporter.ping") })
    #expect(message.level == .error)
    #expect(message.text.contains("cycle"))
    #expect(message.request == "A")
    guard case .array(let chain) = message.metadata["chain"] else {
      Issue.record("no chain in \(message.metadata)")
      return
    }
    #expect(Set(chain.map(\.description)) == ["exporter.ping", "exporter.pong"])
    #expect(try metrics.expectCounter("tidings.rejections").totalValue >= 1)
    withExtendedLifetime(tokens) {}
  }

  @Test("Four threads make, emit and drop while it exports: of what stays alive, nothing is lost or counted twice")
  func concurrent() async throws {
    let event = Event<Int>("exporter.concurrent")
    let token = event.observe { _ in }
    let finished = TidingsTesting.Recorder<Int>()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for number in 0..<500 {
            let other = Event<Int>("exporter.dropped")
            let stream = other.stream(buffering: .newest(1))
            let sum = Derived("exporter.sum") { number }
            other.emit(number)
            event.emit(sum.value)
            withExtendedLifetime(stream) {}
          }
          finished(1)
        }
      }
      for _ in 0..<2 {
        group.addTask { [exporter] in
          while finished.values.count < 4 {
            exporter.export()
            await Task.yield()
          }
        }
      }
    }
    exporter.export()
    #expect(try counted("deliveries", "exporter.concurrent") == 2_000)
    withExtendedLifetime(token) {}
  }
}
#endif
