import Testing
import Tidings
import TidingsTesting

extension DeinitsBesideNotificationsTests {
  /// A place where the engine destroys a value while notifications are pending.
  struct Place: Sendable {
    let name: String
    let makeGraph: @Sendable () -> WatchedGraph
    let run: @Sendable (WatchedGraph) -> Void
    init(
      _ name: String, in makeGraph: @escaping @Sendable () -> WatchedGraph = { WatchedGraph() },
      _ run: @escaping @Sendable (WatchedGraph) -> Void
    ) { (self.name, self.makeGraph, self.run) = (name, makeGraph, run) }
    private static let unarmed: @Sendable () -> WatchedGraph = { WatchedGraph(isArmed: false) }
    private static let comparing: @Sendable () -> WatchedGraph = { WatchedGraph(.by { $0.number == $1.number }) }

    static let all = [
      Place("set") { $0.source.set(WatchedGraph.Held(1)) },
      Place("set of a source that has a handler") { world in
        let token = world.source.observe { _ in }
        world.source.set(WatchedGraph.Held(1))
        withExtendedLifetime(token) {}
      },
      Place("set of a source that has two handlers, one of which sets another source") { world in
        let tokens = [world.source.observe { _ in world.second.set(1) }, world.source.observe { _ in }]
        world.source.set(WatchedGraph.Held(1))
        withExtendedLifetime(tokens) {}
      },
      Place("set of a source that a handler of its derived value sets again") { world in
        let token = world.twice.observe { if $0.new == 2 { world.second.set(1) } }
        world.source.set(WatchedGraph.Held(1))
        withExtendedLifetime(token) {}
      },
      Place("set of a source with a policy", in: comparing) {
        $0.source.set(WatchedGraph.Held(1))
      },
      Place("update") { world in world.source.update { $0 = WatchedGraph.Held(1) } },
      Place("update of a source that has a handler") { world in
        let token = world.source.observe { _ in }
        world.source.update { $0 = WatchedGraph.Held(1) }
        withExtendedLifetime(token) {}
      },
      Place("set of a source with a handler of `willChange`") { world in
        let token = world.source.willChange.observe { _ in }
        world.source.set(WatchedGraph.Held(1))
        withExtendedLifetime(token) {}
      },
      Place("transaction") { world in
        transaction {
          world.source.set(WatchedGraph.Held(1))
          world.second.set(1)
        }
      },
      Place("transaction over sources that have handlers") { world in
        let tokens = [world.source.observe { _ in }, world.second.observe { _ in }]
        transaction {
          world.source.set(WatchedGraph.Held(1))
          world.second.set(1)
        }
        withExtendedLifetime(tokens) {}
      },
      Place("set of a source that another thread reads in its own graph") { world in
        let own = Observed(0)
        let sum = Derived { own.value + world.source.value.number }
        Threads.elsewhere { _ = sum.value }
        world.source.set(WatchedGraph.Held(1))
        #expect(sum.value == 1)
      },
      Place("set in a handler of another value") { world in
        let outer = Observed(0)
        let token = outer.observe { _ in world.source.set(WatchedGraph.Held(1)) }
        outer.set(1)
        withExtendedLifetime(token) {}
      },
      Place("set in a handler of the same value") { world in
        let token = world.source.observe { if $0.new.number == 1 { world.source.set(WatchedGraph.Held(2)) } }
        world.source.set(WatchedGraph.Held(1))
        withExtendedLifetime(token) {}
      },
      Place("set while another thread computes what reads the source") { world in
        let (entered, proceed) = (Gate(), Gate())
        let slow = Derived { () -> Int in
          let number = world.source.value.number
          entered.open()
          proceed.wait()
          return number
        }
        let ended = Gate()
        Threads.start {
          _ = slow.value
          ended.open()
        }
        entered.wait()
        world.source.set(WatchedGraph.Held(1))
        proceed.open()
        ended.wait()
      },
      Place("cancelling of a handler, by a handler of the source", in: unarmed) { world in
        let token = Locked<Subscription?>(nil)
        let held = world.held()
        token.current = world.twice.observe { _ in held.touch() }
        _ = consume held
        let other = world.source.observe { _ in token.current = nil }
        world.source.set(WatchedGraph.Held(1))
        withExtendedLifetime(other) {}
      },
      Place("release of a derived value, by a handler of the source", in: unarmed) { world in
        let kept = Locked<Derived<Int>?>(nil)
        kept.current = { (held: WatchedGraph.Held) in
          Derived {
            held.touch()
            return world.second.value
          }
        }(world.held())
        _ = kept.current?.value
        let token = world.source.observe { _ in kept.current = nil }
        world.source.set(WatchedGraph.Held(1))
        withExtendedLifetime(token) {}
      },
      Place("recomputation of a derived value that holds it", in: unarmed) { world in
        let made = Locked(false)
        let holding = Derived { () -> WatchedGraph.Held in
          _ = world.second.value
          return made.withLock { isMade in
            defer { isMade = true }
            return isMade ? WatchedGraph.Held(1) : world.held()
          }
        }
        let token = holding.observe { _ in }
        world.second.set(1)
        world.second.set(2)
        withExtendedLifetime(token) {}
      },
    ]
  }
}
