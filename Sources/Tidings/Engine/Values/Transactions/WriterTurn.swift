import Synchronization

/// The turn of a writer that other threads have overtaken again and again: while it lasts, they wait before they write what it
/// is about. There is one for all values, so two threads never wait for each other's.
///
/// It is kept while user code runs, but not the graph's lock, and not while handlers are notified. The thread that has it waits
/// for no other thread here; and a thread that waits parks, for a second at most: a closure that itself waits for a writer delays
/// both and blocks neither for ever. A thread that was about to write when the turn began may still do so, once.
enum WriterTurn {
  private static var maximumWait: Int { 1_000 }

  /// Before an attempt to write: lets another thread finish its turn.
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
      node.pointee.reservation.store(UInt(bitPattern: context), ordering: .relaxed)
      node.pointee.isCautious.store(true, ordering: .relaxed)
      node.pointee.references &+= 1
      Graph.giveBack(graph, of: node)
      context.pointee.turn.nodes.push(node)
    }
  }

  /// When the write is through, before handlers are notified of it.
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
  /// In its turn only a thread that was about to write already, or that waited in vain, overtakes it: so often never, but where
  /// the closure causes that itself.
  private static var most: Int { 1_000 }
  fileprivate var failed = 0
  private var written = 0
  /// Its closure is watched: it has failed once.
  var isAgain: Bool { failed > 0 }

  /// Another thread was faster, or its own closure. False if it is to be given up.
  mutating func fail(_ nodes: [NodePointer], isWrittenInside: Bool, _ context: ContextPointer) -> Bool {
    failed += 1
    if isWrittenInside { written += 1 }
    if written == Self.ofCycle || failed == Self.most { return false }
    if failed >= Self.optimistic { WriterTurn.take(for: nodes, context) } else { backOff() }
    return true
  }
}

extension Attempts {
  /// Lets the other thread continue, twice as long each time: two threads that update one value without a pause then take turns of
  /// some microseconds, and neither waits for the other's cache lines. `bench: cores: update one shared value`.
  private func backOff() { for _ in 0..<(32 << min(failed, 6)) { spinPause() } }
}
