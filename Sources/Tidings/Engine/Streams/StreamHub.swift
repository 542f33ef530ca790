import Synchronization

/// The buffers of one stream, one for each consumer: filled by the delivering thread, emptied by the consumers.
///
/// A consumer that finds no value suspends; the thread that fills resumes it once, however many values come until then. Where
/// nothing is ever dropped it takes all that waits in one step, and reads it without the lock; `epoch` says whether it still
/// may. One that is ahead of the thread that fills waits a moment before it takes more, so that the two hardly contend for the lock;
/// see `ConsumerPace`. Values are destroyed outside the lock.
@usableFromInline
final class StreamHub<Element: Sendable>: Endpoint, @unchecked Sendable {  // a lock and atomics
  let state: Lock<StreamState>
  /// Changes when the stream is paused or cancelled: a consumer compares it with the one of its batch.
  @usableFromInline let epoch: Atomic<UInt>
  private let droppedCount: Atomic<Int>
  private let first: ConsumerBuffer
  override var dropped: Int { droppedCount.load(ordering: .relaxed) }
  let buffering: BufferingPolicy
  /// The source from which consumers take the newest value, where no values are pushed.
  let latest: (any LatestElementSource<Element>)?

  /// Called with the number of dropped values, outside the lock.
  private let drops: (@Sendable (Int) -> Void)?

  init(
    _ buffering: BufferingPolicy, _ latest: (any LatestElementSource<Element>)?,
    countingDrops drops: (@Sendable (Int) -> Void)? = nil
  ) {
    // Beside the declarations each is an exported function.
    first = ConsumerBuffer()
    state = Lock(StreamState(consumers: [.passUnretained(first)]))
    epoch = Atomic(0)
    droppedCount = Atomic(0)
    self.drops = drops
    self.buffering = buffering
    self.latest = latest
    if latest != nil { state.withLock { $0.isLagging = true } }
  }
  // A consumer retains it: there is none left.
  deinit { state.withLock { drop(&$0) }?.destroy() }

  // MARK: Filling

  /// By the thread that delivers, which keeps `slot` meanwhile.
  @inline(__always)
  func push(_ value: Element, for slot: Slot) {
    if buffering.limit != .max { return push(value, from: .none, for: slot) }
    let sleepers = state.withLock { state -> [UnsafeContinuation<Void, Never>]? in
      // Asked under the lock: a pause takes out what is here, or is seen here.
      if state.hasEnded || !slot.isOpen { return nil }
      state.pushed &+= 1
      for index in state.consumers.indices {
        state.consumers[index]._withUnsafeGuaranteedRef { $0.values.push(value) }
      }
      return state.takeSleepers()
    }
    if let sleepers { wake(sleepers) }
  }

  /// The same for a value that may be dropped, or that came through an upstream subscription: `revoke` finds it here, or is seen
  /// here.
  @inline(never)
  func push(_ value: Element, from origin: UpstreamNumber, for slot: Slot) {
    var check = RevocationCheck(isNeeded: origin != .none)
    while !push(value, origin, for: slot, check) { if check.isRevoked() { return } }
  }
  /// False if the value may have been revoked.
  @inline(never)
  private func push(_ value: Element, _ origin: UpstreamNumber, for slot: Slot, _ check: RevocationCheck) -> Bool {
    var (isPushed, dropped, count) = (true, RawBuffer(), 0)
    let sleepers = state.withLock { state -> [UnsafeContinuation<Void, Never>]? in
      if state.hasEnded || !slot.isOpen { return nil }
      if check.isDoubtful {
        isPushed = false
        return nil
      }
      let before = droppedCount.load(ordering: .relaxed)
      let sleepers = push(value, buffering.limit, &state, &dropped, from: origin)
      count = droppedCount.load(ordering: .relaxed) &- before
      return sleepers
    }
    dropped.destroy(Element.self)
    if let sleepers { wake(sleepers) }
    if count > 0, let drops { drops(count) }
    return isPushed
  }
  /// Under the lock.
  @inline(__always)
  func push(
    _ value: Element, _ limit: Int, _ state: inout StreamState, _ dropped: inout RawBuffer,
    from origin: UpstreamNumber = .none
  ) -> [UnsafeContinuation<Void, Never>]? {
    let keepsNewest = buffering.keepsNewest
    for index in state.consumers.indices {
      state.consumers[index]._withUnsafeGuaranteedRef { consumer in
        if consumer.values.count(of: Element.self) == limit {
          droppedCount.add(1, ordering: .relaxed)
          if !keepsNewest { return }
          consumer.takeFirst(into: &dropped, as: Element.self)
        }
        consumer.values.push(value)
        if origin != .none { consumer.origins.push(origin.bits) }
        if !keepsNewest { consumer.numbers.push(state.pushed) }
      }
    }
    state.pushed &+= 1
    return state.takeSleepers()
  }

