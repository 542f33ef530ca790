/// The oracle: a graph of values that is recomputed, all of it, at every question after a write.
final class GraphModel {
  enum Policy: CaseIterable {
    case every, distinct, halves

    func isChange(_ old: Int, _ new: Int) -> Bool {
      switch self {
      case .every: true
      case .distinct: old != new
      case .halves: old / 2 != new / 2
      }
    }
  }
  struct State {
    /// By number, sources and derived alike.
    var values: [Int] = []
    /// The inputs that each node reads, in order, to have that value.
    var reads: [[Int]] = []
  }
  private enum Node {
    case source(Policy)
    case derived(Formula, [Int])
  }

  private var nodes: [Node] = []
  /// The written values of the sources; zero for other nodes.
  private var written: [Int] = []
  /// The writes of the transaction, in order.
  private(set) var pending: [(source: Int, value: Int)]?
  private var known: State?
  /// Counts changes. A value with a stamp above that of a computation has changed since.
  private(set) var clock = 0
  private(set) var stamps: [Int] = []

  var count: Int { nodes.count }

  /// Everything, as this thread sees it now.
  var state: State {
    if let known { return known }
    var state = State()
    for (number, node) in nodes.enumerated() {
      switch node {
      case .source:
        state.values.append(pending?.last { $0.source == number }?.value ?? written[number])
        state.reads.append([])
      case .derived(let formula, let inputs):
        var reads: [Int] = []
        let value = formula.value(of: inputs.count) { input in
          reads.append(inputs[input])
          return state.values[inputs[input]]
        }
        state.values.append(value)
        state.reads.append(reads)
      }
    }
    known = state
    return state
  }

  func addSource(_ value: Int, _ policy: Policy) { add(.source(policy), value) }
  func addDerived(_ formula: Formula, _ inputs: [Int]) { add(.derived(formula, inputs), 0) }

  private func add(_ node: Node, _ value: Int) {
    nodes.append(node)
    written.append(value)
    stamps.append(clock)
    known = nil
  }

  func policy(of number: Int) -> Policy? {
    if case .source(let policy) = nodes[number] { policy } else { nil }
  }
  func inputs(of number: Int) -> [Int] {
    if case .derived(_, let inputs) = nodes[number] { inputs } else { [] }
  }

  /// Writes outside any transaction, or in the one that is open. What changed outside is in the answer.
  @discardableResult
  func write(_ value: Int, to source: Int) -> [Int] {
    // In a transaction what was before it is compared with what is after it.
    if pending != nil {
      pending?.append((source, value))
      known = nil
      return []
    }
    guard let policy = policy(of: source), policy.isChange(state.values[source], value) else { return [] }
    pending = [(source, value)]
    known = nil
    return commit()
  }

  func begin() { pending = [] }

  /// Takes back what was written since `mark` writes had been.
  func undo(to mark: Int) {
    pending = pending.map { Array($0.prefix(mark)) }
    known = nil
  }

  func discard() {
    pending = nil
    known = nil
  }

  /// The sources that have changed, in the order in which they were first written.
  func commit() -> [Int] {
    let writes = pending ?? []
    let after = state
    pending = nil
    known = nil
    let before = state
    clock += 1
    var changed: [Int] = []
    for (source, _) in writes where !changed.contains(source) {
      if let policy = policy(of: source), policy.isChange(before.values[source], after.values[source]) {
        changed.append(source)
      }
    }
    for source in changed {
      written[source] = after.values[source]
      stamps[source] = clock
    }
    known = nil
    for (number, value) in state.values.enumerated() where value != before.values[number] { stamps[number] = clock }
    return changed
  }
}
