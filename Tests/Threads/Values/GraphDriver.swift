import Tidings
import TidingsTesting

/// Does random things to a graph of the library's and to the oracle, in one thread, and reports how they differ.
///
/// Unchecked: handlers and computations run on the thread that drives.
final class GraphDriver: @unchecked Sendable {
  /// A handler, and what it received.
  final class Observer: @unchecked Sendable {
    let node: Int
    let number: Int
    let isWill: Bool
    /// The value of the node when the handler was about to be added.
    let since: Int
    var token: Subscription?
    var last: Int?
    var hasInitial = false

    init(_ node: Int, _ number: Int, isWill: Bool, since: Int) {
      (self.node, self.number, self.isWill, self.since) = (node, number, isWill, since)
    }
  }
  struct Notification {
    let observer: Observer
    let old: Int
    let new: Int
  }
  private struct Regret: Error {}

  var problems: [String] = []
  let canaries = Canaries()
  let model = GraphModel()
  /// Whether handlers write, add and cancel. Then several changes are made in a step.
  let handlersAct: Bool
  var random: SplitMix64
  /// The nodes that the driver holds.
  var held: [Int: GraphNode] = [:]
  var observers: [Observer] = []
  var nextObserver = 0
  let limit: Int

  // The record of the current step.
  var log: [String] = []
  var notifications: [Notification] = []
  var roots: Set<Int> = []
  var computed: [Int] = []
  var readInTransaction = false
  var hasThrown = false
  var allowance = 0

  // The last computation of each node that counts.
  var clocks: [Int: Int] = [:]
  var reads: [Int: [Int]] = [:]
  /// Computed in a transaction, for that alone.
  var tainted: Set<Int> = []

  init(seed: UInt64) {
    random = SplitMix64(seed)
    handlersAct = random.isOne(in: 3)
    limit = [12, 30, 60, 250][random.number(below: 4)]
    for _ in 0..<(1 + limit / 8) { makeSource() }
    for _ in 0..<(limit / 2) { makeDerived() }
  }

  func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
    if !condition, problems.count < 5 { problems.append(problem()) }
  }

  func step() async {
    (log, notifications, roots, computed) = ([], [], [], [])
    (readInTransaction, hasThrown, allowance) = (false, false, 6)
    let before = model.state.values
    for observer in observers where !observer.isWill { roots.insert(observer.node) }
    let changed = act()
    await check(before, changed)
    var invariants = InvariantsCheck()
    for node in held.values { node.check(&invariants) }
    expect(invariants.broken.isEmpty, "invariants: \(invariants.broken)")
  }

  /// Performs a random action, and returns the sources that changed because of it alone.
  private func act() -> [Int] {
    switch random.number(below: 100) {
    case 0..<32: return write()
    case 32..<56: return inTransaction()
    case 56..<66: read()
    case 66..<78: observe()
    case 78..<85: cancel()
    case 85..<95: if held.count < limit { makeDerived() } else { drop() }
    case 95: makeSource()
    default: drop()
    }
    return []
  }

  func anyNode() -> Int { held.keys.sorted()[random.number(below: held.count)] }

  func anySource() -> Int {
    let sources = held.keys.filter { model.policy(of: $0) != nil }.sorted()
    return sources[random.number(below: sources.count)]
  }

  /// The oracle first, for handlers ask it.
  @discardableResult
  func write(to source: Int? = nil) -> [Int] {
    let (source, value) = (source ?? anySource(), random.number(below: 7))
    let old = model.state.values[source]
    let isSet = random.isOne(in: 2)
    let new = isSet ? value : (old + value) % 7
    log.append("\(isSet ? "set" : "update") \(source) from \(old) to \(new)")
    let changed = model.write(new, to: source)
    if isSet {
      held[source]?.asSource?.set(value)
    } else {
      held[source]?.asSource?.update { $0 = ($0 + value) % 7 }
    }
    return changed
  }

  private func inTransaction() -> [Int] {
    var changed: [Int] = []
    log.append("transaction")
    model.begin()
    do throws(Regret) {
      try transaction { () throws(Regret) in
        try writeSeveral(depth: 0)
        changed = model.commit()
      }
    } catch {
      log.append("it threw")
    }
    return changed
  }

  private func writeSeveral(depth: Int) throws(Regret) {
    for _ in 0..<(1 + random.number(below: 4)) {
      switch random.number(below: 8) {
      case 0 where depth < 3:
        let mark = model.pending?.count ?? 0
        log.append("inner")
        do throws(Regret) {
          try transaction { () throws(Regret) in try writeSeveral(depth: depth + 1) }
        } catch {
          log.append("inner threw")
          model.undo(to: mark)
        }
      case 1:
        readInTransaction = true
        read()
      default:
        let source = anySource()
        // When equivalence is asked of what a transaction writes is no promise.
        if model.policy(of: source) == .halves { continue }
        write(to: source)
      }
    }
    guard random.isOne(in: 7) else { return }
    hasThrown = true
    if depth == 0 { model.discard() }
    throw Regret()
  }

  func read() {
    let node = anyNode()
    log.append("read \(node)")
    roots.insert(node)
    let before = model.state.values[node]
    guard let value = held[node]?.value else { return }
    // Code that reads in a handler may thereby let others be notified, and these may write.
    let after = model.state.values[node]
    expect(value == before || value == after, "\(node) is read as \(value), not \(after)")
  }
}
