/// What one thread is to notify: the nodes and claims of the batches under way, those of each after those of the batch that it
/// interrupts, and then the nodes that wait for the next. One stack of each for all batches: with stacks that were handed to
/// each batch and given back a diamond took 140 instructions of 2,170 more.
struct NotificationQueue {
  private var nodes = RawStack<NodePointer>()
  private var claims = RawStack<NotificationBatch.Claimed>()
  /// How many nodes are in batches.
  private var taken = 0
  /// The causal depths of what is pending: it is notified later, by the end of a pin or by the outermost notification of the
  /// thread, which is less deep than what caused it. Nodes after the last segment are no deeper than the notification that
  /// delivers them.
  private var segments = RawStack<Segment>()
  /// Those of what is held apart come first.
  private var heldSegments = 0

  /// A run of pending nodes, up to `end`; `.max` while more of its depth may come.
  private struct Segment: BitwiseCopyable {
    var end: Int
    var depth: Int
  }

  /// The name of the graph of all nodes, or else they are of several.
  private var graph: UInt = 0
  private(set) var isMixed = false

  /// Lists of sources that were set when a notification was nested too deep: delivered by the outermost notification, in this
  /// order, before derived values. Those of what is held apart come first.
  var postponed = RawStack<UnsafeRawPointer>()
  private(set) var heldPostponed = 0
  /// How many notifications of derived values this thread has enqueued again, because other threads wrote meanwhile, and the
  /// nodes that it leaves to a task when it has done so for a round: a `set` is not to deliver for all others for ever.
  var repeats = 0
  var offloaded = RawStack<NodePointer>()
  /// Cycles of handlers to be reported at the end of a batch.
  var rejected = RawStack<NodePointer>()

  /// Something waits for the outermost notification of the thread: lists that are postponed have their nodes among the others,
  /// and none is handed on unless some were enqueued again.
  var isPending: Bool { @inline(__always) get { !isEmpty || repeats != 0 } }
  var hasPostponed: Bool { postponed.count > heldPostponed }
  /// Nothing waits for the next batch.
  var isEmpty: Bool { @inline(__always) get { nodes.count == taken } }
  /// All that is pending is in the graph of that name.
  @inline(__always)
  func isOnly(of graph: UInt) -> Bool { !isMixed && self.graph == graph }
  @inline(__always)
  mutating func push(_ node: NodePointer, of graph: UInt) {
    if _slowPath(graph != self.graph) { noteAnother(graph) }
    nodes.push(node)
  }
  /// Of a graph that is not known.
  mutating func push(_ node: NodePointer) {
    isMixed = true
    nodes.push(node)
  }
  @inline(never)
  private mutating func noteAnother(_ graph: UInt) {
    isMixed = nodes.count > 0
    self.graph = graph
  }
  /// The nodes of a batch from `index` on are of another graph: they wait for the next batch, as deep as this one.
  mutating func cut(_ batch: inout NotificationBatch, before index: Int) {
    segments.push(Segment(end: 0, depth: 0))
    for place in (heldSegments..<segments.count - 1).reversed() { segments[place + 1] = segments[place] }
    segments[heldSegments] = Segment(end: taken, depth: batch.depth)
    taken = index
    batch.end(before: index)
  }

  /// What is to be notified now; what comes meanwhile is for the next batch.
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
  /// What is enqueued until `endDeepening` was caused at this depth. One segment for neighbours, of the greatest depth: so
  /// they are notified together. But what a report causes stays apart, as nothing is reported about that.
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

  /// Sets apart what is pending, for a part that has notifications of its own: a report.
  struct Held {
    fileprivate let taken: Int
    fileprivate let segments: Int
    fileprivate let postponed: Int
  }
  mutating func hold() -> Held {
    defer { (taken, heldSegments, heldPostponed) = (nodes.count, segments.count, postponed.count) }
    return Held(taken: taken, segments: heldSegments, postponed: heldPostponed)
  }
  mutating func giveBack(_ held: Held) {
    (taken, heldSegments, heldPostponed) = (held.taken, held.segments, held.postponed)
  }

  /// A batch without nodes, for a claim that is made otherwise.
  func emptyBatch(depth: Int) -> NotificationBatch {
    NotificationBatch(first: taken, index: taken, end: taken, firstClaim: claims.count, depth: depth)
  }
  subscript(index: Int) -> NodePointer { @inline(__always) get { nodes[index] } }

  @inline(__always)
  mutating func push(_ claimed: NotificationBatch.Claimed) { claims.push(claimed) }
  var claimCount: Int { @inline(__always) get { claims.count } }
  func claimed(_ index: Int) -> NotificationBatch.Claimed { claims[index] }

  /// The batch has been notified, and those that have interrupted it.
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
  }
}
