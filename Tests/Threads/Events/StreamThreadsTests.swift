import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite("Streams among threads", .timeLimit(.minutes(30)), .slow)
struct StreamThreadsTests {
  /// Checks what comes instead of keeping it.
  private actor Auditor {
    private(set) var count = 0
    private(set) var isOrdered = true
    /// A digest of all values in their order. Two auditors that received the same values in the same order have the same digest.
    private(set) var digest = 5_381
    private var next = [0, 0, 0, 0]
    private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    /// Returns when the given number has come.
    func reach(_ count: Int) async {
      if self.count < count { await withCheckedContinuation { waiting = (count, $0) } }
    }

    func follow(_ stream: EventStream<Int>) async {
      for await value in stream {
        let (thread, step) = (value & 3, value >> 2)
        if next[thread] != step { isOrdered = false }
        next[thread] = step + 1
        digest = digest &* 33 &+ value
        count += 1
        if count == waiting?.count { waiting?.continuation.resume() }
      }
    }
  }

  @Test("of many values from four threads, four consumers on actors get each, once and in one order")
  func manyValues() async {
    let (threads, each, rounds) = (4, Runs.size(1_500, full: 25_000), 10)
    let auditors = (0..<4).map { _ in Auditor() }
    var event: Event<Int>? = Event()
    var loops: [Task<Void, Never>] = []
    for auditor in auditors {
      let stream = event!.stream()
      loops.append(Task { await auditor.follow(stream) })
    }
    // In rounds, so that what waits does not take the memory that other tests measure.
    for round in 0..<rounds {
      await emit(event!, from: threads, round * each..<(round + 1) * each)
      for auditor in auditors { await auditor.reach((round + 1) * threads * each) }
    }
    event = nil
    for loop in loops { await loop.value }
    let first = await auditors[0].digest
    for auditor in auditors {
      #expect(await auditor.count == threads * each * rounds)
      #expect(await auditor.isOrdered, "what a thread emits comes in its order, without a gap")
      #expect(await auditor.digest == first)
    }
  }
  private func emit(_ event: Event<Int>, from threads: Int, _ steps: Range<Int>) async {
    await Threads.together(threads) { thread in for step in steps { event.emit(step << 2 | thread) } }
  }

  @Test("bounded buffers among threads: what was taken and what was missed is all there was, and the numbers say where")
  func bounded() async {
    for policy in [BufferingPolicy.newest(16), .oldest(16)] {
      for _ in 0..<20 {
        var event: Event<Int>? = Event()
        let stream = event!.stream(buffering: policy)
        let loop = Task {
          var (count, last, gaps) = (0, -1, 0)
          for await (number, _) in stream.numbered {
            gaps += number - last - 1
            last = number
            count += 1
          }
          return (count, last, gaps)
        }
        await emit(event!, from: 2, 0..<500)
        event = nil
        let (count, last, gaps) = await loop.value
        #expect(count + stream.droppedCount == 1_000)
        #expect(gaps + (999 - last) == stream.droppedCount)
        if policy == .newest(16) { #expect(last == 999) }
      }
    }
  }

  @Test("iterators are made and dropped while a thread emits: each gets consecutive values")
  func comingAndGoing() async {
    let (event, wanted) = (Event<Int>(), DispatchSemaphore(value: 0))
    let (stream, readers, times) = (event.stream(), 4, 200)
    // More than an iterator takes, whenever one has begun: so much waits and no more.
    Threads.start {
      for round in 0..<readers * times {
        wanted.wait()
        for value in round * 32..<(round + 1) * 32 { event.emit(value) }
      }
    }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<readers {
        group.addTask {
          for _ in 0..<times {
            var iterator = stream.makeAsyncIterator()
            wanted.signal()
            guard let first = await iterator.next() else { return false }
            for offset in 1...20 {
              guard await iterator.next() == first + offset else { return false }
            }
          }
          return true
        }
      }
      for await isUnbroken in group { #expect(isUnbroken) }
    }
    #expect(stream.droppedCount == 0)
  }

  /// Lets a thread and a task begin a round at the same moment. The thread sleeps until the task is there: a thread that looked
  /// without a pause took the processor from what it waited for.
  private final class Meeting: Sendable {
    private let arrived = DispatchSemaphore(value: 0)
    private let round = Atomic(0)

    /// By the thread.
    func await(_ number: Int) {
      arrived.wait()
      round.store(number, ordering: .releasing)
    }
    /// By the task, which waits for some microseconds: to be woken again would take longer than the moment that is looked for.
    func arrive(for number: Int) {
      arrived.signal()
      var looks = 0
      while round.load(ordering: .acquiring) < number {
        looks += 1
        if looks > 10_000 { sched_yield() }
      }
    }
    /// Some nanoseconds for each step.
    func delay(_ steps: Int) { for _ in 0..<64 * max(0, steps) { _ = round.load(ordering: .acquiring) } }
  }

  @Test("a value, the end and a cancel wake a consumer that is about to suspend")
  func goingToSleep() async {
    let (rounds, meeting) = (Runs.size(5_000, full: 9_000), Meeting())
    let event = Locked<Event<Int>?>(nil)
    let task = Locked<Task<Int?, Never>?>(nil)
    // One of them is late, by more and by less: somewhere between is the moment.
    Threads.start {
      for round in 1...rounds {
        meeting.await(round)
        meeting.delay(64 - round / 3 % 128)
        switch round % 3 {
        case 0: event.current?.emit(round)
        case 1: event.current = nil
        default:
          while task.current == nil { sched_yield() }
          task.current?.cancel()
        }
      }
    }
    for round in 1...rounds {
      event.current = Event()
      task.current = nil
      let asking = Task { [stream = event.current!.stream()] () -> Int? in
        var iterator = stream.makeAsyncIterator()
        meeting.arrive(for: round)
        meeting.delay(round / 3 % 128 - 64)
        return await iterator.next()
      }
      task.current = asking
      #expect(await asking.value == (round % 3 == 0 ? round : nil))
    }
  }
}
