import Synchronization

// Begins and ends to watch a node: its first handler makes it notify, its last one lets it be lazy again.
extension ContextPointer {
  /// Adds a handler at a moment at which the handlers before it were notified of the value, or are sure to be. It receives every
  /// later change and none before. `addHandler` gets the words of that value under a lock of the engine, so it runs no user code.
  func attach(
    _ node: NodePointer, _ new: Watch, _ addHandler: (any ChangeDelivery, UnsafePointer<UInt>) -> Void
  ) {
    precondition(pointee.thread.snapshot == 0, "a computation adds no handler")
    if node.has(Node.isSource) {
      attach(toSource: node, new, addHandler)
    } else {
      attach(toComputed: node, new, addHandler)
    }
  }

  /// Under the source's lock, which orders the handler and the commits.
  private func attach(
    toSource node: NodePointer, _ new: Watch, _ addHandler: (any ChangeDelivery, UnsafePointer<UInt>) -> Void
  ) {
    let lock = SourceLock(node, pointee.thread.nextCommitWord())
    let watch = node.watch(orKeep: new)
    node.add(Node.isWatched)
    var words = currentWords(of: node)
    words.withWords { addHandler(watch.delivery, $0) }
    lock.release()
  }

  /// Validates the node, then adds the handler under the publication lock, which orders it and the versions that handlers are
  /// notified of. Another thread may have invalidated the node again by then. Then this thread notifies the handler of that change.
  private func attach(
    toComputed node: NodePointer, _ new: Watch, _ addHandler: (any ChangeDelivery, UnsafePointer<UInt>) -> Void
  ) {
    var attempts: UInt = 0
    while true {
      let before = notifiedState(of: node)
      pin()
      pointee.computation.hasCycle = false
      let known = value(of: node)
      var finding = Watch.Finding(number: known.number, before: before)
      if known.isPrivate { finding.words = words(known, of: node) }
      // A private result is overtaken by now. The newest is sought, as often as others keep changing the value.
      var (isAdded, delivery): (Bool, Watch.Delivery?) = (false, nil)
      if !known.isPrivate || pointee.computation.hasCycle || attempts >= Notifications.attemptsForPrivate {
        (isAdded, delivery) = add(to: node, finding, new, addHandler)
      }
      unpin()
      if let delivery { deliverAfterSources(delivery) }
      if isAdded {
        // The flag, then the look at validity: a commit invalidates, and then looks at the flag, after a fence.
        fullFence()
        // The caller has a reference. After a private result the state is compared from the first attempt on.
        if known.isPrivate {
          enqueue(node, attempts: 1)
        } else if !node.isValid {
          enqueue(node)
        }
        return
      }
      finish()
      attempts += 1
    }
  }
  /// False if the result is not the newest any more. With the claim, if the handlers before this one are to be called.
  private func add(
    to node: NodePointer, _ finding: Watch.Finding, _ new: Watch,
    _ addHandler: (any ChangeDelivery, UnsafePointer<UInt>) -> Void
  ) -> (Bool, Watch.Delivery?) {
    var compared: Watch.Comparison?
    var delivery: Watch.Delivery?
    while true {
      let held = HeldLock(node.publicationLock)
      let watch = node.watch(orKeep: new)
      if finding.isPrivate, !finding.isNewest(of: node, watch) {
        held.release()
        return (false, delivery)
      }
      var step = Watch.Step.done
      if node.has(Node.isWatched) {
        step = advance(node, finding, compared)
      } else {
        begin(watch, of: node, finding)
      }
      if case .compare(var comparison) = step {
        held.release()
        compare(&comparison, of: node)
        compared = comparison
        continue
      }
      if case .deliver(let claimed) = step { delivery = claimed }
      var words = watch.notified.words
      words.withWords { addHandler(watch.delivery, $0) }
      // From now on commits queue the node, and keep it linked.
      if !node.has(Node.isWatched) { node.add(Node.isWatched) }
      held.release()
      return (true, delivery)
    }
  }
  /// The first handler is about to be added. The watch has a reference to the node: a subscription keeps what is derived from a source.
  private func begin(_ watch: Watch, of node: NodePointer, _ finding: Watch.Finding) {
    let words = finding.isPrivate ? finding.words : currentWords(of: node)
    if node.has(Node.isBoxed) { retainBox(words.words.0) }
    watch.notified = Watch.Notified(
      words: words, number: node.pointee.number.load(ordering: .relaxed), isPrivate: finding.isPrivate,
      count: watch.notified.count &+ 1)
    node.retain()
  }

  /// A handler of a computed node has ended. The last one lets the node be lazy again: commits that find it stale unlink it, and
  /// nothing computes it until it is read. The caller has a reference.
  func unwatchIfEmpty(_ node: NodePointer) {
    let held = HeldLock(node.publicationLock)
    guard node.has(Node.isWatched), let watch = node.watch?.takeUnretainedValue(), watch.delivery.isEmpty else {
      return held.release()
    }
    node.remove(Node.isWatched)
    let last = watch.notified
    watch.notified = Watch.Notified(count: last.count &+ 1)
    held.release()
    if node.has(Node.isBoxed) { destroyLater(box: last.words.words.0) }
    releaseLater(node)
    finish()
  }

  // MARK: What a result is compared with

  /// The state of a node, before a pin.
  func notifiedState(of node: NodePointer) -> Watch.State {
    let held = HeldLock(node.publicationLock)
    let state = Watch.State(
      count: node.watch?._withUnsafeGuaranteedRef { $0.notified.count } ?? 0,
      publications: node.pointee.publications.load(ordering: .relaxed))
    held.release()
    return state
  }
  /// The words of a result that was found last.
  func words(_ known: Known, of node: NodePointer) -> WordBuffer {
    var buffer = WordBuffer()
    buffer.words.0 = known.word
    if node.has(Node.isLong) {
      let more = pointee.computation.more
      (buffer.words.1, buffer.words.2, buffer.words.3) = more
    }
    return buffer
  }
}
