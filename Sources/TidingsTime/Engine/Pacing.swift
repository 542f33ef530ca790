import Synchronization
import Tidings

/// A value on its way through an operator with a clock.
struct TimedItem<Value: Sendable, Instant: InstantProtocol>: Sendable {
  let value: Value
  /// How many were received before it and with it.
  let number: Int
  /// When it is passed on at the earliest.
  let due: Instant
  fileprivate let run: Replacements
  /// Whether no later value has replaced it.
  var isCurrent: Bool { run.last.load(ordering: .acquiring) == number }
}

/// Values each of which replaced the one before.
private final class Replacements: Sendable {
  /// The number of the one that is left.
  let last = Atomic(0)
}

/// Which later value takes the place of one that waits for its time.
enum Replacement {
  case none
  case everyLaterOne
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
    var last: Newest?
    /// Not before then may the next value pass.
    var next: C.Instant?
    /// The value before was dropped for a later one.
    var hasDropped = false
    var sleeper: Task<Void, Never>?
    var isOver = false
  }
  /// The next value is compared with it. A reference, so that the moment before is destroyed where the value was received.
  private final class Newest: Sendable {
    let due: C.Instant
    let run: Replacements
    init(_ due: C.Instant, _ run: Replacements) { (self.due, self.run) = (due, run) }
  }
  let clock: C
  private let replacement: Replacement
  private let state = Lock(State())

  init(_ clock: C, _ replacement: Replacement) {
    self.clock = clock
    self.replacement = replacement
  }

  /// By the thread that delivers, one at a time.
  ///
  /// - Returns: The item, and the function that makes it the newest, for the queue that accepts it: a value that was revoked on its way
  ///   replaces none. That function calls no code of the user's, and says whether the item replaces the one before.
  func receive(_ value: Value, due: C.Instant) -> (item: Item, accepted: () -> Bool) {
    // A moment is a type of the user's: it is compared, and destroyed, outside the lock.
    let (last, number) = state.withLock { ($0.last, $0.received + 1) }
    let replaces =
      switch replacement {
      case .none: false
      case .everyLaterOne: last != nil
      case .laterOne: last.map { $0.due > clock.now } ?? false
      case .laterOneOfTheSameTime: last?.due == due
      }
    let run = (replaces ? last?.run : nil) ?? Replacements()
    let new = Newest(due, run)
    return (
      TimedItem(value: value, number: number, due: due, run: run),
      {
        withExtendedLifetime(last) {
          self.state.withLock { state in
            (state.received, state.last) = (number, new)
            run.last.store(number, ordering: .releasing)
          }
        }
        return replaces
      }
    )
  }

  /// Not before then may the next value pass.
  var next: C.Instant? { state.withLock { $0.next } }
  func setNext(_ next: C.Instant) {
    let before = state.withLock { state in
      defer { state.next = next }
      return state.next
    }
    withExtendedLifetime(before) {}
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
      // Revoked after the look above, it woke no sleeper.
      if isRevoked() { sleeper.cancel() }
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
