import Synchronization

extension HandlerList {
  final var diagnosis: Diagnosis {
    let (waiting, sites) = state.withLock { state in
      (state.queue.count, entries(state).map { entry in Self.registration(of: entry) { site($0, entry) } })
    }
    return Diagnosis(of: self, waiting: waiting, subscriptions: sites)
  }

  /// How many values were dropped for the live handlers.
  final var droppedCount: Int {
    state.withLock { state in
      var sum = 0
      for entry in entries(state) { sum += Self.slot(of: entry)._withUnsafeGuaranteedRef { $0.outlet?.dropped ?? 0 } }
      return sum
    }
  }

  /// Where a live handler was added, and how it ends by itself.
  final func look(at subscription: Subscription) -> (Diagnosis.Site, Ending?)? {
    state.withLock { _ in
      let entry = subscription.registration.state.load(ordering: .relaxed)
      guard subscription.registration.isLive else { return nil }
      return (
        site(subscription.registration, entry),
        Self.slot(of: entry)._withUnsafeGuaranteedRef { $0.ending }
      )
    }
  }

  private final func site(_ registration: borrowing Registration, _ entry: UInt) -> Diagnosis.Site {
    let queued = Self.slot(of: entry)._withUnsafeGuaranteedRef { $0.outlet?.waiting ?? 0 }
    #if DEBUG
    return Diagnosis.Site(
      file: "\(registration.site.file)", line: registration.site.line, isPaused: registration.isPaused, queued: queued)
    #else
    return Diagnosis.Site(file: nil, line: nil, isPaused: registration.isPaused, queued: queued)
    #endif
  }
}
