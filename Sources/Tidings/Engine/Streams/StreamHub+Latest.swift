import Synchronization

// A value that is computed when a consumer asks: the hub receives invalidations instead of values.
extension StreamHub {
  /// The value has been invalidated since it was last taken.
  func invalidate() {
    let sleepers = state.withLock { state -> [UnsafeContinuation<Void, Never>]? in
      if state.hasEnded || state.isPaused { return nil }
      state.isLagging = true
      return state.takeSleepers()
    }
    if let sleepers { wake(sleepers) }
  }

  /// Takes the newest value if there may be another, for all consumers. True if it has been invalidated again meanwhile.
  func catchUp() -> Bool {
    let begun = state.withLock { state -> UInt? in
      guard state.isLagging else { return nil }
      // Before the value is taken: what is invalidated from now on sets it again.
      state.isLagging = false
      return epoch.load(ordering: .relaxed)
    }
    guard let begun, let (value, version, isOpen, isFinal) = latest?.take() else { return false }
    var isLast = false
    let (sleepers, dropped) = state.withLock { state -> ([UnsafeContinuation<Void, Never>]?, RawBuffer) in
      var dropped = RawBuffer()
      // Paused or cancelled meanwhile.
      guard begun == epoch.load(ordering: .relaxed), !state.hasEnded else { return (nil, dropped) }
      isLast = isFinal
      if !isOpen { state.isLagging = true }
      // Another consumer may have taken a newer one, or the recomputed value is equal.
      guard version > state.takenVersion else { return (nil, dropped) }
      state.takenVersion = version
      return (push(value, buffering.limit, &state, &dropped), dropped)
    }
    dropped.destroy(Element.self)
    if let sleepers { wake(sleepers) }
    if isLast { latest?.end() }
    return !isOpen
  }

  /// After a pause, in which no invalidation was received: the value may have changed. Returns the consumers that sleep.
  func beginAgain() -> AnyObject? {
    state.withLock { state in
      state.isPaused = false
      if state.hasEnded { return nil }
      state.isLagging = true
      return state.takeSleepers().map { AwakenedConsumers($0) }
    }
  }
}

/// Consumers that slept, until they are woken: that calls their executor, which may be user code.
private final class AwakenedConsumers {
  private let sleepers: [UnsafeContinuation<Void, Never>]
  init(_ sleepers: [UnsafeContinuation<Void, Never>]) { self.sleepers = sleepers }
  deinit { for sleeper in sleepers { sleeper.resume() } }
}
