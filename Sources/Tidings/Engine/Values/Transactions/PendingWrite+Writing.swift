import Synchronization

/// These are methods of the pointer and not of the struct, because user code that runs meanwhile may read and write the same value.
extension PendingWritePointer {
  /// Destroys the write and the values that it holds.
  @inline(__always)
  func destroy(_ context: ContextPointer) {
    let node = pointee.node
    guard _fastPath(pointee.rare == nil && pointee.state.updates == nil && node.pointee.isPlain) else {
      return destroyAll(context)
    }
    if let result = pointee.state.result { takeBack(result, of: node, context) }
    pointee.release()
  }
  @inline(never)
  private func destroyAll(_ context: ContextPointer) {
    Self.destroy(pointee.state, of: pointee.node, context)
    if let rare = pointee.rare { for state in rare.history { Self.destroy(state, of: pointee.node, context) } }
    pointee.release()
    deinitialize(count: 1)
  }
  private var rare: PendingWrite.Rare {
    if let rare = pointee.rare { return rare }
    let new = PendingWrite.Rare()
    pointee.rare = new
    return new
  }
  static func destroy(_ state: PendingWrite.State, of node: NodePointer, _ context: ContextPointer) {
    guard let result = state.result else { return }
    if !node.pointee.isPlain { Context.destroyValue(of: result, node) }
    takeBack(result, of: node, context)
  }

