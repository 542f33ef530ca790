import Tidings

/// `Event` with its default policy: serial.
struct Serial: Cancelling, Shared {
  static let name = "Event"
  let event = Event<Int>()

  func subscribe(_ tally: Tally) -> Subscription { event.observe { tally.add($0) } }
  func subscribe(_ watch: Watch) -> Subscription { event.observe { watch.receive($0) } }
  func cancel(_ token: Subscription) { token.cancel() }
  func emit(_ payloads: Range<Int>) {
    for payload in payloads { event.emit(payload) }
  }
}

/// Nested and concurrent.
struct Immediate: Cancelling, Shared {
  static let name = "Event, .immediate"
  let event = Event<Int>(policy: .immediate)

  func subscribe(_ tally: Tally) -> Subscription { event.observe { tally.add($0) } }
  func subscribe(_ watch: Watch) -> Subscription { event.observe { watch.receive($0) } }
  func cancel(_ token: Subscription) { token.cancel() }
  func emit(_ payloads: Range<Int>) {
    for payload in payloads { event.emit(payload) }
  }
}

/// Handlers of the main actor, notified from the main actor: called in place. From anywhere else they would receive through
/// their queues.
struct OnMainActor: Contender {
  static let name = "Event, main-actor handlers"
  let event = Event<Int>()

  func subscribe(_ tally: Tally) -> Subscription { event.observe { @MainActor in tally.add($0) } }
  func emit(_ payloads: Range<Int>) {
    MainActor.assumeIsolated {
      for payload in payloads { event.emit(payload) }
    }
  }
}

/// Handlers without isolation, notified from the main actor: what it costs there that the caller says where it is, which is for the
/// compiler to do.
struct FromMainActor: Contender {
  static let name = "Event, emitted on the main actor"
  let event = Event<Int>()

  func subscribe(_ tally: Tally) -> Subscription { event.observe { tally.add($0) } }
  func emit(_ payloads: Range<Int>) {
    MainActor.assumeIsolated {
      for payload in payloads { event.emit(payload) }
    }
  }
}

/// One isolation, no lock.
struct Local: Cancelling {
  static let name = "LocalEvent"
  let event = LocalEvent<Int>()

  func subscribe(_ tally: Tally) -> LocalSubscription { event.observe { tally.add($0) } }
  func cancel(_ token: LocalSubscription) { token.cancel() }
  func emit(_ payloads: Range<Int>) {
    for payload in payloads { event.emit(payload) }
  }
}
