import Synchronization
import TidingsTesting

/// Moments of one run, in one order for all threads.
final class FuzzClock: Sendable {
  private let now = Atomic(0)

  func tick() -> Int { now.add(1, ordering: .acquiringAndReleasing).newValue }
}

/// A value that was emitted. Its number in the log is the value itself, so values are unique.
struct FuzzEmission: Sendable {
  let source: Int
  /// How many handlers caused each other before this one.
  let generation: Int
  /// Whether by `emitAndWait`.
  let isWaitedFor: Bool
  let begin: Int
  /// When `emit`, `set` or the question had returned.
  var end = Int.max
}

/// A call of a handler, or an element that a stream gave.
struct FuzzCall: Sendable {
  let value: Int
  /// `old` of a change.
  let old: Int?
  /// The value that `zip` paired with it.
  var partner: Int?
  /// How many values `scan` had taken up.
  var ordinal: Int?
  let thread: UInt
  /// Whether it was made on the handler's actor, or the handler has none.
  let isOnActor: Bool
  let begin: Int
  var end = Int.max

  /// The same call for the other value of a pair.
  func receiving(_ value: Int) -> FuzzCall {
    FuzzCall(value: value, old: nil, partner: self.value, thread: thread, isOnActor: isOnActor, begin: begin, end: end)
  }
}

/// Something that was done to a subscription.
struct FuzzOperation: Sendable {
  enum Verb: Sendable {
    case pause, resume, cancel, dropToken, finish, cancelAll
    /// The last reference of the run to the owner is released; a call that is running may hold the owner for longer.
    case releaseOwner
  }

  let verb: Verb
  let begin: Int
  /// When it had returned.
  var end: Int
  /// The thread that did it; nil where a task did, which has no thread of its own.
  let thread: UInt?
  /// The actor that did it.
  let actor: Int?
  /// The handler in whose call it was done.
  let inside: Int?
  /// False when it may or may not have reached the subscription.
  var isCertain = true

  var isStop: Bool { verb != .resume }
  var isFinal: Bool { verb != .resume && verb != .pause }

  func overlaps(from start: Int, to limit: Int) -> Bool { begin < limit && end > start }
}

/// A `drained()` of a source, or of a handler's subscription.
struct FuzzDrain: Sendable {
  enum Target: Sendable {
    case source(Int)
    case handler(Int)
  }

  let target: Target
  let begin: Int
  let end: Int
}

/// The emissions of all threads of a run.
final class FuzzEmissions: Sendable {
  private let clock: FuzzClock
  private let log = Locked<[FuzzEmission]>([])

  init(_ clock: FuzzClock) { self.clock = clock }

  var all: [FuzzEmission] { log.current }

  subscript(value: Int) -> FuzzEmission { log.withLock { $0[value] } }

  /// The value to emit.
  func begin(on source: Int, _ generation: Int, isWaitedFor: Bool = false) -> Int {
    let begin = clock.tick()
    return log.withLock { log in
      log.append(
        FuzzEmission(source: source, generation: generation, isWaitedFor: isWaitedFor, begin: begin))
      return log.count - 1
    }
  }

  func end(_ value: Int) {
    let end = clock.tick()
    log.withLock { $0[value].end = end }
  }
}
