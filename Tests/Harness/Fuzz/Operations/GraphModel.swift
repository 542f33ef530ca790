/// The plain model of values: recomputed at each read.
struct GraphModel {
  enum Formula: CaseIterable { case sum, branch, guarded, mapped, combined, chained }
  enum Node {
    case source(isDistinct: Bool)
    case derived(Formula, [Int])
  }

  private(set) var nodes: [Node] = []
  private var written: [Int] = []
  /// The writes of the open transaction, the latest last.
  private(set) var pending: [(source: Int, value: Int)]?

  mutating func add(_ node: Node, _ value: Int = 0) {
    nodes.append(node)
    written.append(value)
  }

  var sources: [Int] { nodes.indices.filter { if case .source = nodes[$0] { true } else { false } } }
  func isSource(_ node: Int) -> Bool { if case .source = nodes[node] { true } else { false } }

  func value(of node: Int) -> Int { values[node] }
  /// Each computed once, from those before it: what a node reads was made earlier.
  var values: [Int] {
    var values: [Int] = []
    for (index, node) in nodes.enumerated() {
      switch node {
      case .source: values.append(latest(of: index))
      case .derived(let formula, let inputs): values.append(formula.value { values[inputs[$0]] })
      }
    }
    return values
  }
  private func latest(of source: Int) -> Int { pending?.last { $0.source == source }?.value ?? written[source] }

  /// The sources that have changed.
  mutating func write(_ value: Int, to source: Int) -> [Int] {
    if pending != nil {
      pending?.append((source, value))
      return []
    }
    pending = [(source, value)]
    return commit()
  }

  mutating func begin() { pending = [] }
  mutating func undo(to mark: Int) { pending = pending.map { Array($0.prefix(mark)) } }
  mutating func discard() { pending = nil }
  mutating func commit() -> [Int] {
    var changed: [Int] = []
    for source in sources where pending?.contains(where: { $0.source == source }) == true {
      let new = latest(of: source)
      if case .source(isDistinct: true) = nodes[source], written[source] == new { continue }
      changed.append(source)
      written[source] = new
    }
    pending = nil
    return changed
  }
}

extension GraphModel.Formula {
  var inputCount: Int {
    switch self {
    case .sum, .branch: 3
    case .guarded, .combined, .chained: 2
    case .mapped: 1
    }
  }
  func value(_ read: (Int) -> Int) -> Int {
    switch self {
    case .sum: (read(0) + read(1) + read(2)) % 7
    case .branch: read(0) % 2 == 0 ? read(1) : read(2)
    case .guarded: read(0) > 2 ? read(1) : 0
    case .mapped: (read(0) + 1) % 5
    case .combined: (read(0) * 3 + read(1)) % 7
    case .chained: read(read(0) > 3 ? 0 : 1)
    }
  }
}
