import Synchronization

// Waiting until what was emitted has been handled: a barrier follows the values, through this list to the queues and the relays
// behind it, and leaves its counter where the last of them ends.
extension HandlerList {
  /// Returns when every value that was emitted before has been handled by every handler, on any actor.
  @_optimize(size)
  final func drained() async {
    let task = CompletionCounter.currentTask
    await withUnsafeContinuation { sendBarrier(CompletionCounter($0, waitingTask: task), through: nil) }
  }

  /// The same for one handler; where a relay is between it and its sources, for what those have emitted.
  @_optimize(size)
  final func drained(_ subscription: Subscription) async {
    let links = state.withLock { _ in
      subscription.registration.isLive
        ? Self.slot(of: subscription.registration.state.load(ordering: .relaxed))._withUnsafeGuaranteedRef { $0.links }
        : nil
    }
    for source in links?.all ?? [] { await source.drained() }
    await withUnsafeContinuation { whenDelivered(CompletionCounter($0)) }
    guard let endpoint = endpoint(of: subscription) else { return }
    let task = CompletionCounter.currentTask
    await withUnsafeContinuation { endpoint.whenDrained(CompletionCounter($0, waitingTask: task)) }
  }
  @_optimize(size)
  final func endpoint(of subscription: Subscription) -> Endpoint? {
    state.withLock { _ in
      let bits = subscription.registration.state.load(ordering: .relaxed)
      guard subscription.registration.isLive else { return Registration.endpoint(bits)?.takeUnretainedValue() }
      return Self.slot(of: bits)._withUnsafeGuaranteedRef { $0.endpoint }
    }
  }

  /// How many values have been queued.
  final var received: Int { state.withLock { $0.serial.queue.pushed } }

  /// Leaves `counter`, which the caller has entered, when every value that has come so far has been handled or dropped.
  @_optimize(size)
  final func sendBarrier(_ counter: CompletionCounter, through path: BarrierPath?) {
    // A source that follows itself: what comes back is no later value.
    if path?.contains(self) ?? false { return counter.leave() }
    whenDelivered(CompletionCounter { self.passBarrier(counter, through: path) })
  }

  /// The values that were emitted before have come to every queue and relay: the barrier follows them there.
  @_optimize(size)
  private final func passBarrier(_ counter: CompletionCounter, through path: BarrierPath?) {
    let (endpoints, relays) = state.withLock { state in
      Self.dropRetired(&state)
      return stagesBehind(state)
    }
    for endpoint in endpoints {
      counter.enter()
      if let stage = endpoint as? RelayStage {
        stage.relay.sendBarrier(counter, through: BarrierPath(self, path))
      } else {
        endpoint.whenDrained(counter)
      }
    }
    for relay in relays {
      counter.enter()
      relay.sendBarrier(counter, through: BarrierPath(self, path))
    }
    counter.leave()
  }

  /// Leaves `counter` when the values that were emitted before have been given to every handler or its queue.
  @_optimize(size)
  private final func whenDelivered(_ counter: CompletionCounter) {
    let retired = state.withLock { state in
      var retired = RetiredObjects()
      if policy == .immediate {
        if isUnseen(flagging: 0) {
          retired.add(counter: counter)
        } else {
          state.retired.add(counter: counter)
          turnEpoch(&state, &retired)
        }
      } else if isUnseen(flagging: StateWord.more), state.serial.queue.isEmpty {
        retired.add(counter: counter)
      } else {
        state.serial.drains.appendUnspecialized((state.serial.queue.pushed, counter))
      }
      return retired
    }
    retired.dispose()
  }

  final func forget(_ stage: RelayStage) {
    // The stage is released outside the lock, since that may destroy the relay.
    let removed = state.withLock { state in
      state.retiring.firstIndex { $0 === stage }.map { state.retiring.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }
}

/// The lists that a barrier has passed on its way, the last first.
final class BarrierPath: Sendable {
  private let list: HandlerList
  private let before: BarrierPath?

  init(_ list: HandlerList, _ before: BarrierPath?) {
    self.list = list
    self.before = before
  }
  func contains(_ other: HandlerList) -> Bool { list === other || before?.contains(other) ?? false }
}
