import Synchronization

/// What waits for one consumer of a stream.
struct Intake {
  let id: Int
  var values = Batch()
  /// Where values are refused, those that wait may not be neighbours: the number of each.
  var numbers = Batch()
}

/// What a stream is at the moment. Not generic for the reason that `Ring` gives.
struct StreamState {
  var intakes: [Intake]
  /// Consumers that found nothing. A value is for each of them, so all are woken.
  var sleepers: [UnsafeContinuation<Void, Never>] = []
  /// How many values have come.
  var pushed = 0
  var made = 1
  /// Of a value that is computed when a consumer asks: its handler is paused.
  var isPaused = false
  /// The source, a value that is computed when a consumer asks, may have become another since it was last taken.
  var isBehind = false
  /// The version that was taken last.
  var takenVersion: UInt = 0
  /// The source has gone, or the stream was cancelled.
  var hasEnded = false

  mutating func takeSleepers() -> [UnsafeContinuation<Void, Never>]? {
    if sleepers.isEmpty { return nil }
    defer { sleepers = [] }
    return sleepers
  }
}

/// The buffers of one stream, one for each consumer: filled by whoever delivers, emptied by the consumers.
///
/// A consumer that finds nothing sleeps; who fills wakes it once, however much comes until it is there. Where nothing is ever
/// dropped it takes all that waits at once, and reads it without the lock; `epoch` says whether it still may. Values end
/// outside the lock.
@usableFromInline
final class StreamHub<Element: Sendable>: Outlet, @unchecked Sendable {  // a lock and atomics
  let state = Lock(StreamState(intakes: [Intake(id: 0)]))
  /// Another one than a consumer read when it took its batch: it was paused or cancelled since.
  @usableFromInline let epoch = Atomic<UInt>(0)
  private let missed = Atomic<Int>(0)
  var missedSoFar: Int { missed.load(ordering: .relaxed) }
  override var dropped: Int { missedSoFar }
  let buffering: BufferingPolicy
  /// Where nothing is pushed: what consumers take the newest value from.
  let latest: (any LatestElementSource<Element>)?

  /// Told how many values were dropped, outside the lock.
  private let drops: (@Sendable (Int) -> Void)?

  init(
    _ buffering: BufferingPolicy, _ latest: (any LatestElementSource<Element>)?,
    countingDrops drops: (@Sendable (Int) -> Void)? = nil
  ) {
    self.drops = drops
    self.buffering = buffering
    self.latest = latest
    if latest != nil { state.withLock { $0.isBehind = true } }
  }
  // Whoever reads keeps it: nobody is left.
  deinit { for batch in state.withLock({ $0.dropAll(Element.self) }) { batch.destroy(Element.self) } }

  // MARK: Filling

  /// By the thread that delivers, which keeps `slot` meanwhile.
  @inline(__always)
  func push(_ value: Element, for slot: Slot) {
    if buffering.limit != .max { return pushWithin(buffering.limit, value, for: slot) }
    let sleepers = state.withLock { state -> [UnsafeContinuation<Void, Never>]? in
      // Asked under the lock: a pause takes out what is here, or is seen here.
      if state.hasEnded || !slot.isOpen { return nil }
      state.pushed &+= 1
      for index in state.intakes.indices { state.intakes[index].values.push(value) }
      return state.takeSleepers()
    }
    if let sleepers { wake(sleepers) }
  }

  @inline(never)
  private func pushWithin(_ limit: Int, _ value: Element, for slot: Slot) {
    let (sleepers, dropped, count) = state.withLock { state -> ([UnsafeContinuation<Void, Never>]?, Batch, Int) in
      var dropped = Batch()
      if state.hasEnded || !slot.isOpen { return (nil, dropped, 0) }
      if drops == nil { return (push(value, limit, &state, &dropped), dropped, 0) }
      let before = missed.load(ordering: .relaxed)
      return (push(value, limit, &state, &dropped), dropped, missed.load(ordering: .relaxed) &- before)
    }
    dropped.destroy(Element.self)
    if let sleepers { wake(sleepers) }
    if count > 0, let drops { drops(count) }
  }
  /// Under the lock.
  @inline(__always)
  func push(
    _ value: Element, _ limit: Int, _ state: inout StreamState, _ dropped: inout Batch
  ) -> [UnsafeContinuation<Void, Never>]? {
    let keepsNewest = buffering.keepsNewest
    for index in state.intakes.indices {
      let isFull = state.intakes[index].values.count(of: Element.self) == limit
      if isFull {
        missed.add(1, ordering: .relaxed)
        if !keepsNewest { continue }
        dropped.take(firstOf: &state.intakes[index].values, as: Element.self)
      }
      state.intakes[index].values.push(value)
      if !keepsNewest { state.intakes[index].numbers.push(state.pushed) }
    }
    state.pushed &+= 1
    return state.takeSleepers()
  }

