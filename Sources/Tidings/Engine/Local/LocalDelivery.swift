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
    walking = 1
    emitted &+= 1
    CausalFrame.push(self) { walk(value, emitted) }
    if !queue.isEmpty { drain() }
    walking = 0
    if needsCare { becomeIdle() }
    releaseRemoved()
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
  @inline(never)
  private func becomeIdle() {
    needsCare = false
    cycles.reset()
    if isFinished { clear() }
  }
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

  @inline(never)
  private func drain() {
    withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { buffer in
      let place = buffer.baseAddress!
      while !queue.isEmpty {
        releaseRemoved()
        let note = queue.pop(into: place)
        cycles.removed(note.depth)
        let scope = DetachedScope(unlessIn: note.transaction)
        defer { scope.end() }
        CausalFrame.push(self, depth: note.depth) {
          walk(place.pointee, emitted &- queue.count)
          place.deinitialize(count: 1)
        }
      }
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
    let isOutermost = walking == 0
    walking &+= 1
    CausalFrame.push(self) { call(first) }
    if isOutermost, !queue.isEmpty { drain() }
    walking &-= 1
    if isOutermost {
      if needsCare { becomeIdle() }
      releaseRemoved()
    }
    return subscription
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
