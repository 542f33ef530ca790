import Synchronization

extension ObjectObservation {
  /// Returns what an observer of objects sees of a value. It computes nothing, adds no handler, and holds the graph's lock.
  ///
  /// - Parameters:
  ///   - address: A node that `NodeCreated` was called with, and for which `Destroyed` has not returned.
  ///   - type: The type of its values; nil to copy no value.
  /// - Returns: Nil when nothing refers to the node any more. Else `version` increases with each change, begins with 1 for an
  ///   observed value, and is 0 for a derived value that was never computed. `validFrom` is the moment of the version clock from
  ///   which the newest value is right. `isStale` says whether the value has to be computed or validated before it is read.
  ///   `dependencies` are the nodes that a derived value read when it was last computed, in the order of reading. `handlers` is the
  ///   list of its handlers, once there has been one. `value` is a copy of the newest value. Turning the copy into text, and
  ///   destroying it, runs user code: the caller does both outside its locks.
  @_optimize(size)
  package static func lookAtNode(
    _ address: ObjectAddress, value type: Any.Type?
  ) -> (
    version: UInt, validFrom: UInt, isStale: Bool, dependencies: [ObjectAddress], handlers: HandlerList?, value: Any?
  )? {
    let node = NodePointer(bitPattern: address).unsafelyUnwrapped
    let graph = Graph.takeUnchanged(of: node)
    defer { Graph.giveBack(graph, of: node) }
    if node.pointee.has(Node.retired) || node.pointee.references == 0 { return nil }
    var dependencies: [ObjectAddress] = []
    var link = node.pointee.deps
    while let at = link {
      // The observer does not know replicas: return the source that the replica stands for.
      let dep = at.pointee.dep
      dependencies.append(
        dep.pointee.isReplicated ? dep.replicas.unsafelyUnwrapped.source : ObjectAddress(bitPattern: dep))
      link = at.pointee.nextDep
    }
    let newest = node.pointee.isUnknown ? nil : node.pointee.latest
    var value: Any?
    if let newest, let type { value = copy(UnsafeRawPointer(newest) + node.pointee.valueOffset, type) }
    return (
      newest?.pointee.number ?? 0, newest?.pointee.validFrom ?? 0, node.pointee.has(Node.stale), dependencies,
      node.pointee.list?.takeUnretainedValue(), value
    )
  }
  private static func copy(_ place: UnsafeRawPointer, _ type: Any.Type) -> Any {
    func load<Value>(_: Value.Type) -> Any { place.assumingMemoryBound(to: Value.self).pointee }
    return _openExistential(type, do: load)
  }

  // MARK: What the engine calls

  @inline(never)
  static func created(_ node: NodePointer, _ type: Any.Type, computations: UInt) {
    node.pointee.body._withUnsafeGuaranteedRef {
      observer.nodeCreated(
        ObjectAddress(bitPattern: node), type, computations, $0.identity.label, $0.identity.file, $0.identity.line)
    }
  }
  /// The same computation, run by the observer's timer.
  @inline(never)
  static func timed(_ compute: @escaping Body.Compute) -> (number: UInt, compute: Body.Compute) {
    let (number, timer) = observer.computationsAdded()
    return (number, { base, into in timer { compute(base, into) } })
  }
  @inline(__always)
  static func destroyed(_ node: NodePointer) { if isOn { destroyed(at: ObjectAddress(bitPattern: node)) } }
}

extension Graph {
  /// Takes the lock that orders accesses to a node, as `take(of:)` does, and writes nothing. The node may be retired: then it no
  /// longer counts as a member of the graph that its word names.
  fileprivate static func takeUnchanged(of node: NodePointer) -> GraphPointer? {
    while true {
      let word = node.pointee.graph.load(ordering: .acquiring)
      guard word > 1, var graph = GraphPointer(bitPattern: word) else {
        if Node.takeAlone(node) { return nil }
        continue
      }
      while let next = GraphPointer(bitPattern: graph.pointee.mergedInto.load(ordering: .acquiring)) { graph = next }
      lock(graph)
      if !graph.pointee.isMerged, node.pointee.graph.load(ordering: .relaxed) == word { return graph }
      unlock(graph)
    }
  }
}
