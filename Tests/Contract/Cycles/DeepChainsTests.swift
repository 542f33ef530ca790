import Testing
import Tidings
import TidingsTesting

@Suite("23. No chain of events takes the stack")
struct DeepChainsTests {
  /// The kind of handler of one link. The handler emits the event of the next link.
  enum Link: CaseIterable, Sendable {
    case plain, owner, once, throwing, onActor, merge, share, startWith, local, localOnce

    /// Events of which each has one handler, which calls `receive` with the number of its event.
    func events(
      _ count: Int, on actor: isolated TestActor, _ receive: @escaping @Sendable (Int) -> [Int]
    ) -> (emit: (Int) -> Void, tokens: [AnyObject]) {
      if self == .local || self == .localOnce {
        let events = (0..<count).map { LocalEvent<Int>("link \($0)") }
        let handler: (Int) -> Void = { value in for next in receive(value) { events[next].emit(next) } }
        return ({ events[$0].emit($0) }, events.map { self == .local ? $0.observe(handler) : $0.once(handler) })
      }
      let events = (0..<count).map { Event<Int>("link \($0)") }
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
    _ link: Link, of count: Int, stack: Int, _ next: @escaping @Sendable (Int) -> [Int]
  ) async -> [Int] {
    let received = Recorder<Int>()
    return await TestActor(stackSize: stack).run { actor in
      let events = link.events(count, on: actor) { value in
        received(value)
        return next(value)
      }
      events.emit(0)
      return withExtendedLifetime(events.tokens) { received.values }
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
    let (tree, small) = (children, Threads.smallStack)
    let received = await Self.received(link, of: 2_000, stack: small) { tree[$0] }
    let expected = await Self.received(link, of: 2_000, stack: 256 << 20) { tree[$0] }
    #expect(received == expected, "TIDINGS_SEED=\(seed)")
  }

  @Test("A ring of 1,000 events is stopped by its depth and reported", arguments: Link.allCases)
  func ring(_ link: Link) async {
    if link == .once || link == .localOnce { return }  // used up after one round
    let reports = Reports(about: Set((0..<1_000).map { "link \($0)" }))
    let received = await Self.received(link, of: 1_000, stack: Threads.smallStack) { [($0 + 1) % 1_000] }
    #expect(received.count >= 9_000)
    #expect(received == (0..<received.count).map { $0 % 1_000 })
    #expect(!reports.labels.isEmpty)
  }

  @Test(
    "If emissions nest, the first for which there is no stack is rejected and reported", arguments: [false, true])
  func immediate(_ isLocal: Bool) async {
    let (name, received) = (isLocal ? "immediate local" : "immediate", Recorder<Int>())
    let reports = Reports(about: [name])
    await Threads.elsewhere(stackSize: Threads.smallStack) {
      if isLocal {
        let events = (0..<4_000).map { _ in LocalEvent<Int>(name, policy: .immediate) }
        let tokens = events.map {
          $0.observe { value in
            received(value)
            if value < 3_999 { events[value + 1].emit(value + 1) }
          }
        }
        events[0].emit(0)
        withExtendedLifetime(tokens) {}
      } else {
        let events = (0..<4_000).map { _ in Event<Int>(name, policy: .immediate) }
        let tokens = events.map {
          $0.observe { value in
            received(value)
            if value < 3_999 { events[value + 1].emit(value + 1) }
          }
        }
        events[0].emit(0)
        withExtendedLifetime(tokens) {}
      }
    }
    #expect(received.values.count > 8)
    #expect(received.values == Array(0..<received.values.count))
    #expect(reports.labels == [[name]])
  }
}
