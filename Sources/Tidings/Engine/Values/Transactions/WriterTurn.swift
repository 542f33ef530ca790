import Synchronization

/// The turn of a writer that other threads have overtaken again and again. While it lasts, they wait before they write its values.
/// All values share one turn, so two threads never wait for each other's turn.
///
/// A thread keeps its turn while user code runs. It does not hold the graph's lock meanwhile, and ends the turn before it calls
/// handlers. Here the thread that has the turn waits for no other thread. A thread that waits for the turn parks, for a second at
/// most. So a closure that itself waits for a writer delays both and blocks neither for ever. A thread that was about to write when
/// the turn began may still write once.
enum WriterTurn {
  private static var maximumWait: Int { 1_000 }

  /// Lets another thread finish its turn, before this one attempts to write.
  @inline(__always)
  static func wait(for node: NodePointer, _ context: ContextPointer) {
    if _slowPath(node.pointee.reservation.load(ordering: .relaxed) != 0), !context.pointee.turn.isHeld {
      awaitTurnEnd(waiting: maximumWait)
    }
  }

  static func take(for nodes: [NodePointer], _ context: ContextPointer) {
    guard context.pointee.turn.isHeld || takeTurn(waiting: maximumWait) else { return }
    context.pointee.turn.isHeld = true
    for node in nodes where node.pointee.reservation.load(ordering: .relaxed) == 0 {
      let graph = Graph.take(of: node)
      // relaxed: the address is compared, and never followed.
      node.pointee.reservation.store(UInt(bitPattern: context), ordering: .relaxed)
      node.pointee.isCautious.store(true, ordering: .relaxed)
      node.pointee.references &+= 1
      Graph.giveBack(graph, of: node)
      context.pointee.turn.nodes.push(node)
    }
  }

  /// Ends the turn after the write, before handlers are notified of it.
  static func end(_ context: ContextPointer) {
    guard context.pointee.turn.isHeld else { return }
    context.pointee.turn.isHeld = false
    var ended: [NodePointer] = []
    while !context.pointee.turn.nodes.isEmpty {
      let node = context.pointee.turn.nodes.pop()
      let graph = Graph.take(of: node)
      node.pointee.reservation.store(0, ordering: .relaxed)
      node.pointee.isCautious.store(
        node.pointee.has(Node.cautious) || node.pointee.isReplicated, ordering: .relaxed)
      Graph.giveBack(graph, of: node)
      ended.append(node)
    }
    endTurn()
    for node in ended { releaseReference(to: node) }
  }
}

/// The attempts of one write that fails when another thread writes meanwhile: a few are optimistic, then it takes a turn.
struct Attempts {
  private static var optimistic: Int {
    #if TIDINGS_EXPLORED
    Seam.optimisticAttempts
    #else
    8
    #endif
  }
  /// How often a closure may write its own value before it counts as a cycle.
  private static var ofCycle: Int { 16 }
  /// The most attempts. During the turn, only a thread that was about to write already, or that waited in vain, overtakes the
  /// writer. So this number is reached only if the closure causes that itself.
  private static var most: Int { 1_000 }
  fileprivate var failed = 0
  private var written = 0
  /// The write has failed once, so its closure is watched.
  var isAgain: Bool { failed > 0 }

  /// Counts an attempt that another thread, or the write's own closure, has overtaken. False if the write is to be given up.
  mutating func fail(_ nodes: [NodePointer], isWrittenInside: Bool, _ context: ContextPointer) -> Bool {
    failed += 1
    if isWrittenInside { written += 1 }
    if written == Self.ofCycle || failed == Self.most { return false }
    if failed >= Self.optimistic { WriterTurn.take(for: nodes, context) } else { backOff() }
    return true
  }
}

extension Attempts {
  /// Lets the other thread continue, twice as long each time. Two threads that update one value without a pause then take turns of
  /// some microseconds, and neither waits for the other's cache lines. `bench: cores: update one shared value`.
  private func backOff() { for _ in 0..<(32 << min(failed, 6)) { spinPause() } }
}
