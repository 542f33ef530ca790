// References to nodes, and the removal of a node from the graph when there are none.
extension Graph {
  mutating func release(_ node: NodePointer) {
    node.pointee.references &-= 1
    if node.pointee.references == 0 { retire(node) }
  }
  /// Releases a reference to a node. Returns the objects that are to be destroyed.
  static func release(_ node: NodePointer, for context: ContextPointer) -> RetiredPointer? {
    guard let graph = take(of: node) else {
      node.pointee.references &-= 1
      let isOver = node.pointee.references == 0
      Node.giveBackAlone(node)
      return isOver ? Retired.make(node: node, in: nil) : nil
    }
    defer { unlock(graph) }
    if _slowPath(node.pointee.isKept), node.pointee.references == 2, graph.pointee.forgetKept(node) {
      node.pointee.references &-= 1
    }
    graph.pointee.release(node)
    return graph.pointee.collect(for: context)
  }

  @inline(never)
  private mutating func retire(_ first: NodePointer) {
    unreferenced.push(first)
    while !unreferenced.isEmpty {
      let node = unreferenced.pop()
      node.pointee.flags |= Node.retired
      node.pointee.generation &+= 1
      var link = node.pointee.deps
      node.pointee.deps = nil
      while let next = link {
        link = next.pointee.nextDep
        detach(next)
        let (dep, isRetaining) = (next.pointee.dep, next.pointee.number != 0)
        next.deallocate()
        guard isRetaining else { continue }
        dep.pointee.references &-= 1
        if dep.pointee.references == 1, forgetKept(dep) { dep.pointee.references = 0 }
        if dep.pointee.references == 0 { unreferenced.push(dep) }
      }
      while let link = node.pointee.subs { forget(link) }
      node.pointee.list?._withUnsafeGuaranteedRef { leave($0.leave()?.assumingMemoryBound(to: Graph.self)) }
      leave(node)
      if _slowPath(node.pointee.isReplicated) { forgetReplica(node) }
      keep(Retired.make(node: node, in: pointer))
    }
  }

  /// Removes a replica from the lists of replicas. For the source itself, there is nothing to remove. A pin may have read the
  /// replica, and commits of the source no longer find that pin. So no commit may be stamped with the snapshot of that pin.
  @inline(never)
  private mutating func forgetReplica(_ node: NodePointer) {
    guard replicas.remove(node) else { return }
    if let newestPin { leave(newestPin.pointee.seen.snapshot) }
    node.replicas?.remove(node)
  }

  /// Removes a link that was made in a cycle to a node that is being retired. The links of the dependent then no longer name
  /// everything that it read.
  @inline(never)
  private func forget(_ removed: LinkPointer) {
    let sub = removed.pointee.sub
    detach(removed)
    if sub.pointee.deps == removed {
      sub.pointee.deps = removed.pointee.nextDep
    } else {
      var link = sub.pointee.deps
      while let at = link, at.pointee.nextDep != removed { link = at.pointee.nextDep }
      link?.pointee.nextDep = removed.pointee.nextDep
    }
    removed.deallocate()
    sub.pointee.flags |= Node.incomplete
    sub.pointee.generation &+= 1
  }
}
