import CSystem
import Foundation

/// Does the work of `Cores` for `Benchmarks/contention`, which finds in a trace of all memory accesses the cache lines that two
/// threads share. The threads take turns: what they do is looked at, and not how long it takes.
enum Contention {
  private static let operations = 100

  static func run(_ works: [Cores.Work]) {
    print("marks at \(UInt(bitPattern: bench_mark(-1))), \(operations) operations")
    for work in works {
      print(work.name)
      fflush(nil)
      run(work)
    }
  }

  /// Prints the stack of this thread. A thread that has ended its turn may still be on its way to wait for the next one. Its
  /// accesses to its own stack are then not those of the thread that works.
  private static func printStack() {
    var (first, end): (UInt64, UInt64) = (0, 0)
    precondition(bench_stack(&first, &end) == 0, "the stack of this thread is not known")
    print("stack \(first) to \(end)")
  }

  private static func run(_ work: Cores.Work) {
    nonisolated(unsafe) let make = work.share()  // called by one thread after the other
    let turns = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    let done = DispatchSemaphore(value: 0)
    for thread in turns.indices {
      Thread.detachNewThread {
        turns[thread].wait()
        printStack()
        do {
          let work = make()
          // The first operations take cache lines that no later operation takes.
          for _ in 0..<2 {
            work(operations)
            done.signal()
            turns[thread].wait()
          }
          bench_mark(Int32(2 * thread))
          work(operations)
          bench_mark(Int32(2 * thread + 1))
          done.signal()
          turns[thread].wait()
        }
        done.signal()
      }
    }
    for _ in 0..<4 {
      for turn in turns {
        turn.signal()
        done.wait()
      }
    }
  }
}
