import Synchronization

extension HandlerList {
  final var diagnostics: Diagnostics {
    let (waiting, sites) = state.withLock { state in
      (state.serial.queue.count, entries(state).map { entry in Self.registration(of: entry) { site($0, entry) } })
    }
    return Diagnostics(of: self, waiting: waiting, subscriptions: sites)
  }

  /// How many values were dropped for the live handlers.
  final var droppedCount: Int {
    state.withLock { state in
      var sum = 0
      for entry in entries(state) { sum += Self.slot(of: entry)._withUnsafeGuaranteedRef { $0.endpoint?.dropped ?? 0 } }
      return sum
    }
  }

  /// Returns the place where a live handler was added, and how it ends by itself.
  final func look(at subscription: Subscription) -> (Diagnostics.Site, SelfCancellation?)? {
    state.withLock { _ in
      let entry = subscription.registration.state.load(ordering: .relaxed)
      guard subscription.registration.isLive else { return nil }
      return (
        site(subscription.registration, entry),
        Self.slot(of: entry)._withUnsafeGuaranteedRef { $0.selfCancellation }
      )
    }
  }

  @inline(never)
  private final func site(_ registration: borrowing Registration, _ entry: UInt) -> Diagnostics.Site {
    let queued = Self.slot(of: entry)._withUnsafeGuaranteedRef { $0.endpoint?.waiting ?? 0 }
    #if DEBUG
    return Diagnostics.Site(
      file: registration.site.file.description, line: registration.site.line, isPaused: registration.isPaused,
      queued: queued)
    #else
    return Diagnostics.Site(file: nil, line: nil, isPaused: registration.isPaused, queued: queued)
    #endif
  }
}
