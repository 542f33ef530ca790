import Synchronization

/// What a transaction has written, until it commits. Touched by its thread alone; nothing in it knows a type, since in
/// unspecialised code each generic part that is named is a look-up.
final class WriteLog {
  /// That of the transaction under way, if anything has asked for it; else 0. No other transaction has it.
  @exclusivity(unchecked) private(set) var knownNumber: UInt32 = 0
  var number: UInt32 {
    while knownNumber == 0 { knownNumber = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }
    return knownNumber
  }
  private static let lastNumber = Atomic<UInt32>(0)

  /// How many transactions of this thread are open, one in the other.
  @exclusivity(unchecked) var level = 0
  /// In the order of first writing: the order of notifying.
  @exclusivity(unchecked) private var writes: [Write] = []
  /// Which of them, once there are many.
  @exclusivity(unchecked) private var places: Places = [:]
  /// What inner transactions have written, so that one that throws can be undone.
  @exclusivity(unchecked) private(set) var log: [Write] = []

  /// Something was to be ended, and waits for the end of the transaction.
  @exclusivity(unchecked) private var graphsWithRemains: [GraphPointer] = []
  func noteRetired(in graph: GraphPointer) {
    if !graphsWithRemains.contains(graph) { graphsWithRemains.append(graph) }
  }
  /// Gives back what is to be ended.
  func collect(for context: ContextPointer) -> RetiredPointer? {
    var retired: RetiredPointer?
    while let graph = graphsWithRemains.popLast() {
      retired = Retired.chain(retired, before: Graph.withRoot(of: graph) { $0.collect(for: context) })
    }
    return retired
  }
  var hasLeftRetired: Bool { !graphsWithRemains.isEmpty }

  var hasWrites: Bool { writes.contains { !$0.isEmpty } }

  func write(of node: NodePointer) -> Write? { known(node).flatMap { $0.isEmpty ? nil : $0 } }
  private func known(_ node: NodePointer) -> Write? {
    if writes.count > 16 { return places[node].map { writes[$0] } }
    for write in writes where write.node == node { return write }
    return nil
  }
  func write(to node: NodePointer, of owner: AnyObject) -> Write {
    if let known = known(node) { return known }
    let new = Write(node, owner)
    writes.append(new)
    if writes.count == 17 { for (place, write) in writes.enumerated() { places[write.node] = place } }
    if writes.count > 17 { places[node] = writes.count - 1 }
    return new
  }
  func note(_ write: Write) { log.append(write) }
  /// Values end here, and what their end writes is no part of what is undone: first all is as it was.
  func undo(to count: Int) {
    var undone: [(Write, Write.State?)] = []
    while log.count > count {
      let write = log.removeLast()
      undone.append((write, write.undo()))
    }
    let context = Context.current
    for (write, state) in undone { write.end(state, context) }
  }
  func forget() {
    knownNumber = 0
    // Values end here, and their end may write: not to these lists.
    let ended = writes
    writes.removeAll(keepingCapacity: ended.count <= 16)
    places = [:]
    log.removeAll(keepingCapacity: true)
    withExtendedLifetime(ended) {}
  }

  /// Applies updates again whose values other threads have moved, in the world of this transaction: what they read and write
  /// iterates over this log, which may grow meanwhile.
  private func rebase(_ context: ContextPointer) {
    var index = 0
    while index < writes.count {
      writes[index].rebase(context)
      index += 1
    }
  }
  /// Pins the thread to compute a derived value with what was written, all updates being those of the snapshot's values.
  func pin(_ context: ContextPointer) {
    var attempts = Attempts()
    defer { if attempts.isAgain { WriterTurn.end(context) } }
    while true {
      rebase(context)
      let graph = Graph.takeTogether(writes.map(\.node))
      let isUpToDate = writes.allSatisfy { $0.isUpToDate }
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
      for write in writes where !write.isEmpty { WriterTurn.wait(for: write.node, context) }
      rebase(context)
      if let failure = failure(mayThrow) {
        WriterTurn.end(context)
        return failure
      }
      if publish(context, depth: depth) { break }
      _ = attempts.fail(bound, isWrittenInside: false, context)
    }
    for write in writes where write.fresh != nil { context.pointee.noteWrite(to: write.node) }
    WriterTurn.end(context)
    context.pointee.writeLog = nil
    let due = writes
    context.pointee.notifying &+= 1
    for write in due where write.isDue { write.notify(here, context) }
    context.pointee.notifying &-= 1
    return nil
  }
  /// What must not move before the commit.
  private var bound: [NodePointer] { writes.filter { !$0.isEmpty && $0.mustNotMove }.map(\.node) }
  private func failure(_ mayThrow: (any Error) -> Bool) -> (any Error)? {
    for write in writes { if let failure = write.failure, mayThrow(failure) { return failure } }
    return nil
  }
  /// False if another thread has moved what an update was applied to, or what a policy compared with.
  private func publish(_ context: ContextPointer, depth: Int) -> Bool {
    var index = 0
    while index < writes.count {
      writes[index].compare(context)
      index += 1
    }
    // No user code from here on.
    for write in writes { write.prepare() }
    let known = writes.filter { !$0.isEmpty }
    if known.isEmpty { return true }
    let graph = Graph.takeTogether(known.map(\.node))
    defer { Graph.unlock(graph) }
    return graph.pointee.commit(known, depth: depth, context)
  }
}