  @inline(never)
  func wake(_ sleepers: [UnsafeContinuation<Void, Never>]) {
    for sleeper in sleepers { sleeper.resume() }
  }

  // MARK: Emptying

  /// The buffer of a new consumer. The first one receives what came since the stream was made.
  func join(asFirst isFirst: Bool) -> ConsumerBuffer {
    if isFirst { return first }
    let buffer = ConsumerBuffer()
    state.withLock { state in
      buffer.place = state.consumers.count
      state.consumers.append(.passUnretained(buffer))
    }
    return buffer
  }
  func leave(_ buffer: ConsumerBuffer) {
    let drained = state.withLock { state in
      let last = state.consumers.removeLast()
      last._withUnsafeGuaranteedRef { last in
        if last === buffer { return }
        last.place = buffer.place
        state.consumers[buffer.place] = .passUnretained(last)
      }
      return takeDrains(&state)
    }
    for counter in drained { counter.leave() }
    buffer.values.destroy(Element.self)
    buffer.numbers.destroy(Int.self)
    buffer.origins.destroy(UInt32.self)
  }

  /// Puts what may be taken into an empty batch: everything, or one value where a limit holds or where values may be revoked.
  func fill(_ batch: inout RawBuffer, of buffer: ConsumerBuffer, _ epoch: inout UInt) -> FillResult {
    batch.rewind()
    var drained: [CompletionCounter] = []
    defer { for counter in drained { counter.leave() } }
    return state.withLock { state in
      epoch = self.epoch.load(ordering: .relaxed)
      defer { if !state.drains.isEmpty { drained = takeDrains(&state) } }
      if buffer.values.isEmpty { return state.hasEnded ? .ended : .nothing }
      let first = buffer.firstNumber(of: state.pushed, as: Element.self)
      if buffering.limit == .max, buffer.origins.isEmpty, buffer.numbers.isEmpty {
        swap(&buffer.values, &batch)
      } else {
        buffer.takeFirst(into: &batch, as: Element.self)
      }
      return .values(first: first)
    }
  }

