import Testing
import Tidings
import TidingsRegistry
import TidingsTesting

/// One process has one registry, which the tests share: each looks for its own labels.
@Suite("Registry", .serialized)
struct RegistryTests {
  private let registry = ObjectRegistry.shared
  init() { #expect(registry.start()) }

  private func named(_ label: String) -> ObjectSnapshot? { registry.snapshots().first { $0.label == label } }

  @Test("an event is registered while it lives, with its label, place and payload")
  func events() throws {
    var event: Event<Int>? = Event<Int>("registry.event")
    let line = UInt(#line - 1)
    let seen = try #require(named("registry.event"))
    #expect(seen.kind == .event && seen.line == line && seen.file.description.hasSuffix("RegistryTests.swift"))
    #expect(seen.type == Int.self)
    withExtendedLifetime(event) {}
    event = nil
    #expect(named("registry.event") == nil)
  }

  @Test("a hook is registered while it lives, and its questions are counted")
  func hooks() async throws {
    var hook: Hook<Int, Int, Never>? = Hook<Int, Int, Never>("registry.hook")
    let answers = hook!.handle { $0 + 1 }
    for question in 0..<3 { _ = await hook!.first(question) }
    let seen = try #require(named("registry.hook"))
    #expect(seen.kind == .hook && seen.deliveries == 3 && seen.handlers.count == 1)
    answers.cancel()
    hook = nil
    #expect(named("registry.hook") == nil)
  }

  @Test("calls of a hook's handler are timed, with the wait for its actor, also of several simultaneous ones")
  func hookCalls() async throws {
    let hook = Hook<Int, Int, Never>("registry.timed hook")
    let (opened, gate) = AsyncStream<Void>.makeStream()
    let (plain, owned) = (hook.handle { $0 }, hook.handle(with: Listener()) { _, value in value })
    let slow = hook.handle { value in
      if value == 1 { for await _ in opened {} }
      return value
    }
    async let first = hook.all(0)
    async let second = hook.all(1)
    _ = await first
    let during = try #require(named("registry.timed hook")).handlers
    gate.finish()
    _ = await second
    let after = try #require(named("registry.timed hook")).handlers
    #expect(after.map(\.calls) == [2, 2] && after.allSatisfy { $0.slowest > 0 && $0.nanoseconds >= $0.slowest })
    #expect(during.last?.calls == 1, "the call that waits is not over")
    for subscription in [plain, owned, slow] { subscription.cancel() }
  }

  @Test("values are registered until the last that depends on them is destroyed")
  func values() throws {
    var source: Observed<Int>? = Observed(1, label: "registry.source")
    var derived: Derived<Int>? = Derived("registry.derived") { [source] in source!.value * 2 }
    source = nil
    #expect(derived!.value == 2)
    #expect(named("registry.source") != nil && named("registry.derived")?.kind == .derived)
    derived = nil
    #expect(named("registry.source") == nil && named("registry.derived") == nil)
  }

  @Test("deliveries are counted: in place, queued, overlapping")
  func deliveries() throws {
    for policy in [DeliveryPolicy.serial, .immediate] {
      let event = Event<Int>("registry.counted", policy: policy)
      // Each value below 10 emits another one, which is queued or nested.
      let subscription = event.observe { value in if value < 10 { event.emit(value + 10) } }
      for value in 0..<20 { event.emit(value) }
      #expect(named("registry.counted")?.deliveries == 30, "\(policy)")
      subscription.cancel()
    }
  }

  @Test("changes of a value are counted, and a value that is not observed is not computed by a look")
  func changes() throws {
    let price = Observed(1.0, label: "registry.price")
    let computed = Recorder<Double>()
    let gross = Derived("registry.gross") { () -> Double in
      computed(price.value)
      return price.value * 1.19
    }
    for value in 2...6 { price.set(Double(value)) }
    #expect(named("registry.price")?.deliveries == 5)
    let seen = try #require(named("registry.gross"))
    #expect(!seen.hasValue && seen.isStale && seen.dependencies.isEmpty)
    #expect(registry.values(of: [seen.number]).isEmpty)
    #expect(computed.values.isEmpty)
    #expect(gross.value > 7)
    let after = try #require(named("registry.gross"))
    #expect(after.hasValue && after.dependencies == [named("registry.price")!.number])
  }

  @Test("the newest values are copied as text, and are those that were committed")
  func texts() throws {
    let symbol = Observed("MSFT", label: "registry.symbol")
    let count = Observed(1, label: "registry.count")
    let line = Derived("registry.line") { "\(symbol.value) × \(count.value)" }
    let subscription = line.observe { _ in }
    count.set(7)
    let numbers = ["registry.symbol", "registry.count", "registry.line"].map { named($0)!.number }
    let texts = registry.values(of: Set(numbers))
    #expect(numbers.map { texts[$0] } == ["MSFT", "7", "MSFT × 7"])
    subscription.cancel()
  }

  @Test("handlers are listed with their place, their calls and how long they took")
  func handlers() throws {
    let event = Event<Int>("registry.handled")
    let first = event.observe { _ in }
    let line = UInt(#line - 1)
    let second = event.filter { $0 > 1 }.observe { _ in }
    for value in 0..<4 { event.emit(value) }
    let seen = try #require(named("registry.handled")).handlers
    #expect(seen.map(\.calls) == [4, 4])  // the second is called with each value, to its filter
    #expect(seen[0].line == line && seen[0].slowest > 0 && seen[0].nanoseconds >= seen[0].slowest)
    first.pause()
    second.cancel()
    let after = try #require(named("registry.handled")).handlers
    #expect(after.count == 1 && after[0].isPaused)
  }

  @Test("a handler of an actor runs there, timed or not, and what waits for it is counted")
  func actors() async throws {
    let event = Event<Int>("registry.actor")
    let listener = Listener()
    let gate = Gate()
    let subscription = event.observe(with: listener) { listener, value in
      if value == 0 { gate.wait() }
      listener.note(value)
    }
    for value in 0..<5 { event.emit(value) }
    #expect(named("registry.actor")?.waiting == 5)
    gate.open()
    await event.drained()
    #expect(await listener.received == [0, 1, 2, 3, 4])
    // The job that handled the last value counts it until it returns.
    #expect(await eventually { named("registry.actor")?.waiting == 0 })
    #expect(named("registry.actor")?.handlers.map(\.calls) == [5])
    subscription.cancel()
  }

  @Test("a stream is registered with what waits in it and what it dropped")
  func streams() async throws {
    let event = Event<Int>("registry.streamed")
    var stream: EventStream<Int>? = event.stream(buffering: .newest(3))
    for value in 0..<8 { event.emit(value) }
    let seen = try #require(named("stream of registry.streamed"))
    #expect(seen.kind == .stream && seen.deliveries == 8 && seen.waiting == 3 && seen.dropped == 5)
    #expect(seen.source == named("registry.streamed")?.number)
    withExtendedLifetime(stream) {}
    stream = nil
    #expect(named("stream of registry.streamed") == nil)
  }

  @Test("computations are counted, and those that changed nothing")
  func computations() throws {
    let price = Observed(1, label: "registry.even.source")
    let isEven = Derived("registry.even") { price.value % 2 == 0 }
    let subscription = isEven.observe { _ in }
    for value in [3, 5, 6, 8] { price.set(value) }
    let seen = try #require(named("registry.even"))
    #expect(seen.computations == 5 && seen.unchangedComputations == 3 && seen.deliveries == 1)
    subscription.cancel()
  }

  @Test("rejections are kept with their chain")
  func rejections() throws {
    let ping = Event<Int>("registry.ping", maximumDepth: 20)
    let pong = Event<Int>("registry.pong", maximumDepth: 20)
    let there = ping.observe { pong.emit($0 + 1) }
    let back = pong.observe { ping.emit($0 + 1) }
    // The registry keeps the latest of the whole process: other tests may overwrite this one's before it looks.
    var found: RejectionRecord?
    for _ in 0..<1_000 where found == nil {
      ping.emit(0)
      found = registry.rejections.last { $0.labels.contains("registry.ping") }
    }
    let seen = try #require(found)
    #expect(Set(seen.labels) == ["registry.ping", "registry.pong"] && seen.message.contains("cycle"))
    there.cancel()
    back.cancel()
  }

  @Test("the log names the list whose delivery caused a call")
  func causes() throws {
    let outer = Event<Int>("registry.outer")
    let inner = Event<Int>("registry.inner")
    let relay = outer.observe { inner.emit($0) }
    let end = inner.observe { _ in }
    let (outerList, handler) = try (
      #require(named("registry.outer")?.list), #require(named("registry.inner")?.handlers.first?.number)
    )
    // The log keeps the latest entries of the whole process: other tests may overwrite this one's before it looks.
    var causes: [ObjectAddress] = []
    for value in 0..<1000 where causes.isEmpty {
      outer.emit(value)
      causes = registry.log.latest(256).compactMap { entry in
        guard case .call(handler, of: _, let cause) = entry.activity else { return nil }
        return cause
      }
    }
    #expect(Set(causes) == [outerList])
    relay.cancel()
    end.cancel()
  }

  @Test("four threads make, emit and drop objects while one takes snapshots", .timeLimit(.minutes(20)))
  func threads() async {
    let isOver = Gate()
    await withTaskGroup { group in
      group.addTask {
        var looks = 0
        while !isOver.isOpen || looks == 0 {
          let numbers = Set(
            registry.snapshots().filter { $0.label?.hasPrefix("registry.thread") == true }.map(\.number))
          _ = registry.values(of: numbers)
          looks += 1
          await Task.yield()
        }
      }
      group.addTask {
        await withTaskGroup { threads in
          for thread in 0..<4 { threads.addTask { Self.work(on: "registry.thread \(thread)") } }
        }
        isOver.open()
      }
    }
    // A computation of another test may be about to look at what was replaced.
    #expect(await eventually { registry.snapshots().allSatisfy { $0.label?.hasPrefix("registry.thread") != true } })
  }
  @Test("a subscription may be dropped, and destroy what is registered, while snapshots are taken and others are made")
  func droppedSubscriptions() async {
    let left = Locked(2)
    let ended = await Threads.together(3) { thread in
      if thread == 2 {
        while left.current > 0 { _ = ObjectRegistry.shared.snapshots() }
        return
      }
      for _ in 0..<2_000 {
        let event = Event<Int>("registry.dropped")
        // Only the handler retains the other event.
        let tokens = (0..<2).map { _ in
          let captured = Event<Int>("registry.captured")
          return event.observe { _ in withExtendedLifetime(captured) {} }
        }
        withExtendedLifetime(tokens) {}
      }
      left.withLock { $0 -= 1 }
    }
    #expect(ended)
    // A thread of another test may be pruning, and retain a subscription for a moment.
    #expect(await eventually { named("registry.captured") == nil })
  }
  private static func work(on label: String) {
    for round in 0..<200 {
      let event = Event<Int>(label)
      let text = Observed("\(round)", label: label)
      let sum = Observed(0, label: label)
      let line = Derived(label) { "\(text.value) \(sum.value)" }
      let lines = line.observe { _ in }
      let stream = event.stream(buffering: .newest(2))
      let adding = event.observe { value in sum.update { $0 += value } }
      for value in 0..<5 { event.emit(value) }
      transaction {
        text.set("\(round) again")
        sum.set(0)
      }
      lines.cancel()
      adding.cancel()
      withExtendedLifetime(stream) {}
    }
  }
}
