import Synchronization

// Replicas of a source that threads read in separate graphs. Merging these graphs would put all of them under one lock, for a value
// that is rarely written. So a graph in which another thread is at work has a replica of the source instead.
//
// A value that reads a replica is invalidated, validated and computed as if the source were in its graph. A commit of the source
// takes the locks of all graphs and writes all replicas, under one stamp: see `Graph+CommitToReplicas.swift`.
extension Graph {
  private static var most: Int { 16 }

  /// The replica in this graph of a source of another graph; nil if there is none.
  @inline(__always)
  func replica(of source: NodePointer) -> NodePointer? {
    for index in 0..<replicas.count
    where replicas[index].pointee.body.toOpaque() == source.pointee.body.toOpaque() { return replicas[index] }
    return nil
  }

  enum Replication {
    case made(NodePointer)
    /// The graphs have changed meanwhile: look again.
    case again
    /// The graph is to be merged with this one.
    case merge(GraphPointer)
  }
  /// Makes or finds a replica in `own`, where the thread is pinned, of a source of `other`, which the thread reads.
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
      // There is one replica for each thread, not one for each of its graphs.
      if let known = source.replicas.unsafelyUnwrapped.graph(for: context) { return .merge(known) }
    } else {
      markReplicated(source)
    }
    let replica = own.pointee.makeReplica(of: source)
    // relaxed: the address is compared, and never followed.
    replica.pointee.reservation.store(UInt(bitPattern: context), ordering: .relaxed)
    return .made(replica)
  }
  /// True only if no older version is kept. Then every pin that may come to read the replica has a snapshot at which the newest
  /// value is right. This includes pins of graphs that are merged with this one.
  private func canReplicate(_ source: NodePointer, _ context: ContextPointer) -> Bool {
    !context.pointee.isSpecial && !source.pointee.has(Node.retired) && source.pointee.olderCount == 0
      && replicas.count < Self.most
  }
  /// Flags a source as replicated: from now on each write takes the careful path. A write that is under way finds the flag under
  /// the lock.
  @_optimize(size)
  private static func markReplicated(_ source: NodePointer) {
    source.pointee.flags |= Node.replicated
    source.pointee.isCautious.store(true, ordering: .relaxed)
    source.pointee.body._withUnsafeGuaranteedRef {
      if $0.replicas == nil { $0.replicas = Replicas(of: source) }
    }
  }
  /// Makes a replica. It is kept until the current pins have ended, then by the links to it alone.
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
    if source.pointee.isFinal { replica.pointee.becomeFinal() }
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
    // Taking the lock lets the source's word name the graph. Then the source is read instead of the replicas, which are retired.
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
