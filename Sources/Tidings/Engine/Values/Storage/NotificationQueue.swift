/// The notifications that one thread is to deliver. It holds the nodes and claims of the batches under way. The entries of each
/// batch follow the entries of the batch that it interrupts. The nodes that wait for the next batch follow. All batches share one
/// stack of nodes and one of claims. With stacks that were passed to each batch and given back, a diamond took 6 % more
/// instructions.
struct NotificationQueue {
  private var nodes = RawStack<NodePointer>()
  private var claims = RawStack<NotificationBatch.Claimed>()
  /// How many nodes are in batches.
  private var taken = 0
  /// The causal depths of the pending nodes. They are notified later, by the end of a pin or by the outermost notification of the
  /// thread. Both are less deep than the change that caused them. Nodes after the last segment are no deeper than the notification
  /// that delivers them.
  private var segments = RawStack<Segment>()
  /// The segments that are held apart come first.
  private var heldSegments = 0

  /// A run of pending nodes, up to `end`. The end is `.max` while more nodes of the same depth may come.
  private struct Segment: BitwiseCopyable {
    var end: Int
    var depth: Int
  }

  /// The name of the graph of all nodes. If `isMixed`, they may be of several graphs.
  private var graph: UInt = 0
  private(set) var isMixed = false

  /// Handler lists of sources that were set while notifications were nested too deeply. The outermost notification delivers them in
  /// this order, before derived values. The lists that are held apart come first.
  var postponed = RawStack<UnsafeRawPointer>()
  private(set) var heldPostponed = 0
  /// How many notifications of derived values this thread has enqueued again, because other threads wrote meanwhile. After a round
  /// of these it leaves further nodes, in `offloaded`, to a task. Otherwise a `set` could deliver for all other threads for ever.
  /// A propagation that has a number counts as well: the outermost notification then drains, and ends the number.
  var repeats = 0
  /// The notifications of this thread are being drained. The outermost drain ends the propagation.
  var isDraining = false
  var offloaded = RawStack<NodePointer>()
  /// Cycles of handlers to be reported at the end of a batch.
  var rejected = RawStack<NodePointer>()
  /// The calls that begin after the nodes that wait, in this order. Those that are held apart come first.
  private var starts = RawStack<PendingStart>()
  private var heldStarts = 0

  /// Something waits for the outermost notification of the thread. Postponed lists have their nodes in the queue, nodes are
  /// offloaded only after some were enqueued again, and a start counts as a repeat.
  var isPending: Bool { @inline(__always) get { !isEmpty || repeats != 0 } }
  var hasPostponed: Bool { postponed.count > heldPostponed }
  /// Nothing waits for the next batch.
  var isEmpty: Bool { @inline(__always) get { nodes.count == taken } }
  /// All pending nodes are in the graph of that name.
  @inline(__always)
  func isOnly(of graph: UInt) -> Bool { !isMixed && self.graph == graph }
  @inline(__always)
  mutating func push(_ node: NodePointer, of graph: UInt) {
    if _slowPath(graph != self.graph) { noteAnother(graph) }
    nodes.push(node)
  }
  /// Adds a node whose graph is not known.
  mutating func push(_ node: NodePointer) {
    isMixed = true
    nodes.push(node)
  }
  @inline(never)
  private mutating func noteAnother(_ graph: UInt) {
    isMixed = nodes.count > 0
    self.graph = graph
  }
  /// Ends a batch before `index`, where the nodes of another graph begin. These wait for the next batch, with the depth of this
  /// one.
  mutating func cut(_ batch: inout NotificationBatch, before index: Int) {
    segments.push(Segment(end: 0, depth: 0))
    for place in (heldSegments..<segments.count - 1).reversed() { segments[place + 1] = segments[place] }
    segments[heldSegments] = Segment(end: taken, depth: batch.depth)
    taken = index
    batch.end(before: index)
  }

  /// Adds a start, which counts as a repeat: so `isPending` need not look at the starts.
  mutating func push(_ start: PendingStart) {
    starts.push(start)
    repeats += 1
  }
  var hasStarts: Bool { starts.count > heldStarts }
  mutating func takeStart() -> PendingStart {
    defer { starts.remove(from: heldStarts, to: heldStarts + 1) }
    return starts[heldStarts]
  }

