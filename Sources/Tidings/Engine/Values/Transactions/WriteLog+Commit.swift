/// A `set` in a transaction, between the two calls that make it. Code that knows the type stores the value in the version between
/// them.
@usableFromInline
struct TransactionalWrite {
  @usableFromInline let fresh: VersionPointer
  let write: PendingWritePointer
  let log: WriteLogPointer
  let context: ContextPointer
  @usableFromInline func note() { write.set(fresh, log, context) }
}
/// Begins a `set` in a transaction. Nil if the thread is in no transaction, or is in a computation, which may not write, and for a
/// source with recorders.
@usableFromInline
func transactionalWrite(to node: NodePointer, _ owner: AnyObject) -> TransactionalWrite? {
  let context = Context.current
  guard let log = context.pointee.writeLog, !CausalFrame.isInComputation, knownRecorders(of: node) == nil else {
    return nil
  }
  return TransactionalWrite(
    fresh: context.pointee.memory.takeVersion(for: node), write: log.pointee.write(to: node, of: owner), log: log,
    context: context)
}

extension WriteLog {
  /// Returns the objects of all graphs of the transaction that are to be destroyed.
  mutating func collect(for context: ContextPointer) -> RetiredPointer? {
    var retired: RetiredPointer?
    while !graphsWithRetired.isEmpty {
      let graph = graphsWithRetired.pop()
      retired = Retired.chain(retired, before: Graph.withRoot(of: graph) { $0.collect(for: context) })
    }
    return retired
  }
}

/// These are methods of the pointer and not of the struct, because user code that runs meanwhile reads and writes values in the
/// same log.
extension WriteLogPointer {
  /// Undoes all writes after the first `count`. Values are destroyed only after all states are restored: a `deinit` may write, and
  /// its writes are not undone.
  func undo(to count: Int, _ context: ContextPointer) {
    var undone: [(NodePointer, PendingWrite.State)] = []
    while pointee.inner.count > count {
      let write = pointee.popInner()
      undone.append((write.pointee.node, write.undo()))
    }
    for (node, state) in undone { PendingWritePointer.destroy(state, of: node, context) }
  }
  /// Destroys the values of the log. A `deinit` may write, but not to this log, which belongs to no thread by now.
  func forget(_ context: ContextPointer) {
    for index in 0..<pointee.writes.count {
      let write = pointee.writes[index]
      write.destroy(context)
      pointee.giveBack(write)
    }
    pointee.reset()
  }

  /// Applies updates again whose values other threads have changed. The updates read and write in this transaction, so the log may
  /// grow meanwhile.
  private func rebase(_ context: ContextPointer) {
    var index = 0
    while index < pointee.writes.count {
      pointee.writes[index].rebase(context)
      index += 1
    }
  }
  /// Pins the thread to compute a derived value with the transaction's writes. All updates are then applied to the values of the
  /// snapshot.
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

  /// Commits all writes together, then notifies the handlers of the sources. The log stays installed until the commit, so the
  /// writes of updates that are applied again are part of it. Returns the error that an update threw, if the transaction may throw
  /// it; then nothing is written.
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
  /// The sources that must not change before the commit.
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
  /// Commits the writes. False if another thread has changed a value to which an update was applied, or with which a policy
  /// compared.
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
  /// Merges the graphs of all values that a transaction has written, and takes the lock of the one graph.
  ///
  /// All replicas of these values are in that graph, too.
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
