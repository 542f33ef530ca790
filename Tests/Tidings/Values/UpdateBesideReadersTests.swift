import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

@Suite("20. An `update` beside threads that only read")
struct UpdateBesideReadersTests {
  @Test("Its closure runs once, though another thread reads the value in a graph of its own meanwhile")
  func replicated() {
    let (source, runs) = (Observed(1), Tally())
    let home = Derived { source.value * 10 }
    _ = home.value
    let own = Observed(100)
    let sum = Derived { own.value + source.value }
    source.update {
      runs.add(1)
      if runs.total == 1 { Threads.elsewhere { _ = sum.value } }
      $0 += 1
    }
    #expect(runs.total == 1)
    #expect(Graph.root(of: sum.cell.node) != Graph.root(of: source.cell.node), "it has a replica")
    #expect([source.value, home.value, sum.value] == [2, 20, 102])
  }

  @Test("Its closure runs again where a handler of `willChange` was added meanwhile, which is called before the change")
  func willChange() {
    let (source, runs, seen) = (Observed(1), Tally(), Recorder<[Int]>())
    let tokens = Locked<[Subscription]>([])
    source.update {
      runs.add(1)
      if runs.total == 1 {
        Threads.elsewhere {
          let token = source.willChange.observe { seen([$0.old!, $0.new]) }
          tokens.withLock { $0.append(token) }
        }
      }
      $0 += 1
    }
    #expect(source.value == 2)
    source.set(3)
    #expect(seen.values.last == [2, 3])
  }

  @Test("An update's closure runs once, also if other threads read, observe and drop values")
  func readers() async {
    let (source, runs, isOver, other) = (Observed(0), Tally(), Locked(false), Observed(0))
    let shared = Derived { source.value * 2 }
    _ = shared.value
    let updates = 3_000
    await Threads.together(3) { thread in
      guard thread > 0 else {
        for _ in 0..<updates {
          source.update {
            runs.add(1)
            $0 += 1
          }
        }
        isOver.current = true
        return
      }
      while !isOver.current {
        let own = Observed(1)
        let sum = Derived { own.value + source.value }
        _ = (sum.value, source.value, shared.value)
        let token = thread == 1 ? shared.observe { _ in } : source.observe { _ in }
        if thread == 1 { transaction { other.set(source.value) } }
        withExtendedLifetime(token) {}
      }
    }
    #expect(source.value == updates)
    #expect(runs.total == updates)
  }
}
