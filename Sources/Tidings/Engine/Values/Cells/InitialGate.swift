import Synchronization

/// Holds back the changes that reach a new handler before its initial value. For `observe(.initial)` while another thread, or a
/// handler further up on this one, delivers the same value.
final class InitialGate<Payload: Sendable>: Sendable {
  private struct State {
    var isOpen = false
    var pass: Passing<Payload>?
    var waiting = RawRingBuffer(of: Payload.self)
  }
  private let state = Lock(State())
  private let isOpen = Atomic(false)

  deinit { state.withLock { $0.waiting.takeAll() }.destroy(Payload.self) }

  /// The handler that this gate holds back.
  func guarding(_ handler: EventHandler<Payload>) -> EventHandler<Payload> {
    let guarded = handler.adapted { pass in
      self.state.withLock { $0.pass = pass }
      return { value, delivering in self.receive(value, delivering, pass) }
    }
    return handler.links.map { guarded.holding($0) } ?? guarded
  }

  private func receive(_ value: Payload, _ delivering: DeliveryContext, _ pass: Passing<Payload>) {
    if isOpen.load(ordering: .acquiring) { return pass(value, delivering) }
    let depth = CausalFrame.currentDepth
    let isLate = state.withLock { state in
      if !state.isOpen { state.waiting.push(value, nil, depth: depth, chain: 0, own: false) }
      return state.isOpen
    }
    if isLate { pass(value, delivering) }
  }

  /// Calls the handler with the initial value, then with the values that were held back, and lets all later values through.
  func open(with first: Payload, _ subscription: Subscription, _ source: HandlerList, _ here: (any Actor)?) {
    guard let pass = state.withLock({ $0.pass }) else { return }
    CausalFrame.push(source, as: .calls) { pass(first, DeliveryContext(here: here, counter: nil)) }
    if state.withLock({ $0.waiting.isEmpty }) { return drain(pass, subscription, source, here) }
    // The values that were held back were emitted elsewhere.
    let isDrained = withoutTaskLocals(on: here) { self.drain(pass, subscription, source, here) }
    if !isDrained { drain(pass, subscription, source, here) }
  }

  private func drain(
    _ pass: @escaping Passing<Payload>, _ subscription: Subscription, _ source: HandlerList, _ here: (any Actor)?
  ) {
    withUnsafeTemporaryAllocation(of: Payload.self, capacity: 1) { buffer in
      let place = buffer.baseAddress!
      var left = CausalLimits.round
      while true {
        // The depth of the next value; nil when none waits.
        let depth = state.withLock { state -> Int? in
          if !state.waiting.isEmpty { return left > 0 ? state.waiting.pop(into: place).depth : 0 }
          state.isOpen = true
          state.pass = nil
          isOpen.store(true, ordering: .releasing)
          return nil
        }
        guard let depth else { return }
        if left == 0 {
          startDetached { self.drain(pass, subscription, source, nil) }
          return
        }
        left -= 1
        if subscription.registration.isLive, !subscription.registration.isPaused {
          CausalFrame.push(source, depth: depth, as: .calls) {
            pass(place.pointee, DeliveryContext(here: here, counter: nil))
          }
        }
        place.deinitialize(count: 1)
      }
    }
  }
}
