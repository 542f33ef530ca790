import Synchronization

extension ContextPointer {
  /// Publishes the result of a computation, if nothing has overtaken it. Takes over the box of the result.
  @inline(__always)
  func publish(
    _ step: Validation.Step, _ result: inout WordBuffer, _ frame: Computation.FramePointer
  ) -> Known {
    let node = step.node
    if step.isPublishable { node.pointee.validator.store(0, ordering: .relaxed) }
    if _slowPath(frame.pointee.isPrivate) {
      forgetReads(frame)
      return keepPrivate(result, of: node)
    }
    // `==` is user code: it runs before the lock, against the version that `publications` stands for.
    let body = node.pointee.body._withUnsafeGuaranteedRef { $0.isComparedByBits }
    let isEqual: Bool? = _fastPath(body) ? nil : equalsOld(step, &result)

    let held = HeldLock(node.publicationLock)
    // The commit's word in `staledAt` need not be looked at: the last look would find it. It saves the writes.
    if _slowPath(
      node.pointee.publications.load(ordering: .relaxed) != step.publications
        || node.pointee.staledAt.load(ordering: .relaxed) != step.staledAt
        || node.pointee.validFor.load(ordering: .relaxed) == step.staledAt)
    {
      held.release()
      forgetReads(frame)
      return overtaken(node, result)
    }
    var number = node.pointee.number.load(ordering: .relaxed)
    var oldBox: UInt = 0
    if number == 0 || !(isEqual ?? node.hasBits(&result)) {
      number &+= 1
      if _slowPath(node.has(Node.isBoxed)) { oldBox = node.pointee.value.load(ordering: .relaxed) }
      result.withWords { node.storeWords($0, number: number) }
    } else if _slowPath(node.has(Node.isBoxed)) {
      // The earlier box stays: the versions are equal.
      destroyLater(box: result.words.0)
      result.words.0 = node.pointee.value.load(ordering: .relaxed)
    }
    node.pointee.from.store(pointee.thread.snapshot, ordering: .relaxed)
    let isOpen = link(node, frame)
    node.pointee.publications.store(step.publications &+ 1, ordering: .releasing)
    // A thread that finds it valid finds the value, its number and `from`.
    if _fastPath(isOpen) { node.pointee.validFor.store(step.staledAt, ordering: .releasing) }
    if _slowPath(node.has(Node.isBoxed)) { retainBox(result.words.0) }
    held.release()
    // See `confirm`.
    fullFence()
    let isValid = isOpen && node.pointee.staledAt.load(ordering: .acquiring) == step.staledAt
    if _slowPath(node.has(Node.isBoxed)) {
      if oldBox != 0 { replaced(oldBox, of: node) }
      if isValid { destroyLater(box: result.words.0) }
    }
    if _slowPath(!isValid) { return keepPrivate(result, of: node) }
    if _slowPath(node.has(Node.isLong)) {
      pointee.computation.more = (result.words.1, result.words.2, result.words.3)
    }
    return Known(result.words.0, number)
  }

  /// Whether the result equals the version that `publications` stands for. If that is being replaced, any answer will do.
  @inline(never)
  private func equalsOld(_ step: Validation.Step, _ result: inout WordBuffer) -> Bool {
    let node = step.node
    let number = node.pointee.number.load(ordering: .acquiring)
    if number == 0 { return false }
    var old = WordBuffer()
    if node.has(Node.isBoxed) {
      // Under the lock, because another publication may replace the box.
      let held = HeldLock(node.publicationLock)
      old = currentWords(of: node)
      retainBox(old.words.0)
      held.release()
    } else {
      old = currentWords(of: node)
      atomicMemoryFence(ordering: .acquiring)
      // `==` sees no torn value.
      if node.pointee.number.load(ordering: .relaxed) != number { return false }
    }
    // A value that `==` reads is no dependency.
    let frame = pointee.computation.frame
    pointee.computation.frame = nil
    defer { pointee.computation.frame = frame }
    let isEqual = node.pointee.body._withUnsafeGuaranteedRef { body in
      old.withWords { old in result.withWords { body.areEqual(old, $0) } }
    }
    if node.has(Node.isBoxed) { destroyLater(box: old.words.0) }
    return isEqual
  }

  /// Another thread has published the node, or a commit has invalidated it. Its result, if that is right for this snapshot.
  @inline(never)
  private func overtaken(_ node: NodePointer, _ result: WordBuffer) -> Known {
    if let known = knownNow(node) {
      if node.has(Node.isBoxed) { destroyLater(box: result.words.0) }
      return known
    }
    return keepPrivate(result, of: node)
  }
  /// The box of an earlier result was replaced. A pin of an earlier epoch may be copying from it. After the fence.
  ///
  /// The pin may be older than `from`, which a validation has moved since the box was published.
  @inline(never)
  private func replaced(_ box: UInt, of node: NodePointer) {
    // A commit has invalidated the node since any such pin read it, and found its mark: the clock is later than the pin.
    let until = clockWord.pointee.load(ordering: .acquiring)
    let mark = node.pointee.mark.load(ordering: .acquiring)
    let isAlone = !node.has(Node.isShared) && ReadMark(mark).thread == pointee.marks.thread
    if !isAlone, ThreadRecord.isPinned(from: 0, until: until, but: pointee.thread.record) {
      let retained = RetainedVersion(from: 0, until: until, UnsafeMutableRawPointer(bitPattern: box)!) {
        Context.current.destroyLater(box: UInt(bitPattern: $0))
      }
      if thread.leaveToPin(retained) { return }
    }
    destroyLater(box: box)
  }
}

extension NodePointer {
  /// Whether the node's value has these bits. Under its publication lock.
  @inline(__always)
  fileprivate func hasBits(_ words: inout WordBuffer) -> Bool {
    pointee.value.load(ordering: .relaxed) == words.words.0
      && (_fastPath(!has(Node.isLong)) || loadMoreWords() == (words.words.1, words.words.2, words.words.3))
  }
}
