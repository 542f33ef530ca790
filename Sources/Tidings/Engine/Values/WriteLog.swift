import Synchronization

typealias WriteLogPointer = UnsafeMutablePointer<WriteLog>

/// What a transaction has written, until it commits. Touched by its thread alone; nothing in it knows a type, since in
/// unspecialised code each generic part that is named is a look-up.
struct WriteLog: ~Copyable {
  /// That of the transaction under way, if anything has asked for it; else 0. No other transaction has it.
  private(set) var knownNumber: UInt32 = 0
  var number: UInt32 {
    mutating get {
      while knownNumber == 0 { knownNumber = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }
      return knownNumber
    }
  }
  private static let lastNumber = Atomic<UInt32>(0)

  /// Some write is an update, or has a policy to be asked: then the commit is more than putting values in.
  var hasUpdates = false
  private(set) var hasPolicies = false
  /// How many transactions of this thread are open, one in the other.
  var level = 0
  /// In the order of first writing: the order of notifying.
  fileprivate var writes = RawStack<PendingWritePointer>()
  /// Which of them, once there are many.
  private var places: Places?
  /// What inner transactions have written, so that one that throws can be undone.
  private(set) var inner = RawStack<PendingWritePointer>()
  /// Memory of writes that are over.
  private var spares = RawStack<PendingWritePointer>()
  private static var mostSpares: Int { 16 }

  /// Something was to be destroyed, and waits for the end of the transaction.
  private var graphsWithRetired = RawStack<GraphPointer>()
  mutating func noteRetired(in graph: GraphPointer) {
    for index in 0..<graphsWithRetired.count where graphsWithRetired[index] == graph { return }
    graphsWithRetired.push(graph)
  }
  /// Gives back what is to be destroyed.
  mutating func collect(for context: ContextPointer) -> RetiredPointer? {
    var retired: RetiredPointer?
    while !graphsWithRetired.isEmpty {
      let graph = graphsWithRetired.pop()
      retired = Retired.chain(retired, before: Graph.withRoot(of: graph) { $0.collect(for: context) })
    }
    return retired
  }
  var hasLeftRetired: Bool { !graphsWithRetired.isEmpty }

  var hasWrites: Bool {
    for index in 0..<writes.count where !writes[index].pointee.isEmpty { return true }
    return false
  }

  func write(of node: NodePointer) -> PendingWritePointer? { known(node).flatMap { $0.pointee.isEmpty ? nil : $0 } }
  @inline(__always)
  private func known(_ node: NodePointer) -> PendingWritePointer? {
    if _slowPath(places != nil) { return places![node].map { writes[$0] } }
    for index in 0..<writes.count where writes[index].pointee.node == node { return writes[index] }
    return nil
  }
  @inline(__always)
  mutating func write(to node: NodePointer, of owner: AnyObject) -> PendingWritePointer {
    if let known = known(node) { return known }
    let new = spares.isEmpty ? PendingWritePointer.allocate(capacity: 1) : spares.pop()
    new.initialize(to: PendingWrite(node, owner))
    writes.push(new)
    if node.pointee.isCautious.load(ordering: .relaxed) { hasPolicies = true }
    if _slowPath(writes.count > 16) { place() }
    return new
  }
  @inline(never)
  private mutating func place() {
    var places = places.take() ?? [:]
    for place in places.count..<writes.count { places[writes[place].pointee.node] = place }
    self.places = places
  }

  mutating func note(_ write: PendingWritePointer) { inner.push(write) }

  /// Its memory is used again, by this thread.
  mutating func reset() {
    knownNumber = 0
    (hasUpdates, hasPolicies) = (false, false)
    writes.removeAll()
    if places != nil { places = nil }
    inner.removeAll()
  }
  mutating func giveBack(_ write: PendingWritePointer) {
    if spares.count < Self.mostSpares { spares.push(write) } else { write.deallocate() }
  }
  /// It is not used again.
  mutating func free() {
    while !spares.isEmpty { spares.pop().deallocate() }
    spares.free()
    writes.free()
    inner.free()
    graphsWithRetired.free()
  }
  mutating func popInner() -> PendingWritePointer { inner.pop() }
}

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
    fresh: context.pointee.takeVersion(for: node), write: log.pointee.write(to: node, of: owner), log: log,
    context: context)
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
