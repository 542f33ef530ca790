import Tidings

/// A value on its way through an operator with a clock.
struct TimedItem<Value: Sendable, Instant: InstantProtocol>: Sendable {
  let value: Value
  /// How many were received before it and with it.
  let number: Int
  /// When it is passed on at the earliest.
  let due: Instant
}

/// Which later value takes the place of one that waits for its time.
enum Replacement {
  case none
  /// Each that comes before the time.
  case laterOne
  /// Each that comes before the time and is due at the same time.
  case laterOneOfTheSameTime
}

/// The time of one subscription to an operator: which value is the newest, and the wait that is under way.
final class Pacing<Value: Sendable, C: Clock<Duration>>: Sendable {
  typealias Item = TimedItem<Value, C.Instant>
  private struct State {
    var received = 0
    var lastDue: C.Instant?
    /// The number of the first that no later one has replaced.
    var firstCurrent = 0
    /// Not before then may the next value pass.
    var next: C.Instant?
    /// The value before was dropped for a later one.
    var hasDropped = false
    var sleeper: Task<Void, Never>?
    var isOver = false
  }
  let clock: C
  private let replacement: Replacement
  private let state = Lock(State())

  init(_ clock: C, _ replacement: Replacement) {
    self.clock = clock
    self.replacement = replacement
  }

  /// By the thread that delivers, one at a time.
  func receive(_ value: Value, due: C.Instant) -> Item {
    // A moment is a type of the user's: it is compared, and destroyed, outside the lock.
    let last = state.withLock { $0.lastDue }
    let replaces =
      switch replacement {
      case .none: false
      case .laterOne: last.map { $0 > clock.now } ?? false
      case .laterOneOfTheSameTime: last == due
      }
    let number = state.withLock { state in
      state.received += 1
      if replaces { state.firstCurrent = state.received }
      state.lastDue = due
      return state.received
    }
    return TimedItem(value: value, number: number, due: due)
  }

  /// Not before then may the next value pass.
  var next: C.Instant? { state.withLock { $0.next } }
  func setNext(_ next: C.Instant) { state.withLock { $0.next = next } }

  /// Whether no later value has replaced it. One that is due at another time than the newest passes also where its own time had a
  /// later one: that may have left the queue for the newest.
  func isCurrent(_ item: Item) -> Bool {
    let (firstCurrent, last) = state.withLock { ($0.firstCurrent, $0.lastDue) }
    return item.number >= firstCurrent || replacement == .laterOneOfTheSameTime && last != item.due
  }
  /// For an operator whose values have no time of their own: false if a later one is there, and true for a value after one that was
  /// dropped. Values that come faster than they can be looked at would otherwise replace each other for ever.
  func mayPass(_ item: Item) -> Bool {
    state.withLock { state in
      let mayPass = state.hasDropped || item.number >= state.received
      state.hasDropped = !mayPass
      return mayPass
    }
  }

  /// Returns when the time has come, or when nothing can be passed on any more; at the latest when no more values come.
  func sleep(until due: C.Instant, unless isRevoked: () -> Bool) async {
    while clock.now < due, !isRevoked() {
      let sleeper = state.withLock { [clock] state -> Task<Void, Never>? in
        if state.isOver { return nil }
        state.sleeper = Task { try? await clock.sleep(until: due, tolerance: nil) }
        return state.sleeper
      }
      guard let sleeper else { return }
      await sleeper.value
    }
  }

  /// Something was revoked: a wait that is under way looks whether it was meant.
  func wake() { state.withLock { $0.sleeper }?.cancel() }
  /// No more values come: what waits for its time does so no longer.
  func end() {
    let sleeper = state.withLock { state in
      state.isOver = true
      return state.sleeper
    }
    sleeper?.cancel()
  }
}