  /// Returns when there is something to take, or the end; or the task was cancelled; or for no reason.
  func sleep(_ buffer: ConsumerBuffer, isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      // Named, so that the closure is on the consumer's actor: it is resumed there without a hop.
      await withUnsafeContinuation(isolation: isolation) { sleeper in
        let isNeedless = state.withLock { state in
          // Checked under the lock: the thread that cancels sets the flag before it resumes the sleepers.
          if Task.isCancelled || state.hasEnded || state.isLagging || !buffer.values.isEmpty { return true }
          state.sleepers.append(sleeper)
          return false
        }
        if isNeedless { sleeper.resume() }
      }
    } onCancel: {
      if let sleepers = state.withLock({ $0.takeSleepers() }) { wake(sleepers) }
    }
  }

  // MARK: As the list wants it

  override func close() {
    let (dropped, sleepers) = state.withLock { state in
      state.hasEnded = true
      state.isLagging = false
      return (drop(&state), state.takeSleepers())
    }
    dropped?.destroy()
    if let sleepers { wake(sleepers) }
    latest?.close()
  }
  override func retire() {
    let sleepers = state.withLock { state in
      state.hasEnded = true
      return state.takeSleepers()
    }
    if let sleepers { wake(sleepers) }
  }
  override func pause() -> AnyObject? {
    state.withLock { state in
      state.isPaused = true
      state.isLagging = false
      return drop(&state)
    }
  }
  override func revoke(_ origin: UpstreamNumber, through path: BarrierPath?) {
    let dropped = state.withLock { state in
      var dropped: [RawBuffer] = []
      for consumer in state.consumers {
        consumer._withUnsafeGuaranteedRef { consumer in
          if consumer.origins.isEmpty { return }
          dropped.appendUnspecialized(
            consumer.takeAll(from: origin, of: state.pushed, as: Element.self))
        }
      }
      return DroppedElements<Element>(dropped, takeDrains(&state))
    }
    dropped.destroy()
  }
  override func resume() -> AnyObject? { latest.flatMap { _ in beginAgain() } }
  /// No handler is called.
  override func idle() async {}
  override var waiting: Int {
    state.withLock { state in
      // By hand: an array of the counts and its maximum are half a kilobyte of every client.
      var most = 0
      for consumer in state.consumers {
        consumer._withUnsafeGuaranteedRef { most = max(most, $0.values.count(of: Element.self)) }
      }
      return most
    }
  }

  /// For an observer of objects.
  @inline(never)
  final var look: ObjectObservation.StreamLook {
    { [self] in
      let (waiting, dropped) = (waiting, dropped)
      return state.withLock { (received: $0.pushed, waiting: waiting, dropped: dropped, suspended: $0.sleepers.count) }
    }
  }

  /// Under the lock.
  private func takeDrains(_ state: inout StreamState) -> [CompletionCounter] {
    state.takeDrains(Element.self)
  }
  /// A value that was taken or dropped is over. A stream has handled what its buffer holds, except for a relay that is to be known until then.
  override func whenDrained(_ counter: CompletionCounter) {
    if counter.includesBuffers {
      let drained = state.withLock { state in
        state.drains.appendUnspecialized((state.pushed, counter))
        return takeDrains(&state)
      }
      for counter in drained { counter.leave() }
    } else {
      counter.leave()
    }
  }

  /// Under the lock: removes what waits, and invalidates what consumers have already taken.
  private func drop(_ state: inout StreamState) -> DroppedElements<Element>? {
    epoch.add(1, ordering: .releasing)
    let batches = state.dropAll(Element.self)
    return batches.isEmpty && state.drains.isEmpty ? nil : DroppedElements(batches, takeDrains(&state))
  }
}

/// Elements that were taken out of a stream, until they are destroyed: that is user code.
private final class DroppedElements<Element: Sendable> {
  private var batches: [RawBuffer]
  private var drained: [CompletionCounter]
  init(_ batches: [RawBuffer], _ drained: [CompletionCounter]) { (self.batches, self.drained) = (batches, drained) }
  deinit { destroy() }

  func destroy() {
    for batch in batches { batch.destroy(Element.self) }
    for counter in drained { counter.leave() }
    (batches, drained) = ([], [])
  }
}

/// The result of a consumer's look: values, of which the first has this number; nothing yet; nothing ever again.
enum FillResult {
  case values(first: Int)
  case nothing
  case ended
}

/// The handler that fills a stream.
final class StreamSlot<Element: Sendable>: RoutedSlot<Element>, @unchecked Sendable {
  private let hub: StreamHub<Element>
  init(_ hub: StreamHub<Element>) { self.hub = hub }

  override func receive(_ value: Element, _ context: DeliveryContext) {
    let origin = CausalFrame.origin
    if origin == .none { hub.push(value, for: self) } else { hub.push(value, from: origin, for: self) }
  }
  override var endpoint: Endpoint? { hub }
  override func seal() -> Unmanaged<Endpoint>? { .passRetained(hub) }
}
