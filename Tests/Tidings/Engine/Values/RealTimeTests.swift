#if os(Linux)
import CSuppressions
import Glibc
import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite("Values beside a real-time thread", .slow)
struct RealTimeTests {
  /// A real-time thread, which no thread of lower priority preempts, sets a value on the processor of a plain thread that sets a
  /// value of the same graph. When the real-time thread finds the graph's lock taken, the holder cannot continue until it parks.
  /// How long it is parked depends on the other work of the processor, and is not measured. A thread that spins instead takes the
  /// processor for the better part of a second, until the kernel interrupts it.
  @Test(
    "A real-time thread that sets a value does not keep the processor from a plain one that sets values there",
    .enabled(if: mayBeRealTime, "needs the right to real-time priority"))
  func sets() {
    let (plain, other, isOver, started) = (Observed(0), Observed(0), Locked(false), Gate())
    let token = Derived { plain.value &+ other.value }.observe { _ in }
    Threads.start {
      #expect(tests_stay_on_one_processor() == 0)
      started.open()
      while !isOver.current { for number in 0..<100 { plain.set(number) } }
    }
    started.wait()
    let seconds = Locked(0.0)
    let ended = Threads.elsewhere {
      #expect(tests_stay_on_one_processor() == 0)
      #expect(Self.setRealTime(true))
      let start = Threads.processorTime
      for number in 0..<1_500 where seconds.current < 1 {
        // The plain thread runs meanwhile; where it is interrupted differs from time to time.
        var moment = timespec(tv_sec: 0, tv_nsec: 20_000 + number % 16 * 1_000)
        nanosleep(&moment, nil)
        other.set(number)
        seconds.current = Threads.processorTime - start
      }
    }
    isOver.current = true
    #expect(ended && seconds.current < 1, "\(seconds.current) seconds of the processor")
    token.cancel()
  }

  fileprivate static func setRealTime(_ isRealTime: Bool) -> Bool {
    var parameter = sched_param(sched_priority: isRealTime ? 1 : 0)
    return sched_setscheduler(0, isRealTime ? SCHED_FIFO : SCHED_OTHER, &parameter) == 0
  }
}

/// Asked on a thread of its own, which ends with the answer.
private let mayBeRealTime: Bool = {
  let answer = Locked(false)
  Threads.elsewhere { answer.current = RealTimeTests.setRealTime(true) }
  return answer.current
}()
#endif
