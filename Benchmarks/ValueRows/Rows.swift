/// One row: `make` is called once for each thread, with its index, before any is measured; what it returns is one operation.
struct Row {
  let name: String
  /// Operations in a pass.
  let count: Int
  let make: (_ thread: Int) -> (Int) -> Void
}

/// A sum that keeps the compiler from leaving anything out. In lines of its own.
final class Sum: @unchecked Sendable {
  var value = 0
  private let padding = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

/// The rows of an engine. Where no handler is named, each change is pulled. The handlers of the engine with read marks are a stand-in.
func rows<E: Engine>(_: E.Type) -> [Row] {
  let shared = E.source(7)
  let sharedDerived = E.derived { E.get(shared) &* 3 }
  _ = E.get(sharedDerived)
  @Sendable func chain(_ length: Int, over other: @escaping @Sendable () -> Int) -> (E.S, E.D) {
    let source = E.source(0)
    var last = E.derived { E.get(source) &+ other() }
    for _ in 1..<length {
      let below = last
      last = E.derived { E.get(below) &+ 1 }
    }
    return (source, last)
  }
  func pulled(_ made: (E.S, E.D)) -> (Int) -> Void {
    let sum = Sum()
    return {
      E.set(made.0, $0 &* 7 &+ 1)
      sum.value &+= E.get(made.1)
    }
  }
  return [
    Row(name: "read own", count: 400_000) { _ in
      let (source, sum) = (E.source(7), Sum())
      return { _ in sum.value &+= E.get(source) }
    },
    Row(name: "read shared derived", count: 400_000) { _ in
      let sum = Sum()
      return { _ in sum.value &+= E.get(sharedDerived) }
    },
    Row(name: "set", count: 200_000) { _ in
      let source = E.source(0)
      return { E.set(source, $0) }
    },
    Row(name: "update", count: 200_000) { _ in
      let source = E.source(0)
      return { _ in E.increment(source) }
    },
    Row(name: "set, 100 stale", count: 5_000) { _ in
      let source = E.source(0)
      let all = (0..<100).map { index in E.derived { E.get(source) &+ index } }
      for one in all { _ = E.get(one) }
      return { number in withExtendedLifetime(all) { E.set(source, number) } }
    },
    Row(name: "set, pull", count: 50_000) { _ in
      let source = E.source(0)
      return pulled((source, E.derived { E.get(source) &+ 1 }))
    },
    Row(name: "diamond", count: 20_000) { _ in
      let source = E.source(0)
      let (one, other) = (E.derived { E.get(source) &+ 1 }, E.derived { E.get(source) &* 2 })
      return pulled((source, E.derived { E.get(one) &+ E.get(other) }))
    },
    Row(name: "wide 1-100-1", count: 500) { _ in
      let source = E.source(0)
      let all = (0..<100).map { index in E.derived { E.get(source) &+ index } }
      return pulled((source, E.derived { all.reduce(0) { $0 &+ E.get($1) } }))
    },
    Row(name: "deep 1000", count: 100) { _ in pulled(chain(1_000) { 1 }) },
    Row(name: "all of 4, pull", count: 20_000) { _ in
      let (all, sum) = ((0..<4).map { E.source($0) }, Sum())
      let total = E.derived { E.get(all[0]) &+ E.get(all[1]) &+ E.get(all[2]) &+ E.get(all[3]) }
      return {
        E.set(all, $0 &* 7 &+ 1)
        sum.value &+= E.get(total)
      }
    },
    Row(name: "make, read, drop", count: 20_000) { _ in
      let (source, sum) = (E.source(1), Sum())
      return { number in sum.value &+= E.get(E.derived { E.get(source) &+ number }) }
    },
    Row(name: "chain of 10", count: 5_000) { _ in pulled(chain(10) { 1 }) },
    Row(name: "chain of 10 over a shared source", count: 5_000) { _ in pulled(chain(10) { E.get(shared) }) },
    Row(name: "chain of 10 over a shared derived", count: 5_000) { _ in
      pulled(chain(10) { E.get(sharedDerived) })
    },
    Row(name: "the same, the source set by one in 1,000", count: 5_000) { thread in
      let pull = pulled(chain(10) { E.get(shared) })
      return {
        if thread == 0, $0 % 1_000 == 0 { E.set(shared, $0) }
        pull($0)
      }
    },
    Row(name: "update of one shared value", count: 50_000) { _ in { _ in E.increment(shared) } },
    Row(name: "set, 1 handler", count: 100_000) { _ in
      let (source, sum) = (E.source(0), Sum())
      let token = E.observe(source) { sum.value &+= $0 }
      return { number in withExtendedLifetime(token) { E.set(source, number) } }
    },
    Row(name: "diamond, 1 handler", count: 20_000) { _ in
      let (source, sum) = (E.source(0), Sum())
      let (one, other) = (E.derived { E.get(source) &+ 1 }, E.derived { E.get(source) &* 2 })
      let token = E.observe(E.derived { E.get(one) &+ E.get(other) }) { sum.value &+= $0 }
      return { number in withExtendedLifetime(token) { E.set(source, number) } }
    },
    Row(name: "wide 1-100, each 1 handler", count: 500) { _ in
      let (source, sum) = (E.source(0), Sum())
      let tokens = (0..<100).map { index in
        E.observe(E.derived { E.get(source) &+ index }) { sum.value &+= $0 }
      }
      return { number in withExtendedLifetime(tokens) { E.set(source, number) } }
    },
  ]
}