  @inline(never)
  func wake(_ sleepers: [UnsafeContinuation<Void, Never>]) {
    for sleeper in sleepers { sleeper.resume() }
  }

  // MARK: Emptying

  /// What a consumer of its own is called. The first has what came since the stream was made.
  func join(asFirst isFirst: Bool) -> Int {
    state.withLock { state in
      if isFirst { return 0 }
      state.made += 1
      state.intakes.append(Intake(id: state.made))
      return state.made
    }
  }
  func leave(_ id: Int) {
    let left = state.withLock { state -> Intake? in
      state.intakes.firstIndex { $0.id == id }.map { state.intakes.remove(at: $0) }
    }
    left?.values.destroy(Element.self)
    left?.numbers.destroy(Int.self)
  }

  /// Puts what may be taken into an empty batch: everything, or one value where a limit holds.
  func fill(_ batch: inout Batch, of id: Int, _ epoch: inout UInt) -> Filling {
    batch.rewind()
    return state.withLock { state in
      epoch = self.epoch.load(ordering: .relaxed)
      guard let index = state.intakes.firstIndex(where: { $0.id == id }), !state.intakes[index].values.isEmpty else {
        return state.hasEnded ? .ended : .nothing
      }
      let first = state.pushed &- state.intakes[index].values.count(of: Element.self)
      if buffering.limit == .max {
        swap(&state.intakes[index].values, &batch)
        return .values(first: first)
      }
      batch.take(firstOf: &state.intakes[index].values, as: Element.self)
      if buffering.keepsNewest { return .values(first: first) }
      let number: Int = state.intakes[index].numbers.pop()
      if state.intakes[index].numbers.isEmpty { state.intakes[index].numbers.rewind() }
      return .values(first: number)
    }
  }

  /// Returns when there is something to take, or the end; or the task was cancelled; or for no reason.
  func sleep(_ id: Int, isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      // Said, so that the closure is on the consumer's actor: it is woken there, and not on its way there.
      await withUnsafeContinuation(isolation: isolation) { sleeper in
        let isNeedless = state.withLock { state in
          // Looked at under the lock: who cancels sets the mark before it comes here to wake us.
          if Task.isCancelled || state.hasEnded || state.isBehind
            || state.intakes.contains(where: { $0.id == id && !$0.values.isEmpty })
          {
            return true
          }
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
      state.isBehind = false
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
  override func mute() -> AnyObject? {
    state.withLock { state in
      state.isPaused = true
      state.isBehind = false
      return drop(&state)
    }
  }
  override func unmute() -> AnyObject? { latest.flatMap { _ in beginAgain() } }
  /// Nobody is called.
  override func idle() async {}
  override var waiting: Int {
    state.withLock { state in state.intakes.map { $0.values.count(of: Element.self) }.max() ?? 0 }
  }

  /// Under the lock: what waits, taken out, and what consumers have already taken is no longer theirs.
  private func drop(_ state: inout StreamState) -> DroppedElements<Element>? {
    epoch.add(1, ordering: .releasing)
    let batches = state.dropAll(Element.self)
    return batches.isEmpty ? nil : DroppedElements(batches)
  }
}

/// Elements that were taken out of a stream, until they are destroyed: that is user code.
private final class DroppedElements<Element: Sendable> {
  private var batches: [Batch]
  init(_ batches: [Batch]) { self.batches = batches }
  deinit { destroy() }

  func destroy() {
    for batch in batches { batch.destroy(Element.self) }
    batches = []
  }
}

/// What a consumer finds: values, of which the first has this number; nothing yet; nothing ever again.
enum Filling {
  case values(first: Int)
  case nothing
  case ended
}

extension StreamState {
  /// Takes out what waits.
  fileprivate mutating func dropAll<P>(_: P.Type) -> [Batch] {
    var batches: [Batch] = []
    for index in intakes.indices where intakes[index].values.base != nil {
      batches.append(intakes[index].values.takeAll())
      intakes[index].numbers.takeAll().destroy(Int.self)
    }
    return batches
  }
}

/// The handler that fills a stream.
final class StreamSlot<Element: Sendable>: RoutedSlot<Element>, @unchecked Sendable {
  private let hub: StreamHub<Element>
  init(_ hub: StreamHub<Element>) { self.hub = hub }

  override func receive(_ value: Element, _ passage: Passage) { hub.push(value, for: self) }
  override var outlet: Outlet? { hub }
  override func seal() -> Unmanaged<Outlet>? { .passRetained(hub) }
}
