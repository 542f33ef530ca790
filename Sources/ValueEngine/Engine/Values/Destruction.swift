import Synchronization

/// The boxes and bodies that a thread is to destroy. Their `deinit` is user code. It runs outside pins, locks and computations, and one
/// after the other, so that it reads current values and may write, and a chain of deinits takes no stack.
struct Destruction: ~Copyable {
  /// Nodes that have lost a reference, found while a lock was held.
  fileprivate var released = RawStack<NodePointer>()
  fileprivate var objects = RawStack<Unmanaged<AnyObject>>()
  fileprivate var isUnderWay = false
  var isEmpty: Bool { @inline(__always) get { released.count | objects.count == 0 } }
}

extension ContextPointer {
  /// Destroys the box later.
  func destroyLater(box word: UInt) {
    let box = Unmanaged<AnyBox>.fromOpaque(UnsafeRawPointer(bitPattern: word)!)
    pointee.destruction.objects.push(Unmanaged<AnyObject>.fromOpaque(box.toOpaque()))
  }
  func destroyLater(_ body: Unmanaged<Body>) {
    pointee.destruction.objects.push(Unmanaged<AnyObject>.fromOpaque(body.toOpaque()))
  }
  func destroyLater(_ watch: Unmanaged<Watch>) {
    pointee.destruction.objects.push(Unmanaged<AnyObject>.fromOpaque(watch.toOpaque()))
  }
  @inline(__always)
  func releaseLater(_ node: NodePointer) { pointee.destruction.released.push(node) }

  /// The end of an operation: destroys what it has left, unless a computation or a destruction on this thread is under way.
  @inline(__always)
  func finish() {
    if _slowPath(!pointee.destruction.isEmpty) { finishSlowly() }
  }
  @inline(never)
  private func finishSlowly() {
    if pointee.destruction.isUnderWay || pointee.thread.snapshot != 0 || pointee.commit.isUnderWay { return }
    pointee.destruction.isUnderWay = true
    while !pointee.destruction.isEmpty {
      if !pointee.destruction.released.isEmpty {
        let node = pointee.destruction.released.pop()
        if node.release() { end(node) }
      } else {
        pointee.destruction.objects.pop().release()
      }
    }
    pointee.destruction.isUnderWay = false
  }

  /// Nothing refers to the node any more: takes it out of the graph, and retires it.
  private func end(_ node: NodePointer) {
    // Under the lock, so that no thread that reached it through an old link publishes it again.
    let held = HeldLock(node.publicationLock)
    node.pointee.publications.store(Node.ended, ordering: .relaxed)
    var next = node.firstDep
    node.pointee.deps.store(0, ordering: .releasing)
    held.release()
    while let link = next {
      next = link.nextDep
      releaseLater(link.pointee.dep)
      detach(link)
    }
    // The end, then marks and pins: a thread that validates through an old link marks the node and then finds that it has ended, or
    // its mark and its pin are found here.
    fullFence()
    if isAlone(node) || !leaveContents(of: node) { destroyContents(of: node) }
  }
  /// Leaves the node to a pin of another thread that may be computing it. False if there is none.
  @inline(never)
  private func leaveContents(of node: NodePointer) -> Bool {
    var isPinned = false
    ThreadRecord.forEach(but: pointee.thread.record) { record in
      isPinned = record.pointee.pin.load(ordering: .acquiring) != 0
      return !isPinned
    }
    if !isPinned { return false }
    // A pin that begins later cannot reach the node. A new epoch distinguishes it from those that can.
    let stamp = clockWord.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    let retained = RetainedVersion(from: 0, until: stamp, node) {
      Context.current.destroyContents(of: $0.assumingMemoryBound(to: Node.self))
    }
    return thread.leaveToPin(retained)
  }
  /// No thread but this one has computed or read the node.
  private func isAlone(_ node: NodePointer) -> Bool {
    let mark = node.pointee.mark.load(ordering: .acquiring)
    return !node.has(Node.isShared) && (mark == 0 || ReadMark(mark).thread == pointee.marks.thread)
  }
  /// Destroys the closure, with all that it captures, and the value. The memory is reclaimed later: commits may be following links.
  private func destroyContents(of node: NodePointer) {
    let word = node.pointee.value.load(ordering: .acquiring)
    if node.has(Node.isBoxed), word != 0 { destroyLater(box: word) }
    destroyLater(node.pointee.body)
    if let watch = node.watch { destroyLater(watch) }
    Reclaimer.retire(node, thread) {
      Context.current.pointee.memory.takeBack($0.assumingMemoryBound(to: Node.self))
    }
  }
}
