import Harness
import Synchronization

/// The cost of the operations of which everything else is made. Machines differ in the relations of these costs: an atomic
/// operation costs three calls on one machine and six on another. Every ratio of the other rows differs with them.
enum Machine {
  static func rows() -> [Row] {
    [
      Row(
        "the machine itself", family: "machine", floor: PlainCall.name,
        [
          .timed(PlainCall.name) {
            let call = PlainCall()
            return { count in
              let watch = Stopwatch()
              call.emit(0..<count)
              return Timing(nanoseconds: watch.nanoseconds, operations: count)
            }
          },
          .timed("atomic read-modify-write") {
            let state = State()
            return { count in
              let watch = Stopwatch()
              for payload in 0..<count { state.atomic.add(payload, ordering: .relaxed) }
              return Timing(nanoseconds: watch.nanoseconds, operations: count)
            }
          },
          .timed("mutex, lock + unlock") {
            let state = State()
            return { count in
              let watch = Stopwatch()
              for payload in 0..<count { state.locked.withLock { $0 &+= payload } }
              return Timing(nanoseconds: watch.nanoseconds, operations: count)
            }
          },
        ])
    ]
  }

  private final class State: Sendable {
    let atomic = Atomic(0)
    let locked = Mutex(0)
  }
}