  /// The address of the value that this thread sees.
  var place: UnsafeMutableRawPointer { address(in: pointee.state.result.unsafelyUnwrapped) }
  private func address(in version: VersionPointer) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(version) + pointee.node.pointee.valueOffset
  }
  private func copy(_ version: VersionPointer, _ context: ContextPointer) -> VersionPointer {
    let new = context.pointee.memory.takeVersion(for: pointee.node)
    pointee.node.pointee.body._withUnsafeGuaranteedRef { $0.values.copy(address(in: version), address(in: new)) }
    return new
  }

  // MARK: Writing

  @inline(__always)
  func set(_ version: VersionPointer, _ log: WriteLogPointer, _ context: ContextPointer) {
    if _fastPath(pointee.writeCount == 0 && log.pointee.level == 1) {
      pointee.writeCount = 1
      pointee.state.isEmpty = false
      pointee.state.result = version
      return
    }
    replaceState(PendingWrite.State(result: version, isEmpty: false), log, context)
  }
  /// - Parameter base: The number of the version that the update was applied to, if it is the first write.
  func update(
    _ version: VersionPointer, _ base: UInt, _ log: WriteLogPointer, _ context: ContextPointer,
    _ update: @escaping PendingWrite.Update
  ) {
    log.pointee.hasUpdates = true
    var next = PendingWrite.State(result: version, isEmpty: false)
    next.isBound = pointee.state.isEmpty || pointee.state.isBound
    if next.isBound {
      next.base = pointee.state.isEmpty ? base : pointee.state.base
      let updates = PendingWrite.Updates((pointee.state.updates?.all ?? []) + [update])
      // Another update that is applied again may make this write, after one of this value has thrown.
      updates.failure = pointee.state.updates?.failure
      next.updates = updates
    }
    replaceState(next, log, context)
  }
  @inline(never)
  private func replaceState(_ new: PendingWrite.State, _ log: WriteLogPointer, _ context: ContextPointer) {
    let old = pointee.state
    pointee.state = new
    pointee.writeCount &+= 1
    if log.pointee.level > 1 {
      rare.history.append(old)
      log.pointee.note(self)
    } else {
      Self.destroy(old, of: pointee.node, context)
    }
  }
  /// Undoes the last write. Returns the state that is to be destroyed.
  func undo() -> PendingWrite.State {
    pointee.writeCount &+= 1
    let undone = pointee.state
    pointee.state = rare.history.removeLast()
    return undone
  }

  // MARK: Committing

  /// Applies the updates again if another thread has changed the value. Does nothing while they are being applied again: an update
  /// that reads this value then gets the result of the updates before it.
  func rebase(_ context: ContextPointer) {
    guard !pointee.isEmpty, pointee.state.isBound, !pointee.isApplying else { return }
    guard let (committed, number) = newest(unless: pointee.state.base) else { return }
    pointee.isApplying = true
    let updates = pointee.state.updates!.all
    pointee.state.updates = PendingWrite.Updates(updates)
    replaceResult(committed, context)
    pointee.state.base = number
    for update in updates {
      let next = copy(pointee.state.result!, context)
      do {
        try update(address(in: next))
        replaceResult(next, context)
      } catch {
        // An update that throws is left out.
        if pointee.state.updates?.failure == nil { pointee.state.updates?.failure = error }
        Context.destroyVersion(next, of: pointee.node, context)
      }
    }
    pointee.isApplying = false
  }
  /// A copy of the newest value, and its version, unless that is `base`.
  private func newest(unless base: UInt? = nil) -> (VersionPointer, UInt)? {
    let node = pointee.node
    let graph = Graph.take(of: node)
    defer { Graph.giveBack(graph, of: node) }
    let newest = node.pointee.latest.unsafelyUnwrapped
    return newest.pointee.number == base ? nil : (Graph.copy(of: newest, in: node), newest.pointee.number)
  }
  private func replaceResult(_ version: VersionPointer, _ context: ContextPointer) {
    let old = pointee.state.result!
    pointee.state.result = version
    pointee.writeCount &+= 1
    Context.destroyVersion(old, of: pointee.node, context)
  }

  /// Asks the policy whether there is a change.
  func compare(_ context: ContextPointer) {
    pointee.rare?.compared = nil
    guard !pointee.isEmpty, let policy = pointee.node.pointee.body._withUnsafeGuaranteedRef({ $0.values.areEqual })
    else { return }
    let (committed, number) = newest()!
    // Pass a copy, because the policy may write.
    let (own, writeCount) = (copy(pointee.state.result!, context), pointee.writeCount)
    let isEqual = policy(address(in: committed), address(in: own))
    rare.compared = PendingWrite.Compared(number: number, writeCount: writeCount, isEqual: isEqual)
    Context.destroyVersion(committed, of: pointee.node, context)
    Context.destroyVersion(own, of: pointee.node, context)
  }
  @inline(__always)
  func prepare() {
    pointee.commit = Commit()
    pointee.expected = nil
    pointee.fresh = pointee.state.result
    if _slowPath(pointee.isEmpty || pointee.state.isBound || pointee.rare != nil) { prepareRare() }
  }
  @inline(never)
  private func prepareRare() {
    pointee.fresh = nil
    guard !pointee.isEmpty else { return }
    let compared = pointee.rare?.compared
    let isUnchanged = compared.map { $0.isEqual && $0.writeCount == pointee.writeCount } ?? false
    pointee.expected = pointee.state.isBound ? pointee.state.base : compared?.number
    pointee.fresh = isUnchanged ? nil : pointee.state.result
  }
  /// Passes the new version to the node, and takes the old one in exchange, to destroy it later. Call under the lock.
  func handOver() { pointee.state.result = pointee.commit.old }

  func notify(_ here: (any Actor)?, _ context: ContextPointer) {
    let node = pointee.node
    if pointee.commit.outcome.isToBeReported {
      return node.pointee.body._withUnsafeGuaranteedRef {
        Diagnostics.reportCycle(through: $0, depth: CausalFrame.causalDepth(context))
      }
    }
    guard let claim = pointee.commit.claim, let list = node.pointee.list?.takeUnretainedValue() else { return }
    if node.pointee.isCautious.load(ordering: .relaxed) {
      list.prepareInbox(DeliveryContext(here: here, counter: nil))
    }
    list.deliverInbox(claim, here)
  }
}
