import Synchronization
import Tidings

/// Threads that emit, write and move amounts simultaneously, and the checks of what their handlers and consumers received.
struct Load {
  var threads = 8
  var values = 2_000
  /// The bytes of each thread's stack.
  var stack = 1 << 19
  /// Programs that are started by fork and exec while the threads run.
  var children = 0

  struct Payload: Equatable, Sendable {
    let thread: Int
    let number: Int
  }

  /// The record of one receiver: the count, whether each thread's values came in order, and a digest of the order of all values.
  struct Record: Equatable, Sendable {
    var count = 0
    var isInOrder = true
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    private var last: [Int]
    init(threads: Int) { last = Array(repeating: -1, count: threads) }

    mutating func receive(_ payload: Payload) {
      count += 1
      if payload.number != last[payload.thread] + 1 { isInOrder = false }
      last[payload.thread] = payload.number
      digest = (digest ^ UInt64(payload.thread)) &* 0x100_0000_01b3
    }
  }

  func run() async {
    let total = threads * values
    let event = Event<Payload>("faults.event")
    let records = Mutex([Record(threads: threads), Record(threads: threads)])
    let first = event.observe { payload in records.withLock { $0[0].receive(payload) } }
    let second = event.filter { $0.thread >= 0 }.map { $0 }.observe { payload in
      records.withLock { $0[1].receive(payload) }
    }
    let stream = event.stream()
    let consumer = Task { [threads] in
      var record = Record(threads: threads)
      for await payload in stream { record.receive(payload) }
      return record
    }

    let counter = Observed(0)
    let chain = Mutex((last: 0, isUnbroken: true))
    let counting = counter.observe { change in
      chain.withLock {
        if $0.last != change.old { $0.isUnbroken = false }
        $0.last = change.new
      }
    }
    let (here, there) = (Observed(1_000_000), Observed(0))
    let sum = Derived { here.value + there.value }
    let glitches = Mutex(0)
    let summing = sum.observe { _ in glitches.withLock { $0 += 1 } }

    let group = Threads(threads, stack: stack) { [values] thread in
      for number in 0..<values {
        event.emit(Payload(thread: thread, number: number))
        if number % 4 == 0 {
          counter.update { $0 += 1 }
          transaction {
            here.update { $0 -= 1 }
            there.update { $0 += 1 }
          }
          if sum.value != 1_000_000 { glitches.withLock { $0 += 1 } }
        }
      }
    }
    for _ in 0..<children { check(Child.run() == 0, "a program that was started by fork and exec fails") }
    group.join()
    // A thread may leave the values that it delivers for other threads to a task.
    await event.drained()
    event.finish()
    let streamed = await consumer.value
    let received = records.withLock { $0 }

    check(received[0].count == total, "a handler received \(received[0].count) of \(total) values")
    check(received[0].isInOrder, "a handler received values of one thread out of order")
    check(received[1] == received[0], "two handlers saw two orders")
    check(streamed == received[0], "the stream gave \(streamed.count) of \(total) values, or another order")
    let writes = threads * ((values + 3) / 4)
    check(counter.value == writes, "\(counter.value) of \(writes) updates were applied")
    await counting.drained()
    check(chain.withLock { $0.last } == writes, "the last value was not notified")
    check(chain.withLock { $0.isUnbroken }, "old of a change was not new of the one before")
    check(there.value == writes && sum.value == 1_000_000, "\(there.value) of \(writes) moves were made")
    check(glitches.withLock { $0 } == 0, "a sum was computed from a half-made move")
    withExtendedLifetime((first, second, counting, summing)) {}
    print("✔ \(threads) threads, \(total) values, \(children) children")
  }
}

/// Ends the program with a message where something is not as it should be.
func check(_ holds: Bool, _ message: @autoclosure () -> String) {
  if holds { return }
  print("✘ \(message())")
  fflush(nil)
  // Not 1, so that the script can distinguish it from what the system says.
  exit(3)
}
