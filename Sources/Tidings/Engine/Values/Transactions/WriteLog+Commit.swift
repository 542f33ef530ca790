/// A set in a transaction, between the two calls that make it: the value is put into the version in code that knows its type.
@usableFromInline
struct TransactionalWrite {
  @usableFromInline let fresh: VersionPointer
  let write: PendingWritePointer
  let log: WriteLogPointer
  let context: ContextPointer
  @usableFromInline func note() { write.set(fresh, log, context) }
}
/// Nil where the thread is in no transaction, or may write nothing.
@usableFromInline
func transactionalWrite(to node: NodePointer, _ owner: AnyObject) -> TransactionalWrite? {
  let context = Context.current
  guard let log = context.pointee.writeLog, !CausalFrame.isInComputation else { return nil }
  return TransactionalWrite(
    fresh: context.pointee.memory.takeVersion(for: node), write: log.pointee.write(to: node, of: owner), log: log,
    context: context)
}

extension WriteLog {
  /// Gives back what is to be destroyed.
  mutating func collect(for context: ContextPointer) -> RetiredPointer? {
    var retired: RetiredPointer?
    while !graphsWithRetired.isEmpty {
      let graph = graphsWithRetired.pop()
      retired = Retired.chain(retired, before: Graph.withRoot(of: graph) { $0.collect(for: context) })
    }
    return retired
  }
}

/// By address and not as methods of the struct: user code that runs meanwhile reads and writes values in the same log.
extension WriteLogPointer {
  /// Values are destroyed here, and what that writes is no part of what is undone: first all is as it was.
  func undo(to count: Int, _ context: ContextPointer) {
    var undone: [(NodePointer, PendingWrite.State)] = []
    while pointee.inner.count > count {
      let write = pointee.popInner()
      undone.append((write.pointee.node, write.undo()))
    }
    for (node, state) in undone { PendingWritePointer.destroy(state, of: node, context) }
  }
  /// Values are destroyed here, and that may write: not to this log, which is no thread's by now.
  func forget(_ context: ContextPointer) {
    for index in 0..<pointee.writes.count {
      let write = pointee.writes[index]
      write.destroy(context)
      pointee.giveBack(write)
    }
    pointee.reset()
  }

  /// Applies updates again whose values other threads have moved, in the world of this transaction: what they read and write
  /// iterates over this log, which may grow meanwhile.
  private func rebase(_ context: ContextPointer) {
    var index = 0
    while index < pointee.writes.count {
      pointee.writes[index].rebase(context)
      index += 1
    }
  }
  /// Pins the thread to compute a derived value with what was written, all updates being those of the snapshot's values.
  func pin(_ context: ContextPointer) {
    var attempts = Attempts()
    defer { if attempts.isAgain { WriterTurn.end(context) } }
    while true {
      rebase(context)
      let graph = Graph.takeMerging(pointee.writes)
      var isUpToDate = true
      for index in 0..<pointee.writes.count where !pointee.writes[index].pointee.isUpToDate { isUpToDate = false }
      if isUpToDate { graph.pointee.pin(context) }
      Graph.unlock(graph)
      if isUpToDate { return }
      _ = attempts.fail(bound, isWrittenInside: false, context)
    }
  }

  /// Makes all of it visible together, then notifies the handlers of the sources. The log stays installed until then, so what
  /// updates do when they are applied again is part of the commit. Gives back what one of them threw, if that is what the
  /// transaction may throw: then nothing is written.
  func commit(_ context: ContextPointer, _ here: (any Actor)?, _ mayThrow: (any Error) -> Bool) -> (any Error)? {
    let depth = CausalFrame.causalDepth(context)
    var attempts = Attempts()
    while true {
      for index in 0..<pointee.writes.count where !pointee.writes[index].pointee.isEmpty {
        WriterTurn.wait(for: pointee.writes[index].pointee.node, context)
      }
      if pointee.hasUpdates {
        rebase(context)
        if let failure = failure(mayThrow) {
          WriterTurn.end(context)
          return failure
        }
      }
      if publish(context, depth: depth) { break }
      _ = attempts.fail(bound, isWrittenInside: false, context)
    }
    if context.pointee.isUpdating {
      for index in 0..<pointee.writes.count where pointee.writes[index].pointee.fresh != nil {
        context.pointee.noteWrite(to: pointee.writes[index].pointee.node)
      }
    }
    WriterTurn.end(context)
    context.pointee.writeLog = nil
    context.pointee.seen.notifying &+= 1
    for index in 0..<pointee.writes.count where pointee.writes[index].pointee.isDue {
      pointee.writes[index].notify(here, context)
    }
    context.pointee.seen.notifying &-= 1
    return nil
  }
  /// What must not move before the commit.
  private var bound: [NodePointer] {
    (0..<pointee.writes.count).map { pointee.writes[$0] }
      .filter { !$0.pointee.isEmpty && $0.pointee.mustNotMove }.map { $0.pointee.node }
  }
  private func failure(_ mayThrow: (any Error) -> Bool) -> (any Error)? {
    for index in 0..<pointee.writes.count {
      if let failure = pointee.writes[index].pointee.failure, mayThrow(failure) { return failure }
    }
    return nil
  }
  private func compare(_ context: ContextPointer) {
    var index = 0
    while index < pointee.writes.count {
      pointee.writes[index].compare(context)
      index += 1
    }
  }
  /// False if another thread has moved what an update was applied to, or what a policy compared with.
  private func publish(_ context: ContextPointer, depth: Int) -> Bool {
    // A value has its policy from the beginning.
    if pointee.hasPolicies { compare(context) }
    // No user code from here on.
    for index in 0..<pointee.writes.count { pointee.writes[index].prepare() }
    let graph = Graph.takeMerging(pointee.writes)
    defer { Graph.unlock(graph) }
    return graph.pointee.commit(pointee.writes, depth: depth, context)
  }
}

extension Graph {
  /// Sees to it that what a transaction has written is in one graph, and takes its lock.
  ///
  /// A source that has replicas is there with all of them.
  static func takeMerging(_ writes: RawStack<PendingWritePointer>) -> GraphPointer {
    while true {
      // A node that was found in the graph stays in it, also when the graph is merged with another.
      var found = 0
      let graph = take(with: writes[0].pointee.node) { graph in
        while found < writes.count, graph.has(writes[found].pointee.node) { found += 1 }
        return found < writes.count ? writes[found].pointee.node : nil
      }
      var scattered: NodePointer?
      for index in 0..<writes.count where writes[index].pointee.node.pointee.has(Node.replicated) {
        let node = writes[index].pointee.node
        if graph.pointee.hasReplicasElsewhere(of: node) { scattered = node }
      }
      guard let scattered else { return graph }
      unlock(graph)
      takeInReplicas(of: scattered)
    }
  }
}
