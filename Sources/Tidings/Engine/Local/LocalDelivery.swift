/// The delivering side of a `LocalEvent`.
package final class LocalDelivery<Payload>: LocalHandlerList {
  @exclusivity(unchecked) private var queue: RawRingBuffer
  @exclusivity(unchecked) private var cycles = CycleGuard()
  /// `LocalHandlerSlot<Payload>.self`, stored: naming it in unspecialised code looks up its metadata, as in `Delivery`.
  private let plainSlot: LocalHandlerSlot<Payload>.Type

  override init(_ identity: consuming EventIdentity, _ policy: DeliveryPolicy) {
    plainSlot = LocalHandlerSlot<Payload>.self
    queue = RawRingBuffer(of: Payload.self)
    super.init(identity, policy)
  }
  deinit { queue.takeAll().destroy(Payload.self) }

  override var waiting: Int { queue.count }

  @inline(__always)
  func emit(_ value: Payload) {
    if live == 0 { return ignore() }
    if walking != 0 { return emitDuringDelivery(value) }
    if CausalFrame.isRestricted, rejectsNested() { return }
    walking = 1
    emitted &+= 1
    CausalFrame.push(self) { walk(value, emitted) }
    if needsCare { settle() }
    walking = 0
  }
  @inline(__always)
  private func ignore() { if isFinished { reportFinished() } }

  /// From a handler of this event.
  @inline(never)
  private func emitDuringDelivery(_ value: Payload) {
    if isFinished { return reportFinished() }
    if policy == .immediate { return nest(value) }
    if rejectsAnother() { return }
    emitted &+= 1
    let depth = CausalFrame.currentDepth + 1
    cycles.added(depth)
    queue.push(value, nil, depth: depth, chain: 0, own: true, in: DetachedScope.transactionNumber)
  }
  /// Rejects a value for which the stack has no room. It cannot be left to the trampoline: when `emit` has returned, other code
  /// may use the event, also on another thread.
  @inline(never)
  private func rejectsNested() -> Bool { isStackUsed && CausalFrame.isDeep && Diagnostics.rejectsNesting(of: self) }
  override var canOwnTrampoline: Bool { policy == .serial }
  override func ownTrampoline() { needsCare = true }

  /// Whether a value that is emitted now closes a cycle. Reported once, until nothing waits. All that waits was caused by one
  /// outermost value: in one isolation there is one causal chain at a time.
  func rejectsAnother() -> Bool {
    if walking == 0 || policy == .immediate { return false }
    let depth = CausalFrame.currentDepth + 1
    needsCare = true
    let verdict = cycles.judge(depth, of: 0, limit: identity.queuedLimit, in: queue)
    if verdict == .rejected { Diagnostics.reportCycle(through: self, depth: depth) }
    return verdict != .admitted
  }
  private func nest(_ value: Payload) {
    if Diagnostics.rejectsNesting(of: self) { return }
    walking &+= 1
    emitted &+= 1
    CausalFrame.push(self) { walk(value, emitted) }
    walking &-= 1
  }

  /// After the outermost value, while no handler runs: what its handlers have left to do. What a release destroys may emit and
  /// cancel in turn, so it is released here, one after the other, and takes no stack.
  @inline(never)
  private func settle() {
    var depth = CausalFrame.currentDepth + 1
    while needsCare {
      if Trampoline.waits(for: self) { CausalFrame.push(self, depth: depth) { Trampoline.run(by: self, nil) } }
      if hasRemoved {
        // If emissions nest, each release counts as one level deeper, so that a cycle of releases ends.
        if policy == .immediate { depth += 1 }
        CausalFrame.push(self, depth: depth) { releaseRemoved() }
      } else if !queue.isEmpty {
        depth = deliverNext()
      } else if isFinished, live > 0 {
        CausalFrame.push(self, depth: depth) { clear() }
      } else {
        needsCare = false
        cycles.reset()
      }
    }
  }
  private func deliverNext() -> Int {
    withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { buffer in
      let place = buffer.baseAddress!
      let note = queue.pop(into: place)
      cycles.removed(note.depth)
      let scope = DetachedScope(unlessIn: note.transaction)
      defer { scope.end() }
      CausalFrame.push(self, depth: note.depth) {
        walk(place.pointee, emitted &- queue.count)
        place.deinitialize(count: 1)
      }
      return note.depth
    }
  }

  @inline(__always)
  private func walk(_ value: Payload, _ number: Int) {
    let count = count
    var index = 0
    while index < count {
      let entry = entries.unsafelyUnwrapped[index]
      index &+= 1
      if entry == 0 { continue }
      Unmanaged<LocalHandlerSlot<Payload>>.fromOpaque(UnsafeRawPointer(bitPattern: entry).unsafelyUnwrapped)
        ._withUnsafeGuaranteedRef { if $0.receives(number) { $0.call(value) } }
    }
  }

  @inline(never)
  func attach(_ call: @escaping (Payload) -> Void, owned: Bool, _ site: CallSite) -> LocalSubscription {
    let subscription = LocalSubscription(self)
    add(plainSlot.init(call, owned: owned, site: site), for: subscription)
    return subscription
  }

  /// The same for a handler that is called with a first value. What that call emits is delivered after it, like what a handler
  /// emits.
  func attach(_ call: @escaping (Payload) -> Void, first: Payload, _ site: CallSite) -> LocalSubscription {
    let subscription = attach(call, owned: false, site)
    begin(call, with: first)
    return subscription
  }
  func begin(_ call: (Payload) -> Void, with first: Payload) {
    let isOutermost = walking == 0
    walking &+= 1
    CausalFrame.push(self) { call(first) }
    if isOutermost, needsCare { settle() }
    walking &-= 1
  }

  /// The same for a handler that can end itself. It is kept by the event and not by its token.
  func attach(_ call: @escaping (Payload) -> Void, _ selfCancellation: LocalSelfCancellation, _ site: CallSite)
    -> LocalSubscription
  {
    let subscription = LocalSubscription(self)
    selfCancellation.subscription = subscription
    add(LocalSelfCancellingSlot(call, selfCancellation, site: site), for: subscription)
    return subscription
  }
}
