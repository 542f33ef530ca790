import Synchronization

/// The nodes that a thread is validating, outermost first. A loop, so a chain of a million values takes no stack; only a first
/// computation nests.
struct Validation: ~Copyable {
  struct Step: BitwiseCopyable {
    let node: NodePointer
    /// The link to what is looked at next.
    var link: LinkPointer?
    /// The word for which the result is valid: loaded before anything that the node depends on is looked at. A commit that comes later
    /// makes another of it.
    let staledAt: UInt
    let publications: UInt

    /// Not so if the node is known from a later epoch on only: then it is computed for this pin alone.
    @inline(__always)
    var isPublishable: Bool { publications != Node.ended }
  }
  var path = RawStack<Step>(capacity: 64)
}

extension ContextPointer {
  /// The value of a computed node at the snapshot: validated, or computed, and published if it can be.
  @inline(__always)
  func validate(_ root: NodePointer) -> Known {
    let known = begin(root)
    return _fastPath(!known.isAgain) ? known : continueValidation()
  }
  /// Validates the topmost node of the path, and those that it waits for.
  @inline(never)
  private func continueValidation() -> Known {
    let base = pointee.validation.path.count &- 1
    var answer = Known.again
    while true {
      let top = pointee.validation.path[pointee.validation.path.count &- 1]
      let isUnchanged = isUnchanged(top, &answer)
      if isUnchanged == nil { continue }
      let step = pointee.validation.path.pop()
      answer = isUnchanged == true ? confirm(step) : compute(step)
      if _slowPath(answer.isAgain) {
        // Another thread has published the node meanwhile.
        answer = begin(step.node)
        if answer.isAgain { continue }
      }
      if pointee.validation.path.count == base { return answer }
    }
  }
  /// Whether all that the node has read is what it was; nil if it waits for a node that is now on top of the path. `answer` is that of
  /// the node that it was waiting for, or `again`.
  @inline(__always)
  private func isUnchanged(_ top: Validation.Step, _ answer: inout Known) -> Bool? {
    if top.node.pointee.number.load(ordering: .relaxed) == 0 { return false }
    var next = top.link
    // A node without links was unlinked, or never read anything: it is computed.
    guard var link = next else { return false }
    if !answer.isAgain {
      if answer.number != link.pointee.number.load(ordering: .relaxed) { return false }
      next = link.nextDep
    }
    while next != nil {
      link = next.unsafelyUnwrapped
      let dep = link.pointee.dep
      let known = dep.has(Node.isSource) ? source(dep) : begin(dep)
      if known.isAgain {
        let index = pointee.validation.path.count &- 2
        var waiting = pointee.validation.path[index]
        waiting.link = link
        pointee.validation.path[index] = waiting
        answer = .again
        return nil
      }
      if known.number != link.pointee.number.load(ordering: .relaxed) { return false }
      next = link.nextDep
    }
    return true
  }

  /// The value, if it is known already; else the node is put on the path: `again`.
  @inline(__always)
  func begin(_ node: NodePointer) -> Known {
    mark(node)
    let number = node.pointee.number.load(ordering: .acquiring)
    let publications = node.pointee.publications.load(ordering: .acquiring)
    let validFor = node.pointee.validFor.load(ordering: .acquiring)
    let staledAt = node.pointee.staledAt.load(ordering: .acquiring)
    if validFor == staledAt {
      if _fastPath(node.pointee.from.load(ordering: .relaxed) <= pointee.thread.snapshot),
        let known = known(node, number), _fastPath(publications != Node.ended)
      {
        return known
      }
    } else if _fastPath(
      !pointee.computation.hasPrivate && publications != Node.ended
        && node.pointee.validator.load(ordering: .relaxed) != pointee.thread.number)
    {
      return push(node, staledAt, publications)
    }
    return beginSlowly(node)
  }
  @inline(__always)
  private func push(_ node: NodePointer, _ staledAt: UInt, _ publications: UInt) -> Known {
    node.pointee.validator.store(pointee.thread.number, ordering: .relaxed)
    pointee.validation.path.push(
      Validation.Step(node: node, link: node.firstDep, staledAt: staledAt, publications: publications))
    return .again
  }
  @inline(never)
  private func beginSlowly(_ node: NodePointer) -> Known {
    while true {
      mark(node)
      // Before the newest value: the same pin is answered the same.
      if pointee.computation.hasPrivate, let known = privateResult(of: node) { return known }
      let publications = node.pointee.publications.load(ordering: .acquiring)
      // Reached through a link that is no more: the node above is computed.
      if publications == Node.ended { return Known(private: 0) }
      if let known = knownNow(node) { return known }
      if isOnPath(node) { return Known(private: 0) }
      let validFor = node.pointee.validFor.load(ordering: .acquiring)
      let staledAt = node.pointee.staledAt.load(ordering: .acquiring)
      if validFor != staledAt { return push(node, staledAt, publications) }
      if node.pointee.from.load(ordering: .relaxed) > pointee.thread.snapshot {
        return push(node, 0, Node.ended)
      }
    }
  }
  /// The node is being validated, not computed: a link of an earlier time closes a ring, and the node above is computed.
  private func isOnPath(_ node: NodePointer) -> Bool {
    if isComputing(node) { return false }
    for index in 0..<pointee.validation.path.count where pointee.validation.path[index].node == node { return true }
    return false
  }

  /// Everything that the node has read is as it was: it is valid without being computed.
  @inline(__always)
  private func confirm(_ step: Validation.Step) -> Known {
    if _slowPath(!step.isPublishable) { return compute(step) }
    let node = step.node
    node.pointee.validator.store(0, ordering: .relaxed)
    let held = HeldLock(node.publicationLock)
    if _slowPath(node.pointee.publications.load(ordering: .relaxed) != step.publications) {
      held.release()
      return .again
    }
    let number = node.pointee.number.load(ordering: .relaxed)
    let word = node.pointee.value.load(ordering: .acquiring)
    if _slowPath(node.has(Node.isLong)) { pointee.computation.more = node.loadMoreWords() }
    // Not for an older word than it is valid for.
    if node.pointee.staledAt.load(ordering: .relaxed) == step.staledAt,
      node.pointee.validFor.load(ordering: .relaxed) != step.staledAt
    {
      node.pointee.from.store(pointee.thread.snapshot, ordering: .relaxed)
      // A dependency may have changed its height without changing its value.
      node.storeHeight()
      // A thread that finds it valid finds this `from`, or a later one.
      node.pointee.validFor.store(step.staledAt, ordering: .releasing)
    }
    // A box that is not published keeps this thread's result alone.
    let isOvertaken = node.pointee.staledAt.load(ordering: .acquiring) != step.staledAt
    if _slowPath(isOvertaken && node.has(Node.isBoxed)) { retainBox(word) }
    held.release()
    // Between the publication and the last look: the commit has a fence between its invalidation and its look at `validFor`, so one
    // of the two sees the other.
    fullFence()
    if _fastPath(node.pointee.staledAt.load(ordering: .acquiring) == step.staledAt) { return Known(word, number) }
    if !isOvertaken, node.has(Node.isBoxed) { return .again }
    let more = pointee.computation.more
    var words = WordBuffer()
    words.words = (word, more.0, more.1, more.2)
    return keepPrivate(words, of: node)
  }
}
