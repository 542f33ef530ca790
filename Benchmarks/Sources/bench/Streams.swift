import Foundation
import Harness
import Synchronization

/// A thread emits as fast as it can, a task takes the elements out. A figure is the wall time from the first emit until the
/// consumer has seen the last, divided by the elements.
///
/// Always the same number of elements: what it costs to start the thread and the task is not to count.
enum Streams {
  static func rows(quick: Bool) -> [Row] {
    [
      Row(
        RowName.stream, family: "streams", floor: AsyncStreamPeer.name,
        [
          trial(AsyncStreamPeer.self, onMain: false, quick ? 2_000 : 100_000),
          trial(TidingsStream.self, onMain: false, quick ? 2_000 : 100_000),
        ]),
      Row(
        RowName.streamOnMain, family: "streams on main", floor: AsyncStreamPeer.name,
        [
          trial(AsyncStreamPeer.self, onMain: true, quick ? 2_000 : 100_000),
          trial(TidingsStream.self, onMain: true, quick ? 2_000 : 100_000),
        ]),
    ]
  }

  private static func trial<C: StreamContender>(_: C.Type, onMain: Bool, _ count: Int) -> Trial {
    // AsyncStream takes seconds a round on the main actor; elsewhere it is two threads, whose median of five was no figure.
    .whole(C.name, maximumRounds: onMain ? 5 : .max) {
      let (contender, finish) = (C(), Finish())
      if onMain {
        Task { @MainActor in finish.come(await contender.consume(isolation: MainActor.shared)) }
      } else {
        Task.detached { finish.come(await contender.consume(isolation: nil)) }
      }
      let stopwatch = Stopwatch(.wall)
      Thread.detachNewThread {
        contender.emit(0..<count)
        contender.emit(Watch.last..<Watch.last + 1)
      }
      finish.wait(onMain: onMain)
      return Timing(nanoseconds: stopwatch.nanoseconds, operations: count)
    }
  }
}

/// The end that the consumer reaches and the trial waits for.
private final class Finish: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let isDone = Atomic(false)
  private let sum = Atomic(0)

  func come(_ sum: Int) {
    self.sum.store(sum, ordering: .relaxed)
    isDone.store(true, ordering: .releasing)
    semaphore.signal()

    RunLoop.main.perform {}
  }
  func wait(onMain: Bool) {
    guard onMain else { return semaphore.wait() }
    while !isDone.load(ordering: .acquiring) { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }
}
