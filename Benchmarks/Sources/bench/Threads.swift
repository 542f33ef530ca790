import Foundation
import Harness
import Synchronization

/// Two threads emit on one contender as fast as they can. A figure is the wall time divided by the emits of one thread:
/// what an emit costs a thread while another does the same. Contenders that scaled perfectly would cost what they cost
/// alone.
enum Threads {
  static func rows() -> [Row] {
    [
      Row(
        RowName.threads, family: "threads", floor: ClosureArray.name,
        [
          trial(ClosureArray.self),
          trial(Serial.self),
          trial(Immediate.self),
          trial(OpenCombinePeer.self),
          trial(NotificationCenterPeer.self),
        ])
    ]
  }

  private static func trial<C: Shared>(_: C.Type) -> Trial {
    .timed(C.name) {
      let contender = C()
      let watch = Watch()
      let token = contender.subscribe(watch)
      return { count in
        let time = emitFromTwo(contender, watch, count)
        withExtendedLifetime(token) {}
        return Timing(nanoseconds: time, operations: count)
      }
    }
  }

  /// Returns the time of one thread that does as much as two threads do on average at the same time. Each thread uses what it has
  /// made itself, so the two share only the cache lines of what they share on purpose.
  ///
  /// Each thread is timed by itself. The time of the slower one alone would show how the machine was divided, and not what the two
  /// do together.
  static func both(_ make: @escaping () -> (Int) -> Void, _ count: Int) -> Double {
    nonisolated(unsafe) let make = make  // called by both at the same time, and makes new things
    nonisolated(unsafe) var others = 0.0  // read after `done`
    let line = StartingLine()
    let done = DispatchSemaphore(value: 0)
    let other = Thread {
      let work = make()
      work(max(1, count / 8))
      line.arrive()
      others = time(work, count)
      done.signal()
    }
    let work = make()
    work(max(1, count / 8))
    other.start()
    line.awaitArrival()
    line.start()
    let own = time(work, count)
    done.wait()
    return 2 / (1 / own + 1 / others)
  }
  private static func time(_ work: (Int) -> Void, _ count: Int) -> Double {
    let stopwatch = Stopwatch(.wall)
    work(count)
    return stopwatch.nanoseconds
  }

  private static func emitFromTwo<C: Shared>(_ contender: C, _ watch: Watch, _ count: Int) -> Double {
    let line = StartingLine()
    let done = DispatchSemaphore(value: 0)
    let other = Thread {
      line.arrive()
      contender.emit(0..<count)
      done.signal()
    }
    other.start()
    line.awaitArrival()
    let stopwatch = Stopwatch(.wall)
    line.start()
    contender.emit(0..<count)
    done.wait()
    // A serial contender may have left values to a task: the time ends when the last one has been received.
    contender.emit(Watch.last..<Watch.last + 1)
    watch.awaitLast()
    return stopwatch.nanoseconds
  }
}

/// Both threads ready before the clock starts: making a thread costs more than many emits. Spins, as waking would.
private final class StartingLine: Sendable {
  private let ready = Atomic(false)
  private let isStarted = Atomic(false)

  func arrive() {
    ready.store(true, ordering: .releasing)
    while !isStarted.load(ordering: .acquiring) {}
  }

  func awaitArrival() { while !ready.load(ordering: .acquiring) {} }

  func start() { isStarted.store(true, ordering: .releasing) }
}

/// A handler's work that only reads, until the last payload.
final class Watch: Sendable {
  static let last = -1
  private let received = Atomic(false)

  @inline(__always) func receive(_ payload: Int) {
    if payload == Self.last { received.store(true, ordering: .releasing) }
  }

  func awaitLast() {
    while !received.exchange(false, ordering: .acquiring) { usleep(10) }
  }
}
