import Synchronization

/// One stream: its buffers, and the subscription that fills them for as long as a stream or an iterator is kept.
@usableFromInline
final class StreamCore<Element: Sendable>: Sendable {
  @usableFromInline let hub: StreamHub<Element>
  let subscription: Subscription
  /// Whether a consumer has taken what came since the beginning.
  private let isTaken = Atomic(false)

  init(
    _ buffering: BufferingPolicy, _ latest: (any LatestElementSource<Element>)?,
    countingDrops drops: (@Sendable (Int) -> Void)? = nil,
    _ subscribe: (StreamHub<Element>) -> Subscription
  ) {
    hub = StreamHub(buffering, latest, countingDrops: drops)
    subscription = subscribe(hub)
    if ObjectObservation.isOn { ObjectObservation.streamCreated(hub, subscription, hub.look) }
  }
  deinit { ObjectObservation.destroyed(hub) }

  @usableFromInline
  func makeConsumer() -> StreamConsumer<Element> {
    StreamConsumer(self, hub.join(asFirst: !isTaken.exchange(true, ordering: .acquiringAndReleasing)))
  }
}

/// A consumer of a stream, in one task at a time.
@usableFromInline
final class StreamConsumer<Element: Sendable>: @unchecked Sendable {  // an iterator's: one task at a time
  @usableFromInline let core: StreamCore<Element>
  private let buffer: ConsumerBuffer
  private var pace: ConsumerPace
  @usableFromInline var batch: RawBuffer
  @usableFromInline var epoch: UInt
  /// The number of the value that is taken out next.
  @usableFromInline var number: Int

  init(_ core: StreamCore<Element>, _ buffer: ConsumerBuffer) {
    self.core = core
    self.buffer = buffer
    (pace, batch, epoch, number) = (ConsumerPace(), RawBuffer(), 0, 0)
  }
  deinit {
    batch.destroy(Element.self)
    core.hub.leave(buffer)
  }

  /// The next value and its number; nil at the end, and when the task is cancelled.
  @_alwaysEmitIntoClient @inline(__always)
  func next(isolation: isolated (any Actor)?) async -> (number: Int, value: Element)? {
    if Task.isCancelled { return nil }
    if batch.isEmpty || core.hub.epoch.load(ordering: .acquiring) != epoch {
      guard await refill(isolation: isolation) else { return nil }
    }
    number &+= 1
    return (number &- 1, batch.pop())
  }

  /// The next value, if there is one to take without waiting.
  @usableFromInline
  func takeWaiting() -> Element? {
    if batch.isEmpty || core.hub.epoch.load(ordering: .acquiring) != epoch {
      if !batch.isEmpty { batch.takeAll().destroy(Element.self) }
      guard case .values(let first) = core.hub.fill(&batch, of: buffer, &epoch) else { return nil }
      number = first
    }
    number &+= 1
    return batch.pop(as: Element.self)
  }

  /// True when there is a value to take.
  @usableFromInline
  func refill(isolation: isolated (any Actor)?) async -> Bool {
    // Taken before a pause or the end.
    if !batch.isEmpty { batch.takeAll().destroy(Element.self) }
    pace.wait()
    var hasSlept = false
    while !Task.isCancelled {
      let isLagging = core.hub.latest != nil && core.hub.catchUp()
      switch core.hub.fill(&batch, of: buffer, &epoch) {
      case .values(let first):
        number = first
        if core.hub.buffering.limit == .max { pace.took(batch.count(of: Element.self), hasSlept: hasSlept) }
        return true
      case .ended: return false
      case .nothing:
        // Yield, so that writers that are faster than the computation do not occupy the actor.
        if isLagging { await Task.yield() } else { await core.hub.sleep(buffer, isolation: isolation) }
        hasSlept = true
      }
    }
    return false
  }
}
