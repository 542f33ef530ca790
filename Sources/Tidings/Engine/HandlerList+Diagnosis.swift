import Synchronization

extension HandlerList {
  final var diagnosis: Diagnosis {
    let (waiting, sites) = state.withLock { state in
      (state.queue.count, entries(state).map { entry in Self.registration(of: entry) { site($0, entry) } })
    }
    return Diagnosis(of: self, waiting: waiting, subscriptions: sites)
  }

  private final func site(_ registration: borrowing Registration, _ entry: UInt) -> Diagnosis.Site {
    let queued = Self.slot(of: entry)._withUnsafeGuaranteedRef { $0.mailbox?.open.load(ordering: .relaxed) ?? 0 }
    #if DEBUG
    return Diagnosis.Site(
      file: "\(registration.site.file)", line: registration.site.line, isPaused: registration.isPaused, queued: queued)
    #else
    return Diagnosis.Site(file: nil, line: nil, isPaused: registration.isPaused, queued: queued)
    #endif
  }
}
