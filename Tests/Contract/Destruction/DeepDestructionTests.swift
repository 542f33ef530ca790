import Testing
import Tidings
import TidingsTesting

@Suite("23. No chain of destroyed captures takes the stack")
struct DeepDestructionTests {
  /// A subscription whose handler keeps another. One with an owner is not ended by dropping its token.
  enum Link: CaseIterable, Sendable {
    case plain, immediate, onActor, async, target, merge, share, observed, hook

    func subscribe(
      to source: Source, keeping kept: (any Sendable)?, _ canary: Canary
    ) -> Subscription {
      let handler: @Sendable (Int) -> Void = { _ in withExtendedLifetime((kept, canary)) {} }
      let event = self == .immediate ? source.immediate : source.serial
      return switch self {
      case .plain, .immediate: event.observe(handler)
      case .onActor: event.observe { @MainActor value in handler(value) }
      case .async: event.observe { value async in handler(value) }
      case .target: event.observe(on: .manual(source.queue), handler)
      case .merge: event.merge(Event<Int>()).observe(handler)
      case .share: event.share().observe(handler)
      case .observed: source.value.observe { handler($0.new) }
      case .hook: source.hook.handle { handler($0) }
      }
    }
  }
  final class Source: Sendable {
    let serial = Event<Int>()
    let immediate = Event<Int>(policy: .immediate)
    let value = Observed(0)
    let hook = Hook<Int, Void, Never>()
    let queue = ManualQueue()
  }

  @Test(
    "3,000 subscriptions that keep each other, to one source or to one each", arguments: Link.allCases, [false, true])
  func subscriptions(_ link: Link, toOne: Bool) async {
    let canaries = Canaries()
    await Threads.elsewhere(stackSize: Threads.smallStack) {
      let common = Source()
      var last: Subscription?
      for _ in 0..<3_000 {
        let source = toOne ? common : Source()
        last = link.subscribe(to: source, keeping: (last, source), canaries.make())
      }
      #expect(canaries.alive == 3_000)
      last = nil
      // A value destroys its captures when no other thread computes that may still read it; here those of other tests do.
      #expect(link == .observed || canaries.alive == 0, "all is destroyed when the outermost release returns")
    }
    #expect(await canaries.quiesce())
  }

  @Test("3,000 local subscriptions that keep each other", arguments: [false, true], [false, true])
  func local(isHook: Bool, toOne: Bool) async {
    let canaries = Canaries()
    await Threads.elsewhere(stackSize: Threads.smallStack) {
      let (commonEvent, commonHook) = (LocalEvent<Int>(), LocalHook<Int, Int, Never>())
      var last: LocalSubscription?
      for _ in 0..<3_000 {
        let event = toOne ? commonEvent : LocalEvent<Int>()
        let hook = toOne ? commonHook : LocalHook<Int, Int, Never>()
        let kept = (last, canaries.make(), event, hook)
        last =
          isHook
          ? hook.handle { _ in withExtendedLifetime(kept) { 0 } }
          : event.observe { _ in withExtendedLifetime(kept) {} }
      }
      #expect(canaries.alive == 3_000)
      last = nil
      #expect(canaries.alive == 0, "all is destroyed when the outermost release returns")
    }
  }

  /// Each handler ends itself; what it captured emits, or asks, when it is destroyed.
  @Test("A cycle through captures that are destroyed is stopped by its depth and reported", arguments: Cycle.allCases)
  func cycle(_ cycle: Cycle) async {
    let name = "destroyed, \(cycle)"
    let (reports, rounds) = (Reports(about: [name]), Recorder<Int>())
    await Threads.elsewhere(stackSize: Threads.smallStack) {
      let next = cycle.begin(name) { rounds(rounds.values.count) }
      next()
    }
    #expect(rounds.values.count >= 1_000)
    #expect(rounds.values.count < 60_000)
    #expect(reports.labels == [[name]])
  }
  enum Cycle: CaseIterable, Sendable {
    case event, immediate, local, localImmediate, localHook

    /// Begins a round.
    func begin(_ name: String, _ round: @escaping @Sendable () -> Void) -> () -> Void {
      switch self {
      case .event, .immediate:
        let event = Event<Int>(name, policy: self == .event ? .serial : .immediate)
        return {
          @Sendable func add() {
            let (token, bomb) = (Locked<Subscription?>(nil), DeinitCallback { event.emit(0) })
            token.current = event.observe { _ in
              withExtendedLifetime(bomb) {}
              round()
              add()
              token.withLock { $0.take() }?.cancel()
            }
          }
          add()
          event.emit(0)
        }
      case .local, .localImmediate:
        let event = LocalEvent<Int>(name, policy: self == .local ? .serial : .immediate)
        return {
          func add() {
            var token: LocalSubscription?
            let bomb = OnDeinit { event.emit(0) }
            token = event.observe { _ in
              withExtendedLifetime(bomb) {}
              round()
              add()
              token.take()?.cancel()
            }
          }
          add()
          event.emit(0)
        }
      case .localHook:
        let hook = LocalHook<Int, Int, Never>(name)
        return {
          func add() {
            var token: LocalSubscription?
            let bomb = OnDeinit { _ = hook.all(0) }
            token = hook.handle { _ in
              withExtendedLifetime(bomb) {}
              round()
              add()
              token.take()?.cancel()
              return 0
            }
          }
          add()
          _ = hook.all(0)
        }
      }
    }
  }
  private final class OnDeinit {
    private let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
    deinit { body() }
  }
}
