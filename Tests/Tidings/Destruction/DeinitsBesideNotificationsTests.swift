import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

/// The engine destroys a user's value while notifications of the same thread are pending. The test combines every place where this
/// happens with every action of the value's `deinit`.
///
/// The pending notifications are those of one graph, and the `deinit` uses values of another graph. The two must stay apart. A
/// thread that resolved the first under the lock of the second would change nodes that other threads have locked.
@Suite("15, 18. What a `deinit` does while notifications of its thread are pending")
struct DeinitsBesideNotificationsTests {
  /// In a process of its own: what a thread of another test computes may keep a value longer.
  @Test("takes effect and keeps the graphs apart, and pending notifications are delivered: every place, every action")
  func everywhere() async {
    await #expect(processExitsWith: .success) {
      for place in Place.all {
        for action in Action.all { DeinitsBesideNotificationsTests.check(place, action) }
      }
    }
  }
  private static func check(_ place: Place, _ action: Action) {
    let (world, target, cell) = (place.makeGraph(), OtherGraph(), Comment(rawValue: "\(place.name): \(action.name)"))
    world.arm { action.run(target) }
    place.run(world)

    #expect(world.runs == 1, cell)
    #expect(world.received.values.last == world.twice.value, cell)
    #expect(world.twice.value == world.source.value.number * 2 + world.second.value, cell)
    #expect(target.twice.value == target.source.value * 2, cell)
    #expect(action.effect(target) == action.expected, cell)
    #expect(!target.isConnected(to: world), cell)
    #if DEBUG
    #expect(world.twice.cell.brokenInvariants() == [], cell)
    #expect(target.twice.cell.brokenInvariants() == [], cell)
    #endif
  }

  @Test("A value that a `deinit` sets in a transaction's graph is notified after all sources of the transaction")
  func order() async {
    await #expect(processExitsWith: .success) {
      let (world, order, third) = (WatchedGraph(), Recorder<String>(), Observed(0))
      let sum = Derived { third.value + world.second.value }
      let tokens = [
        world.source.observe { _ in order("source") }, world.second.observe { _ in order("second") },
        world.twice.observe { _ in order("derived") }, sum.observe { order("sum \($0.new)") },
      ]
      world.arm { third.set(1) }
      transaction {
        world.source.set(WatchedGraph.Held(1))
        world.second.set(1)
      }
      #expect(order.values == ["source", "second", "derived", "sum 2"])
      withExtendedLifetime(tokens) {}
    }
  }
}

extension DeinitsBesideNotificationsTests {
  /// A graph with a watched value. A `deinit` that is armed belongs to the first value of `source`, or to what a place holds.
  final class WatchedGraph: Sendable {
    final class Held: Sendable {
      let number: Int
      private let onEnd: (@Sendable () -> Void)?
      init(_ number: Int, _ onEnd: (@Sendable () -> Void)? = nil) { (self.number, self.onEnd) = (number, onEnd) }
      deinit { onEnd?() }
      func touch() {}
    }
    let source: Observed<Held>
    let second = Observed(0)
    let twice: Derived<Int>
    let received = Recorder<Int>()
    private let token: Subscription
    private let action = Locked<(@Sendable () -> Void)?>(nil)
    private let tally = Tally()
    var runs: Int { tally.total }

    /// - Parameter isArmed: The `deinit` is that of the first value of `source`.
    init(_ changes: ChangePolicy<Held> = .every, isArmed: Bool = true) {
      let received = received
      source = Observed(isArmed ? Self.held(action, tally) : Held(0), changes: changes)
      twice = Derived { [source, second] in source.value.number * 2 + second.value }
      token = twice.observe { received($0.new) }
    }
    func arm(_ run: @escaping @Sendable () -> Void) { action.current = run }
    /// For another place than the source.
    func held() -> Held { Self.held(action, tally) }
    private static func held(_ action: Locked<(@Sendable () -> Void)?>, _ tally: Tally) -> Held {
      Held(0) {
        guard let run = action.current else { return }
        tally.add(1)
        run()
      }
    }
  }

  /// A graph that has nothing to do with the one of the notifications: a source and what was derived from it, without handlers.
  final class OtherGraph: Sendable {
    let source = Observed(0)
    let twice: Derived<Int>
    let alone = Observed(0)
    let observed = Observed(0)
    let observedTwice: Derived<Int>
    let received = Recorder<Int>()
    let event = Event<Int>()
    let dropped: Locked<Derived<Int>?>
    let canaries = Canaries()
    let tokens: Locked<[Subscription]>

    init() {
      let (source, observed, received) = (source, observed, received)
      twice = Derived { source.value * 2 }
      observedTwice = Derived { observed.value * 2 }
      let canary = canaries.make()
      dropped = Locked(
        Derived {
          canary.touch()
          return source.value
        })
      tokens = Locked([observedTwice.observe { received($0.new) }, event.observe { received($0) }])
      _ = (twice.value, dropped.current?.value)
    }
    func isConnected(to world: WatchedGraph) -> Bool {
      let root = Graph.root(of: world.twice.cell.node)
      return [twice.cell.node, source.cell.node, observedTwice.cell.node].contains { Graph.root(of: $0) == root }
    }
  }

  struct Action: Sendable {
    let name: String
    let expected: [Int]
    let run: @Sendable (OtherGraph) -> Void
    let effect: @Sendable (OtherGraph) -> [Int]
    init(
      _ name: String, _ expected: [Int], _ run: @escaping @Sendable (OtherGraph) -> Void,
      _ effect: @escaping @Sendable (OtherGraph) -> [Int]
    ) { (self.name, self.expected, self.run, self.effect) = (name, expected, run, effect) }

    static let all = [
      Action("sets a source", [1], { $0.source.set(1) }, { [$0.source.value] }),
      Action("updates a source", [1], { $0.source.update { $0 += 1 } }, { [$0.source.value] }),
      Action("sets a source that is in no graph", [1], { $0.alone.set(1) }, { [$0.alone.value] }),
      Action("sets a source whose derived value has a handler", [2], { $0.observed.set(1) }, { $0.received.values }),
      Action(
        "sets in a transaction", [1, 1],
        { target in
          transaction {
            target.source.set(1)
            target.alone.set(1)
          }
        }, { [$0.source.value, $0.alone.value] }),
      Action("emits", [3], { $0.event.emit(3) }, { $0.received.values }),
      Action("reads a derived value", [0], { $0.received($0.twice.value) }, { $0.received.values }),
      Action(
        "sets and reads", [2],
        {
          $0.source.set(1)
          $0.received($0.twice.value)
        }, { $0.received.values }),
      Action("drops a derived value", [0], { $0.dropped.current = nil }, { [$0.canaries.alive] }),
      Action(
        "observes a derived value and sets its source", [0, 2],
        { target in
          let token = target.twice.observe(.initial) { [received = target.received] in received($0.new) }
          target.tokens.withLock { $0.append(token) }
          target.source.set(1)
        }, { $0.received.values }),
      Action(
        "cancels a handler", [],
        {
          $0.tokens.current = []
          $0.observed.set(1)
        }, { $0.received.values }),
    ]
  }
}
