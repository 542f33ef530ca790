#if DEBUG
import Synchronization

extension Cell {
  /// The invariants that do not hold in the graph of the value; none, unless the engine has a fault. For tests, in debug builds. A
  /// step of a randomised run checks them while no other thread uses the graph.
  func brokenInvariants() -> [String] {
    var known: Set<NodePointer> = []
    return brokenInvariants(except: &known)
  }
  /// Checks the nodes that links lead to, except for the known ones. The nodes that were checked are known afterwards.
  func brokenInvariants(except known: inout Set<NodePointer>) -> [String] {
    if known.contains(node) { return [] }
    let graph = Graph.take(of: node)
    defer { Graph.giveBack(graph, of: node) }
    guard let graph else { return [] }
    var checked = Invariants(graph, known)
    checked.add(node)
    while let next = checked.next() { checked.check(next) }
    checked.checkPins()
    known = checked.known
    return checked.broken
  }
}

/// Checks the invariants of `How values work`, and the counts and lists, of all nodes that links lead to from one node. Invariants
/// 4 to 6 are missing: only an execution can show them. Call under the lock of the graph.
private struct Invariants {
  private let graph: GraphPointer
  private(set) var known: Set<NodePointer>
  private var waiting: [NodePointer] = []
  private(set) var broken: [String] = []

  init(_ graph: GraphPointer, _ known: Set<NodePointer>) { (self.graph, self.known) = (graph, known) }
  mutating func add(_ node: NodePointer) { if known.insert(node).inserted { waiting.append(node) } }
  mutating func next() -> NodePointer? { waiting.popLast() }

  private mutating func require(_ holds: Bool, _ node: NodePointer, _ invariant: @autoclosure () -> String) {
    if !holds { broken.append("\(node.pointee.body._withUnsafeGuaranteedRef { $0.name }): \(invariant())") }
  }

  mutating func check(_ node: NodePointer) {
    checkMembership(node)
    checkDependencies(node)
    checkSubscribers(node)
    checkVersions(node)
    let isBusy = node.pointee.running > 0 || node.pointee.validating > 0 || node.pointee.has(Node.queued)
    require(
      !node.pointee.has(Node.watched) || !node.pointee.has(Node.stale) || isBusy, node,
      "it is stale and has handlers, and no thread is about to notify them")
    require(!node.pointee.isFinal || !node.pointee.has(Node.stale), node, "it is final and stale")
    require(!node.pointee.has(Node.watched) || node.pointee.notified != nil, node, "nothing to compare a change with")
  }

  private mutating func checkMembership(_ node: NodePointer) {
    let word = node.pointee.graph.load(ordering: .acquiring)
    require(
      word > 1 && Graph.root(of: node) == graph, node, "its word does not lead to the graph in which it is linked")
    // In a replica, `reservation` says which thread made it.
    let isReserved = node.pointee.reservation.load(ordering: .relaxed) != 0 && !node.pointee.isReplicated
    require(!isReserved, node, "a writer has reserved it, and no thread writes")
    require(node.pointee.references > 0, node, "it has no references, and is linked")
    require(!node.pointee.has(Node.retired), node, "it is retired, and is linked")
  }

  /// A link is in exactly its dep's subs and its sub's deps.
  private mutating func checkDependencies(_ node: NodePointer) {
    var link = node.pointee.deps
    while let at = link {
      let dep = at.pointee.dep
      require(at.pointee.sub == node, node, "a link among its dependencies is another node's")
      var known = dep.pointee.subs
      while let other = known, other != at { known = other.pointee.nextSub }
      require(known == at, node, "the dependency that a link names does not have it")
      require(!node.pointee.isFinal || dep.pointee.isFinal, node, "it is final, and something that it has read is not")
      add(dep)
      link = at.pointee.nextDep
    }
  }
  /// The subs of a stale node are stale, except for those that read it in a cycle.
  private mutating func checkSubscribers(_ node: NodePointer) {
    var (link, previous, retaining) = (node.pointee.subs, nil as LinkPointer?, 0 as UInt32)
    while let at = link {
      let sub = at.pointee.sub
      require(at.pointee.dep == node, node, "a link among its readers is to another node")
      require(at.pointee.previousSub == previous, node, "the list of its readers is torn")
      if at.pointee.number != 0 {
        retaining += 1
        require(!node.pointee.has(Node.stale) || sub.pointee.has(Node.stale), node, "it is stale, and a reader is not")
      }
      add(sub)
      (link, previous) = (at.pointee.nextSub, at)
    }
    require(node.pointee.lastSub == previous, node, "the end of the list of its readers is another")
    require(node.pointee.references >= retaining, node, "it has fewer references than readers that keep it")
  }
  /// The newest version comes first, and each version is valid up to the next newer one at most.
  private mutating func checkVersions(_ node: NodePointer) {
    require(node.pointee.sequence.load(ordering: .relaxed) & 1 == 0, node, "it is being written, and the lock is free")
    guard let newest = node.pointee.latest, !node.pointee.isUnknown else { return }
    let isOpen = newest.pointee.validUntil.load(ordering: .relaxed) == Version.open
    require(isOpen != node.pointee.has(Node.stale), node, "its newest version is \(isOpen ? "open" : "closed")")
    var (version, count) = (newest, 0)
    while let older = version.pointee.previous {
      let end = older.pointee.validUntil.load(ordering: .relaxed)
      require(end <= version.pointee.validFrom, node, "two versions are valid at one snapshot")
      require(older.pointee.number <= version.pointee.number, node, "an older version has a higher number")
      (version, count) = (older, count + 1)
    }
    require(
      count == node.pointee.olderCount, node, "it has \(count) older versions, and counts \(node.pointee.olderCount)")
  }

  /// Pins are in the order of their snapshots.
  mutating func checkPins() {
    var (pin, count, previous) = (graph.pointee.oldestPin, 0 as UInt, nil as ContextPointer?)
    while let at = pin {
      if let previous, previous.pointee.seen.snapshot > at.pointee.seen.snapshot {
        broken.append("a pin is out of order")
      }
      if at.pointee.pin.previous != previous { broken.append("the list of pins is torn") }
      (pin, previous, count) = (at.pointee.pin.next, at, count + 1)
    }
    if graph.pointee.newestPin != previous || graph.pointee.pinned != count { broken.append("a pin is not counted") }
  }
}
#endif