  /// Takes the pending nodes as a batch. Nodes that come meanwhile wait for the next batch.
  @inline(__always)
  mutating func takeBatch(depth: Int) -> NotificationBatch {
    if _slowPath(segments.count != 0) { return takeDeepBatch(depth: depth) }
    let first = taken
    taken = nodes.count
    return NotificationBatch(first: first, index: first, end: taken, firstClaim: claims.count, depth: depth)
  }
  @inline(never)
  private mutating func takeDeepBatch(depth: Int) -> NotificationBatch {
    let first = taken
    var depth = depth
    if segments.count > heldSegments {
      taken = min(nodes.count, segments[heldSegments].end)
      depth = max(depth, segments[heldSegments].depth)
      segments.remove(from: heldSegments, to: heldSegments + 1)
    } else {
      taken = nodes.count
    }
    return NotificationBatch(first: first, index: first, end: taken, firstClaim: claims.count, depth: depth)
  }
  /// Begins a segment: the nodes enqueued until `endDeepening` were caused at this depth. Neighbouring segments become one, of the
  /// greatest depth, so their nodes are notified together. Nodes that a report causes stay apart, because nothing is reported about
  /// them.
  mutating func deepen(to depth: Int) {
    let last = segments.count > heldSegments ? segments.last.pointee : Segment(end: taken, depth: 0)
    let isReport = depth >= CausalFrame.ofReport
    if last.end < nodes.count {
      if isReport { segments.push(Segment(end: nodes.count, depth: 0)) }
      segments.push(Segment(end: .max, depth: depth))
    } else if segments.count > heldSegments, (last.depth >= CausalFrame.ofReport) == isReport {
      segments[segments.count - 1] = Segment(end: .max, depth: max(last.depth, depth))
    } else {
      if last.end == .max { endDeepening() }
      segments.push(Segment(end: .max, depth: depth))
    }
  }
  @inline(__always)
  mutating func endDeepening() { if _slowPath(!segments.isEmpty) { closeSegment() } }
  @inline(never)
  private mutating func closeSegment() {
    guard segments.count > heldSegments, segments.last.pointee.end == .max else { return }
    let before = segments.count - 1 > heldSegments ? segments[segments.count - 2].end : taken
    if nodes.count > before {
      segments.last.pointee.end = nodes.count
    } else {
      _ = segments.pop()
    }
  }

  /// Sets the pending nodes apart while a report runs, which has separate notifications.
  struct Held {
    fileprivate let taken: Int
    fileprivate let segments: Int
    fileprivate let postponed: Int
    fileprivate let starts: Int
  }
  mutating func hold() -> Held {
    defer {
      (taken, heldSegments, heldPostponed) = (nodes.count, segments.count, postponed.count)
      heldStarts = starts.count
    }
    return Held(taken: taken, segments: heldSegments, postponed: heldPostponed, starts: heldStarts)
  }
  mutating func giveBack(_ held: Held) {
    (taken, heldSegments, heldPostponed) = (held.taken, held.segments, held.postponed)
    heldStarts = held.starts
    if hasStarts { repeats += 1 }
  }

  /// A batch without nodes, for a claim that does not come from the queue.
  func emptyBatch(depth: Int) -> NotificationBatch {
    NotificationBatch(first: taken, index: taken, end: taken, firstClaim: claims.count, depth: depth)
  }
  subscript(index: Int) -> NodePointer { @inline(__always) get { nodes[index] } }

  @inline(__always)
  mutating func push(_ claimed: NotificationBatch.Claimed) { claims.push(claimed) }
  var claimCount: Int { @inline(__always) get { claims.count } }
  func claimed(_ index: Int) -> NotificationBatch.Claimed { claims[index] }

  /// Ends a batch that has been notified, with those that have interrupted it.
  @inline(__always)
  mutating func end(_ batch: NotificationBatch) {
    claims.removeAll(but: batch.firstClaim)
    if !isEmpty {
      nodes.remove(from: batch.first, to: batch.end)
      if _slowPath(segments.count > heldSegments) { moveSegments(by: batch.end &- batch.first) }
    } else {
      nodes.removeAll(but: batch.first)
      if batch.first == 0 { isMixed = false }
    }
    taken = batch.first
  }
  @inline(never)
  private func moveSegments(by count: Int) {
    for index in heldSegments..<segments.count where segments[index].end != .max {
      segments[index].end &-= count
    }
  }

  func free() {
    segments.free()
    nodes.free()
    claims.free()
    postponed.free()
    offloaded.free()
    rejected.free()
    starts.free()
  }
}
