import Synchronization

/// The notifications that a thread has to make: those of computed values that its commits have invalidated, and calls that wait for
/// the outermost one.
struct Notifications: ~Copyable {
  /// A computed node with handlers that is to be validated. The entry has a reference to it. It is taken out once the node was
  /// valid in a pin that is later than the commit: until then no other commit that finds the node stale queues it.
  struct Pending: BitwiseCopyable {
    let node: NodePointer
    /// How often others have overtaken the validation.
    var attempts: UInt = 0
    /// The state of the node before the pin, from the second attempt on.
    var before = Watch.State()
  }
  /// A claim to call the handlers of a computed node, with the height of the node.
  struct Claimed: BitwiseCopyable {
    let height: UInt32
    let delivery: Watch.Delivery
  }
  /// The number of deliveries that nest at most. A longer chain of sources takes no more stack.
  static var nestedLimit: Int { 32 }
  /// The number of attempts after which a result that is right for one pin alone is delivered. So handlers are called while others
  /// keep changing the value.
  static var attemptsForPrivate: UInt { 8 }

  fileprivate var pending = RawStack<Pending>()
  fileprivate var claimed = RawStack<Claimed>()
  /// Claims that wait for the outermost call: of sources that were set where deliveries nest too deeply, in the order of the sets.
  fileprivate var postponed = RawStack<Watch.Delivery>()
  fileprivate var firstPostponed = 0
  /// The number of deliveries on the stack.
  fileprivate var nesting = 0
  fileprivate var isDraining = false

  var isEmpty: Bool { @inline(__always) get { pending.count | postponed.count == 0 } }
}

extension ContextPointer {
  /// Queues a computed node with handlers that this thread's commit has invalidated. In the write section, which protects the node.
  @inline(never)
  func enqueue(_ node: NodePointer, attempts: UInt = 0) {
    if node.retainIfAlive() {
      pointee.notifications.pending.push(Notifications.Pending(node: node, attempts: attempts))
    }
  }

  /// Calls the handlers of a source. Takes over the claim. After the commit, with no lock held.
  @inline(never)
  func deliver(_ delivery: Watch.Delivery) {
    if pointee.notifications.nesting >= Notifications.nestedLimit {
      return pointee.notifications.postponed.push(delivery)
    }
    nested { delivery._withUnsafeGuaranteedRef { $0.delivery.deliver() } }
    delivery.release()
  }
  /// Calls the handlers of a computed node: in a handler, when the outermost call continues.
  func deliverAfterSources(_ delivery: Watch.Delivery) {
    if pointee.notifications.nesting == 0, !pointee.notifications.isDraining { return deliver(delivery) }
    pointee.notifications.postponed.push(delivery)
  }
  /// Runs user code during which no handler of a computed value is called: they see all that the handlers of sources have set.
  func nested(_ body: () -> Void) {
    pointee.notifications.nesting += 1
    body()
    pointee.notifications.nesting -= 1
  }

  /// The end of a commit, and of the first call of a handler: calls the handlers of computed values, unless this thread is in a
  /// handler. Then the outermost call does so when that handler has returned.
  @inline(__always)
  func notify() {
    if _slowPath(!pointee.notifications.isEmpty) { drain() }
  }
  @inline(never)
  private func drain() {
    if pointee.notifications.nesting != 0 || pointee.notifications.isDraining { return }
    assert(pointee.thread.snapshot == 0, "a computation notifies no handler")
    pointee.notifications.isDraining = true
    while !pointee.notifications.isEmpty {
      if let delivery = takePostponed() {
        deliver(delivery)
      } else {
        resolveRound()
        deliverRound()
        finish()
      }
    }
    pointee.notifications.isDraining = false
  }
  private func takePostponed() -> Watch.Delivery? {
    if pointee.notifications.postponed.isEmpty { return nil }
    let delivery = pointee.notifications.postponed[pointee.notifications.firstPostponed]
    pointee.notifications.firstPostponed += 1
    // So a chain of any length uses the first place again.
    if pointee.notifications.firstPostponed == pointee.notifications.postponed.count {
      pointee.notifications.postponed.truncate(to: 0)
      pointee.notifications.firstPostponed = 0
    }
    return delivery
  }

  // MARK: A round

  /// Validates all pending nodes in one pin, so the handlers of a round are called with values of one snapshot. Nodes that were
  /// overtaken stay pending.
  private func resolveRound() {
    let count = pointee.notifications.pending.count
    for index in 0..<count where pointee.notifications.pending[index].attempts != 0 { noteState(at: index) }
    pin()
    var kept = 0
    for index in 0..<count {
      var pending = pointee.notifications.pending[index]
      if resolve(pending) {
        releaseLater(pending.node)
      } else {
        pending.attempts &+= 1
        pointee.notifications.pending[kept] = pending
        kept += 1
      }
    }
    // A computation sets no value, so nothing was queued meanwhile.
    assert(pointee.notifications.pending.count == count)
    pointee.notifications.pending.truncate(to: kept)
    unpin()
  }
  /// Validates a node in the pin, and claims the call of its handlers if it has changed. False: a commit has overtaken this thread,
  /// and relies on it.
  private func resolve(_ pending: Notifications.Pending) -> Bool {
    let node = pending.node
    if !node.has(Node.isWatched) { return true }
    pointee.computation.hasCycle = false
    let known = value(of: node)
    if !known.isPrivate {
      if let delivery = follow(node, Watch.Finding(number: known.number, before: pending.before)) {
        claim(delivery, node)
      }
      return true
    }
    let words = self.words(known, of: node)
    // Another thread may have published the node.
    if let delivery = follow(node) { claim(delivery, node) }
    // The result of a value that reads itself is private in every pin. The second attempt has the state that it is compared with.
    let isLast = pointee.computation.hasCycle && pending.attempts != 0
    if isLast || pending.attempts % Notifications.attemptsForPrivate == Notifications.attemptsForPrivate - 1 {
      let finding = Watch.Finding(number: 0, words: words, before: pending.before)
      if let delivery = follow(node, finding) { claim(delivery, node) }
    }
    return isLast
  }
  private func claim(_ delivery: Watch.Delivery, _ node: NodePointer) {
    let height = node.pointee.height.load(ordering: .relaxed)
    pointee.notifications.claimed.push(Notifications.Claimed(height: height, delivery: delivery))
  }
  private func noteState(at index: Int) {
    var pending = pointee.notifications.pending[index]
    pending.before = notifiedState(of: pending.node)
    pointee.notifications.pending[index] = pending
  }

  /// Calls the handlers of the nodes that have changed, inner nodes first. What they set is resolved in the next round.
  private func deliverRound() {
    let count = pointee.notifications.claimed.count
    sortClaimed()
    for index in 0..<count { deliver(pointee.notifications.claimed[index].delivery) }
    pointee.notifications.claimed.truncate(to: 0)
  }
  /// By height; nodes of one height in the order in which they were invalidated. Usually they are in this order already.
  private func sortClaimed() {
    let count = pointee.notifications.claimed.count
    var index = 1
    while index < count,
      pointee.notifications.claimed[index - 1].height <= pointee.notifications.claimed[index].height
    { index += 1 }
    if index >= count { return }
    let all = (0..<count).map { pointee.notifications.claimed[$0] }
    let order = (0..<count).sorted { (all[$0].height, $0) < (all[$1].height, $1) }
    for (place, index) in order.enumerated() { pointee.notifications.claimed[place] = all[index] }
  }
}
