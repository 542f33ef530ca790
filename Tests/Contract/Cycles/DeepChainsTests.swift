import Testing
import Tidings
import TidingsTesting

@Suite("23. No chain of events takes the stack")
struct DeepChainsTests {
  /// The kind of handler of one link. The handler emits the event of the next link.
  enum Link: CaseIterable, Sendable {
    case plain, owner, once, throwing, onActor, merge, share, startWith

    /// Events of which each has one handler, which calls `receive` with the number of its event.
    func events(
      _ count: Int, _ policy: DeliveryPolicy, on actor: isolated TestActor,
      _ receive: @escaping @Sendable (Int) -> [Int]
    ) -> (emit: (Int) -> Void, tokens: [Subscription]) {
      let events = (0..<count).map { Event<Int>("link \($0)", policy: policy) }
      let handler: @Sendable (Int) -> Void = { value in for next in receive(value) { events[next].emit(next) } }
      let tokens = events.map { event in
        switch self {
        case .owner:
          event.observe(with: actor) { actor, value in
            for next in receive(value) { events[next].emit(next, isolation: actor) }
          }
        case .once: event.once(handler)
        case .throwing: event.observe(onError: { _ in }) { value throws(Oops) in handler(value) }
        case .onActor:
          event.observe { value in
            for next in receive(value) { events[next].emit(next, isolation: actor) }
          }
        case .merge: event.merge(Event<Int>()).observe(handler)
        case .share: event.share().observe(handler)
        case .startWith: event.startWith().observe(handler)
        default: event.observe(handler)
        }
      }
      return ({ events[$0].emit($0, isolation: actor) }, tokens)
    }
  }

  /// Returns the values received, in order, when the outermost emit has returned on a thread with the given stack.
  private static func received(
    _ link: Link, of count: Int, stack: Int, policy: DeliveryPolicy = .serial,
    _ next: @escaping @Sendable (Int) -> [Int]
  ) async -> [Int] {
    let received = Recorder<Int>()
    return await TestActor(stackSize: stack).run { actor in
      let events = link.events(count, policy, on: actor) { value in
        received(value)
        return next(value)
      }
      events.emit(0)
      // Not by dropping the tokens: a handler with an owner is kept by its event, which it keeps in turn.
      for token in events.tokens { token.cancel() }
      return received.values
    }
  }

  @Test("4,000 events, each emitted by the handler of the one before, are delivered in order", arguments: Link.allCases)
  func chain(_ link: Link) async {
    let received = await Self.received(link, of: 4_000, stack: Threads.smallStack) { $0 < 3_999 ? [$0 + 1] : [] }
    #expect(received == Array(0..<4_000))
  }

  @Test(
    "A tree of events that emit each other is delivered in the order of a thread with a large stack",
    arguments: Link.allCases)
  func tree(_ link: Link) async {
    let seed = Runs.seeds(1, of: "deep trees")[0]
    var random = SplitMix64(seed)
    var children: [[Int]] = Array(repeating: [], count: 2_000)
    // Nearly a chain, with branches anywhere.
    for number in 1..<2_000 { children[max(0, number - 1 - random.number(below: 3))].append(number) }
    // The tree is half as deep as it is large: a release build needs less than the small stack for it.
    let (tree, small) = (children, Threads.smallStack / 2)
    let received = await Self.received(link, of: 2_000, stack: small) { tree[$0] }
    let expected = await Self.received(link, of: 2_000, stack: 256 << 20) { tree[$0] }
    #expect(received == expected, "TIDINGS_SEED=\(seed)")
  }

  @Test("A ring of 1,000 events is stopped by its depth and reported", arguments: Link.allCases)
  func ring(_ link: Link) async {
    if link == .once { return }  // used up after one round
    let reports = Reports(about: Set((0..<1_000).map { "link \($0)" }))
    let received = await Self.received(link, of: 1_000, stack: Threads.smallStack) { [($0 + 1) % 1_000] }
    #expect(received.count >= 9_000)
    #expect(received == (0..<received.count).map { $0 % 1_000 })
    #expect(!reports.labels.isEmpty)
  }

