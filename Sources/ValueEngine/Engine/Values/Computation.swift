import Synchronization

/// The computations under way on a thread, and what they have read.
struct Computation: ~Copyable {
  /// One computation. On the stack of the thread.
  struct Frame {
    let node: NodePointer
    /// The first of its reads.
    let base: Int
    /// From this index on the reads are retained: no link keeps them yet.
    var retainedFrom = Int.max
    /// It has read something that is right for this pin only, or its result is for this pin from the beginning.
    var isPrivate: Bool
    let previous: FramePointer?
  }
  typealias FramePointer = UnsafeMutablePointer<Frame>
  struct Read: BitwiseCopyable {
    let node: NodePointer
    let number: UInt
  }

  var frame: FramePointer?
  /// The link of the innermost node that it is expected to read next. Nil: it has read something else.
  var expected: LinkPointer?
  var reads = RawStack<Read>(capacity: 64)
  /// The words 2 to 4 of the long value that was read last.
  var more: (UInt, UInt, UInt) = (0, 0, 0)
  /// The results that are right for this pin alone. A box in it has a reference.
  private(set) var results: [NodePointer: WordBuffer] = [:]
  private(set) var hasPrivate = false
  /// A node was read by its own computation, since this was last reset. Its result then stays private for every pin.
  var hasCycle = false

  mutating func keepPrivate(_ words: WordBuffer, of node: NodePointer) {
    results[node] = words
    hasPrivate = true
  }
  mutating func takePrivate() -> [NodePointer: WordBuffer] {
    defer { (results, hasPrivate) = ([:], false) }
    return results
  }
}

extension ContextPointer {
  /// Runs the node's closure at the snapshot, and publishes the result if it can.
  func compute(_ step: Validation.Step) -> Known {
    if _slowPath(pointee.computation.frame != nil), isComputing(step.node) { return cycle(step.node) }
    var frame = Computation.Frame(
      node: step.node, base: pointee.computation.reads.count, isPrivate: !step.isPublishable,
      previous: pointee.computation.frame)
    let expected = pointee.computation.expected
    var result = WordBuffer()
    return withUnsafeMutablePointer(to: &frame) { frame in
      pointee.computation.frame = frame
      pointee.computation.expected = step.isPublishable ? step.node.firstDep : nil
      result.withWords { into in step.node.pointee.body._withUnsafeGuaranteedRef { $0.compute(into) } }
      pointee.computation.frame = frame.pointee.previous
      pointee.computation.expected = expected
      return publish(step, &result, frame)
    }
  }

  // MARK: Reads

  /// A read in a computation.
  @inline(__always)
  func tracked(_ node: NodePointer) -> Known {
    let known = value(of: node)
    if _slowPath(known.isPrivate) {
      pointee.computation.frame.unsafelyUnwrapped.pointee.isPrivate = true
    } else {
      note(node, known.number)
    }
    return known
  }
  @inline(__always)
  private func note(_ node: NodePointer, _ number: UInt) {
    pointee.computation.reads.push(Computation.Read(node: node, number: number))
    if let link = pointee.computation.expected, _fastPath(link.pointee.dep == node) {
      pointee.computation.expected = link.nextDep
    } else {
      noteNew(node)
    }
  }
  /// A read that the node has no link for at this place: it is retained until it has.
  @inline(never)
  private func noteNew(_ node: NodePointer) {
    let frame = pointee.computation.frame.unsafelyUnwrapped
    if frame.pointee.retainedFrom == .max { frame.pointee.retainedFrom = pointee.computation.reads.count &- 1 }
    pointee.computation.expected = nil
    node.retain()
  }
  /// Forgets the reads of a computation whose result is not published.
  func forgetReads(_ frame: Computation.FramePointer) {
    while pointee.computation.reads.count > frame.pointee.base {
      let read = pointee.computation.reads.pop()
      if pointee.computation.reads.count >= frame.pointee.retainedFrom { releaseLater(read.node) }
    }
  }

  // MARK: Results for this pin alone

  /// Keeps a result until the pin ends. Takes over the box.
  @inline(never)
  func keepPrivate(_ words: WordBuffer, of node: NodePointer) -> Known {
    // Several turns of a validation may come to the same node.
    if let old = pointee.computation.results[node], node.has(Node.isBoxed) { destroyLater(box: old.words.0) }
    pointee.computation.keepPrivate(words, of: node)
    pointee.computation.more = (words.words.1, words.words.2, words.words.3)
    return Known(private: words.words.0)
  }
  func privateResult(of node: NodePointer) -> Known? {
    guard let words = pointee.computation.results[node] else { return nil }
    pointee.computation.more = (words.words.1, words.words.2, words.words.3)
    return Known(private: words.words.0)
  }
  /// Boxes are destroyed at the end of the operation.
  @inline(never)
  func forgetPrivate() {
    for (node, words) in pointee.computation.takePrivate() where node.has(Node.isBoxed) {
      destroyLater(box: words.words.0)
    }
  }

  // MARK: Cycles

  func isComputing(_ node: NodePointer) -> Bool {
    var next = pointee.computation.frame
    while let frame = next {
      if frame.pointee.node == node { return true }
      next = frame.pointee.previous
    }
    return false
  }
  /// The node is read by its own computation: it keeps the value of before, and the reader is not published.
  @inline(never)
  func cycle(_ node: NodePointer) -> Known {
    guard node.pointee.number.load(ordering: .acquiring) != 0 else {
      fatalError("cycle: a value that has never been computed reads itself")
    }
    pointee.computation.hasCycle = true
    // Under the lock, because another thread may replace the box that is being copied.
    let held = HeldLock(node.publicationLock)
    let words = currentWords(of: node)
    if node.has(Node.isBoxed) { retainBox(words.words.0) }
    held.release()
    return keepPrivate(words, of: node)
  }
  func retainBox(_ word: UInt) {
    _ = Unmanaged<AnyBox>.fromOpaque(UnsafeRawPointer(bitPattern: word)!).retain()
  }
}
