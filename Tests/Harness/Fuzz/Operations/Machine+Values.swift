@testable import Tidings

enum LibraryNode: Sendable {
  case source(Observed<Int>)
  case derived(Derived<Int>)

  var value: Int {
    switch self {
    case .source(let source): source.value
    case .derived(let derived): derived.value
    }
  }
  /// Returns the engine's invariants that do not hold in its graph, except for the nodes that are already known.
  func brokenInvariants(except known: inout Set<NodePointer>) -> [String] {
    switch self {
    case .source(let source): source.cell.brokenInvariants(except: &known)
    case .derived(let derived): derived.cell.brokenInvariants(except: &known)
    }
  }
  var readOnly: ReadOnly<Int> {
    switch self {
    case .source(let source): source.readOnly
    case .derived(let derived): ReadOnly(derived)
    }
  }
}

/// A handler of a value: the values it was notified of are an unbroken chain that ends with the current one.
final class ValueObserver {
  let node: Int
  var last: Int
  var count = 0
  var isEnded = false
  var token: Subscription?
  init(_ node: Int, _ last: Int) { (self.node, self.last) = (node, last) }
}

private struct Regret: Error {}

extension Machine {
  func operateOnValues() {
    // Another transaction's body or a closure that is being computed is no place for these.
    if graph.pending != nil { return }
    let before = graph.values
    let isOutermost = delivering.isEmpty
    if isOutermost {
      wroteInHandler = false
      for observer in observers { observer.count = 0 }
    } else {
      wroteInHandler = true
    }
    switch bytes.number(below: 12) {
    case 0..<4: checkCounts(before, write(), isOutermost)
    case 4, 5: checkCounts(before, inTransaction(), isOutermost)
    case 6: read()
    case 7: makeDerived()
    case 8, 9: observe()
    case 10:
      guard !observers.isEmpty else { return }
      let observer = observers.remove(at: bytes.number(below: observers.count))
      observer.isEnded = true
      if bytes.isOne(in: 2) { observer.token?.cancel() } else { observer.token = nil }
    default: if graph.sources.count < 8 { makeSource(bytes.number(below: 7)) }
    }
  }

  func checkInvariants() {
    var known: Set<NodePointer> = []
    let broken = nodes.flatMap { $0.brokenInvariants(except: &known) }
    expect(broken.isEmpty, "invariants: \(broken)")
  }

  func makeSource(_ value: Int) {
    let isDistinct = bytes.isOne(in: 2)
    nodes.append(.source(Observed(value, changes: isDistinct ? .distinct : .every)))
    graph.add(.source(isDistinct: isDistinct), value)
  }

  private func makeDerived() {
    guard nodes.count < 40 else { return }
    let formulas = GraphModel.Formula.allCases
    let formula = formulas[bytes.number(below: formulas.count)]
    let inputs = (0..<formula.inputCount).map { _ in
      bytes.isOne(in: 2) ? bytes.number(below: nodes.count) : nodes.count - 1 - bytes.number(below: min(3, nodes.count))
    }
    let read = inputs.map { nodes[$0].readOnly }
    let captured = Captured()
    let derived: Derived<Int>
    switch formula {
    case .mapped: derived = read[0].map { ($0 + 1) % 5 }
    case .combined:
      let both = combine(read[0], read[1])
      derived = both.map { ($0 * 3 + $1) % 7 }
    case .chained: derived = read[0].chain { [a = read[0], b = read[1]] in $0 > 3 ? a : b }
    default:
      derived = Derived {
        captured.touch()
        return formula.value { read[$0].value }
      }
    }
    nodes.append(.derived(derived))
    graph.add(.derived(formula, inputs))
  }

  private func anySource() -> Int { graph.sources[bytes.number(below: graph.sources.count)] }

  private func write() -> [Int] {
    let (source, value) = (anySource(), bytes.number(below: 7))
    guard case .source(let observed) = nodes[source] else { return [] }
    if bytes.isOne(in: 2) {
      let changed = graph.write((graph.value(of: source) + value) % 7, to: source)
      observed.update { $0 = ($0 + value) % 7 }
      return changed
    }
    let changed = graph.write(value, to: source)
    observed.set(value)
    return changed
  }

  private func inTransaction() -> [Int] {
    var changed: [Int] = []
    graph.begin()
    do throws(Regret) {
      try transaction { () throws(Regret) in
        try writeSeveral(depth: 0)
        changed = graph.commit()
      }
    } catch {
      expect(graph.pending == nil, "a transaction has thrown twice")
    }
    return changed
  }

  private func writeSeveral(depth: Int) throws(Regret) {
    for _ in 0..<(1 + bytes.number(below: 4)) {
      switch bytes.number(below: 8) {
      case 0 where depth < 3:
        let mark = graph.pending?.count ?? 0
        do throws(Regret) {
          try transaction { () throws(Regret) in try writeSeveral(depth: depth + 1) }
        } catch {
          graph.undo(to: mark)
        }
      case 1: read()
      default: _ = write()
      }
    }
    guard bytes.isOne(in: 7) else { return }
    if depth == 0 { graph.discard() }
    throw Regret()
  }

  private func read() {
    let node = bytes.number(below: nodes.count)
    let (found, right) = (nodes[node].value, graph.value(of: node))
    expect(found == right, "\(node) is read as \(found), not \(right)")
  }

  private func observe() {
    guard observers.count < 60 else { return }
    let node = bytes.number(below: nodes.count)
    let observer = ValueObserver(node, graph.value(of: node))
    let (box, captured, initial) = (Unchecked(observer), Captured(), bytes.isOne(in: 2))
    let handler: @Sendable (Change<Int>) -> Void = { [unowned self] change in
      captured.touch()
      guard let observer = box.object else { return expect(false, "a handler is called after its end") }
      notified(observer, change)
    }
    switch (nodes[node], initial) {
    case (.source(let source), true): observer.token = source.observe(.initial, handler)
    case (.source(let source), false): observer.token = source.observe(handler)
    case (.derived(let derived), true): observer.token = derived.observe(.initial, handler)
    case (.derived(let derived), false): observer.token = derived.observe(handler)
    }
    observer.count = 0
    observers.append(observer)
  }

  private func notified(_ observer: ValueObserver, _ change: Change<Int>) {
    expect(!observer.isEnded, "a handler of \(observer.node) is called after its end")
    guard let old = change.old else {
      return expect(change.new == observer.last, "initially \(change.new), not \(observer.last)")
    }
    expect(
      old == observer.last, "the chain of \(observer.node) is broken: \(observer.last), then \(old) to \(change.new)")
    if !graph.isSource(observer.node) { expect(old != change.new, "notified of no difference") }
    observer.last = change.new
    observer.count += 1
    guard allowance > 0, bytes.isOne(in: 4) else { return }
    allowance -= 1
    if bytes.isOne(in: 2) { return read() }
    wroteInHandler = true
    _ = write()
  }

  /// Exactly one notification of what has changed, and none of what has not; unless handlers have written as well.
  private func checkCounts(_ before: [Int], _ changed: [Int], _ isOutermost: Bool) {
    guard isOutermost, !wroteInHandler else { return }
    let after = graph.values
    for observer in observers {
      let node = observer.node
      let isChange = graph.isSource(node) ? changed.contains(node) : before[node] != after[node]
      expect(observer.count == (isChange ? 1 : 0), "a handler of \(node) is called \(observer.count) times")
    }
  }

  func checkValues() {
    for observer in observers {
      let now = graph.value(of: observer.node)
      expect(observer.last == now, "a handler of \(observer.node) was last notified of \(observer.last), not \(now)")
    }
  }
}