  @Test(
    "A handler whose emissions wait emits 3,000 values, and reads a derived one: its thread handles all")
  func whereEmissionsWait() async {
    let (received, probed) = (Recorder<Int>(), Recorder<Int>())
    await Threads.elsewhere(stackSize: Threads.smallStack) {
      let (leaf, probe, count) = (Event<Int>(), Event<Int>(), Observed(0))
      let (double, home) = (Derived { count.value * 2 }, Threads.current)
      let (token, probing) = (
        leaf.observe { received(Threads.current == home ? $0 : -1) }, probe.observe { probed($0) }
      )
      let (events, waited) = ((0..<4_000).map { _ in Event<Int>() }, Locked(false))
      let tokens = events.map { event in
        event.observe { value in
          count.set(value)
          if double.value != value * 2 { received(-1) }
          probe.emit(value)
          if probed.values.last != value, !waited.current {
            waited.current = true
            for number in 0..<3_000 { leaf.emit(number) }
          }
          if value < 3_999 { events[value + 1].emit(value + 1) }
        }
      }
      events[0].emit(0)
      #expect(waited.current)
      #expect(received.values == Array(0..<3_000))
      withExtendedLifetime((token, probing, tokens)) {}
    }
  }

  @Test("A subscription to `startWith` that a handler makes where the stack is nearly used up misses nothing")
  func startWith() async {
    let received = Recorder<Int>()
    await Threads.elsewhere(stackSize: Threads.smallStack) {
      let (other, tokens) = (Event<Int>(), Locked<[Subscription]>([]))
      let events = (0..<4_000).map { _ in Event<Int>() }
      let chain = events.map { event in
        event.observe { value in
          let token = other.startWith(value).observe { if $0 == value { received($0) } }
          tokens.withLock { $0.append(token) }
          if value < 3_999 { return events[value + 1].emit(value + 1) }
          other.emit(3_999)
        }
      }
      events[0].emit(0)
      #expect(received.values == Array(0..<4_000) + [3_999])
      withExtendedLifetime((chain, tokens)) {}
    }
  }

  /// The caller of such an emission relies on its return, or may use the event elsewhere afterwards.
  @Test(
    "If a value cannot wait, the first for which there is no stack is rejected and reported",
    arguments: [DeliveryPolicy.serial, .immediate])
  func local(_ policy: DeliveryPolicy) async {
    let (name, received) = ("local, \(policy)", Recorder<Int>())
    let reports = Reports(about: [name])
    await Threads.elsewhere(stackSize: Threads.smallStack) {
      let events = (0..<4_000).map { _ in LocalEvent<Int>(name, policy: policy) }
      let tokens = events.map {
        $0.observe { value in
          received(value)
          if value < 3_999 { events[value + 1].emit(value + 1) }
        }
      }
      events[0].emit(0)
      withExtendedLifetime(tokens) {}
    }
    Self.expectRejection(received.values, reports, last: name)
  }
  @Test("If emissions overlap, likewise", arguments: Link.allCases)
  func immediate(_ link: Link) async {
    // A serial relay is between the event and its handler, so its value can wait.
    if [.merge, .share, .startWith].contains(link) { return }
    let reports = Reports(about: Set((0..<4_000).map { "link \($0)" }))
    let received = await Self.received(link, of: 4_000, stack: Threads.smallStack, policy: .immediate) {
      $0 < 3_999 ? [$0 + 1] : []
    }
    Self.expectRejection(received, reports, last: "link \(received.count)")
  }
  private static func expectRejection(_ received: [Int], _ reports: Reports, last name: String) {
    #expect(received.count > 8 && received.count < 4_000)
    #expect(received == Array(0..<received.count))
    #expect(reports.all.contains { $0.labels.last == name })
  }
}
