import Synchronization

// A source that threads read in graphs of their own. To merge these would put all of them under one lock, for a value that is
// rarely written; so a graph in which another thread is at work has a replica of the source instead.
//
// What reads a replica is invalidated, validated and computed as if the source were in its graph. A commit of the source takes the
// locks of all graphs and writes all replicas, under one stamp: see `Graph+CommitToReplicas.swift`.
extension Graph {
  private static var most: Int { 16 }

  /// The replica that there is of a source of another graph.
  @inline(__always)
  func replica(of source: NodePointer) -> NodePointer? {
    for index in 0..<replicas.count
    where replicas[index].pointee.body.toOpaque() == source.pointee.body.toOpaque() { return replicas[index] }
    return nil
  }

  enum Replication {
    case made(NodePointer)
    /// One of the graphs is another by now.
    case again
    /// The graph is to be merged with this one.
    case merge(GraphPointer)
  }
  /// For a thread that is pinned in `own`, and reads a source of `other`.
  @inline(never)
  @_optimize(size)
  static func replicate(
    _ source: NodePointer, of other: GraphPointer, in own: GraphPointer, _ context: ContextPointer
  ) -> Replication {
    lockBoth(own, other)
    defer { unlockBoth(own, other) }
    guard own != other, !own.pointee.isMerged, !other.pointee.isMerged, other.pointee.claim(source) else {
      return .again
    }
    if let known = own.pointee.replica(of: source) { return .made(known) }
    if source.pointee.olderCount > 0 { other.pointee.trimNow(source) }
    guard other.pointee.thread != UInt(bitPattern: context), own.pointee.canReplicate(source, context) else {
      return .merge(other)
    }
    if source.pointee.has(Node.replicated) {
      // One for each thread, and not for each graph of it.
      if let known = source.replicas.unsafelyUnwrapped.graph(for: context) { return .merge(known) }
    } else {
      markReplicated(source)
    }
    let replica = own.pointee.makeReplica(of: source)
    replica.pointee.reservation.store(UInt(bitPattern: context), ordering: .relaxed)
    return .made(replica)
  }
  /// Only where no older version is kept: then every pin that may come to read it, in this graph or in one that this one is merged
  /// with, is of a snapshot at which the newest value is right.
  private func canReplicate(_ source: NodePointer, _ context: ContextPointer) -> Bool {
    !context.pointee.isSpecial && !source.pointee.has(Node.retired) && source.pointee.olderCount == 0
      && replicas.count < Self.most
  }
  /// From now on each write is made with care: one that is under way finds the flag under the lock.
  @_optimize(size)
  private static func markReplicated(_ source: NodePointer) {
    source.pointee.flags |= Node.replicated
    source.pointee.isCautious.store(true, ordering: .relaxed)
    source.pointee.body._withUnsafeGuaranteedRef {
      if $0.replicas == nil { $0.replicas = Replicas(of: source) }
    }
  }
  /// Kept until the pins of now have ended; then by the links to it alone.
  @_optimize(size)
  private mutating func makeReplica(of source: NodePointer) -> NodePointer {
    let replica = source.pointee.body._withUnsafeGuaranteedRef { Node.make($0) }
    let newest = source.pointee.latest.unsafelyUnwrapped
    let version: VersionPointer
    if replica.pointee.isInPlace {
      version = home(of: replica)
      Version.copyValue(newest, to: version, of: replica)
    } else {
      version = Graph.copy(of: newest, in: replica)
    }
    version.pointee.number = newest.pointee.number
    version.pointee.validFrom = newest.pointee.validFrom
    version.pointee.validUntil.store(Version.open, ordering: .relaxed)
    replica.pointee.latest = version
    replica.pointee.flags = Node.replicated | Node.aged
    aged.push(replica)
    replica.pointee.graph.store(identity, ordering: .releasing)
    members += 1
    weight &+= 1
    epoch = max(epoch, version.pointee.validFrom)
    replica.pointee.pinsAtCommit = pins
    replicas.push(replica)
    replica.replicas.unsafelyUnwrapped.add(replica)
    return replica
  }

  /// Merges every graph in which there is a replica with that of the source.
  static func takeInReplicas(of source: NodePointer) {
    if let replicas = source.replicas { merge(replicas.graphs(), with: source) }
  }
  @inline(never)
  @_optimize(size)
  static func merge(_ graphs: RawStack<GraphPointer>, with source: NodePointer) {
    for index in 0..<graphs.count {
      if let own = root(of: source) { merge(own, graphs[index]) }
    }
    // So that it is found in the graph, and read instead of the replicas, which then are retired.
    if !graphs.isEmpty { unlock(take(of: source).unsafelyUnwrapped) }
    graphs.free()
  }
  /// Whether a replica of the source is in another graph.
  @inline(never)
  @_optimize(size)
  func hasReplicasElsewhere(of source: NodePointer) -> Bool {
    guard let graphs = source.replicas?.graphs() else { return false }
    defer { graphs.free() }
    return (0..<graphs.count).contains { graphs[$0] != pointer }
  }
}
