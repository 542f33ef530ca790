import Foundation
import Tidings
import TidingsTesting

/// Several threads that write to, read and watch one random graph; when they are done it must be what the oracle computes.
final class GraphStress: Sendable {
  private struct Regret: Error {}

  let problems = Problems()
  private let seed: UInt64
  private let threads: Int
  private let nodes: [GraphNode]
  private let policies: [GraphModel.Policy]
  private let plan: [(formula: Formula, inputs: [Int])]
  /// How often each source was, and how often anything was, written by a thread; notifications may be fewer.
  private let writes: Locked<[Int]>
  private let commits = Locked(0)

  init(_ seed: UInt64) {
    self.seed = seed
    var random = SplitMix64(seed)
    threads = 2 + random.number(below: 2)
    let limit = [8, 20, 60, 200][random.number(below: 4)]
    let count = 1 + limit / 6
    policies = (0..<count).map { _ in GraphModel.Policy.allCases[random.number(below: 3)] }
    let found = problems
    var nodes = policies.map { GraphNode.source(Observed(random.number(below: 7), changes: $0.ofLibrary)) }
    var plan: [(formula: Formula, inputs: [Int])] = []
    var hidden: Set<Int> = []
    func add(_ formula: Formula, _ inputs: [Int]) {
      nodes.append(Self.make(formula, inputs.map { nodes[$0] }, found))
      plan.append((formula, inputs))
    }
    while nodes.count < limit {
      let formula = Formula.allCases[random.number(below: Formula.allCases.count)]
      let seen = nodes.indices.filter { !hidden.contains($0) }
      if formula == .guarded || formula == .behindGuard {
        let origin = seen[random.number(below: seen.count)]
        add(.isSome, [origin])
        hidden.insert(nodes.count)
        add(.behindGuard, [origin])
        add(.guarded, [nodes.count - 2, nodes.count - 1])
      } else {
        add(
          formula,
          (0..<formula.inputCount(&random)).map { _ in
            let young = random.isOne(in: 2) ? min(4, seen.count) : seen.count
            return seen[seen.count - 1 - random.number(below: young)]
          })
      }
    }
    self.nodes = nodes
    self.plan = plan
    writes = Locked(Array(repeating: 0, count: count))
  }

  private static func make(_ formula: Formula, _ inputs: [GraphNode], _ problems: Problems) -> GraphNode {
    .derived(
      Derived {
        let value = formula.value(of: inputs.count) { inputs[$0].value }
        if formula == .behindGuard, value == 0, Here.now?.isMid != true { problems("computed after its guard") }
        return value
      })
  }

  /// What the oracle says that may be read: not what is after a guard.
  private var open: [Int] {
    nodes.indices.filter { $0 < policies.count || plan[$0 - policies.count].formula != .behindGuard }
  }

  func run() async {
    var random = SplitMix64(seed, 1)
    let lasting = open.filter { _ in random.isOne(in: 3) }.map { node in
      let (name, isDerived) = ("\(node)", node >= policies.count)
      let watch = Watch<Int>(name, problems, isDistinct: isDerived, first: nodes[node].value)
      return (node, watch, nodes[node].observe(initial: false, watch.receives))
    }
    let ended = Locked(0)
    await Threads.together(threads) { thread in
      _ = Here.with { self.work(thread, $0) }
      ended.withLock { $0 += 1 }
    }
    guard ended.current == threads else { return problems("a thread is stuck") }
    // A task may still be delivering for the threads.
    _ = await eventually { !lasting.contains { $0.1.last != nodes[$0.0].value } }

    let expected = compute()
    var invariants = InvariantsCheck()
    for node in nodes { node.check(&invariants) }
    if !invariants.broken.isEmpty { return problems("invariants: \(invariants.broken)") }
    for node in open where nodes[node].value != expected[node] {
      problems("\(node) is \(nodes[node].value), not \(expected[node])")
    }
    for (node, watch, token) in lasting {
      let limit = node < policies.count ? writes.current[node] : commits.current
      if watch.last != expected[node] {
        problems("\(node) last received \(watch.last ?? -1), not \(expected[node])")
      }
      if watch.count > limit { problems("\(node) is notified \(watch.count) times for \(limit) changes") }
      token.cancel()
    }
  }

  /// Everything again from what the sources are now.
  private func compute() -> [Int] {
    let model = GraphModel()
    for (source, policy) in zip(nodes, policies) { model.addSource(source.value, policy) }
    for (formula, inputs) in plan { model.addDerived(formula, inputs) }
    return model.state.values
  }

  private func work(_ thread: Int, _ here: Here) {
    var random = SplitMix64(seed, thread + 2)
    let open = open
    func any() -> GraphNode { nodes[open[random.number(below: open.count)]] }
    var watches: [(Watch<Int>, Subscription)] = []
    for step in 0..<200 {
      guard problems.isEmpty else { return }
      switch random.number(below: 20) {
      case 0..<7:
        commits.withLock { $0 += 1 }
        let source = random.number(below: policies.count)
        writes.withLock { $0[source] += 1 }
        write(source, &random)
      case 7..<12: writeSeveral(&random, here)
      case 12..<15: _ = any().value
      case 15:
        let own = Derived { [nodes = [any(), any()]] in nodes[0].value + nodes[1].value }
        _ = own.value
        watch(.derived(own), "own of \(thread).\(step)", true, &random, &watches)
      default: watch(any(), "watched by \(thread).\(step)", false, &random, &watches)
      }
      if watches.count > 4 {
        let (watch, token) = watches.remove(at: random.number(below: watches.count))
        token.cancel()
        watch.isCancelled()
      }
    }
    for (_, token) in watches { token.cancel() }
  }

  private func watch(
    _ node: GraphNode, _ name: String, _ isDistinct: Bool, _ random: inout SplitMix64,
    _ watches: inout [(Watch<Int>, Subscription)]
  ) {
    let isInitial = random.isOne(in: 2)
    let kind = node.asSource == nil ? "derived" : "source"
    let watch = Watch<Int>("\(name), \(kind)\(isInitial ? ", initial" : "")", problems, isDistinct: isDistinct)
    watches.append((watch, node.observe(initial: isInitial, watch.receives)))
  }

  private func write(_ source: Int, _ random: inout SplitMix64) {
    let value = random.number(below: 7)
    if random.isOne(in: 2) {
      nodes[source].asSource?.set(value)
    } else {
      nodes[source].asSource?.update { $0 = ($0 + value) % 7 }
    }
  }

  private func writeSeveral(_ random: inout SplitMix64, _ here: Here) {
    let sources = (0..<(1 + random.number(below: 4))).map { _ in random.number(below: policies.count) }
    let throwing = random.isOne(in: 6)
    if !throwing {
      commits.withLock { $0 += 1 }
      writes.withLock { writes in for source in Set(sources) { writes[source] += 1 } }
    }
    here.isMid = true
    try? transaction {
      for source in sources {
        if random.isOne(in: 4) {
          transaction { write(source, &random) }
        } else {
          write(source, &random)
        }
        if random.isOne(in: 6) { _ = nodes[open[random.number(below: open.count)]].value }
      }
      here.isMid = false
      if throwing { throw Regret() }
    }
  }
}
