import ClosureEvents
import Testing
import TidingsTesting

import struct Tidings.Diagnostics

@Suite("What was fixed: the order between invokes", .timeLimit(.minutes(20)))
struct OrderTests {
  @Test("In the background, each invoke reaches every closure before the next begins")
  func oneAfterAnother() {
    let received = Recorder<String>()
    let event = Ticking()
    event.ticked += [noting("a", in: received), noting("b", in: received)]
    for count in 1...2_000 { event.tick(count) }
    #expect(event.ticked.becameIdle())
    #expect(received.values == (Array(1...2_000) + [0]).flatMap { ["a\($0)", "b\($0)"] })
  }

  @Test("What a closure invokes is delivered after the current one has reached them all")
  func invokedByAClosure() async {
    let received = Recorder<String>()
    let event = Ticking()
    event.ticked += TickClosure { [ticked = event.ticked] _, tick in
      received("a\(tick.count)")
      if tick.count == 1 { ticked.invoke(with: Tick(count: 2)) }
    }
    event.ticked += noting("b", in: received)
    event.tick(1)
    #expect(await received.values(atLeast: 4) == ["a1", "b1", "a2", "b2"])
  }

  @Test("Four threads invoke: every closure receives all, in one order, each thread's own in its order")
  func fourThreads() {
    let (first, last) = (Recorder<Int>(), Recorder<Int>())
    let event = Ticking()
    event.ticked += TickClosure { _, tick in first(tick.count) }
    event.ticked += TickClosure { _, tick in last(tick.count) }
    #expect(Threads.together(4) { thread in for round in 0..<500 { event.tick(thread * 1_000 + round) } })
    #expect(event.ticked.becameIdle(notifying: -1))
    #expect(first.values.count == 2_001)
    #expect(first.values == last.values)
    for thread in 0..<4 {
      #expect(first.values.filter { $0 / 1_000 == thread && $0 >= 0 } == (0..<500).map { thread * 1_000 + $0 })
    }
  }

  @Test(
    "A closure that invokes its own event for ever is stopped and reported",
    arguments: [Delivery.background, .immediate])
  func cycle(delivery: Delivery) async {
    let reports = Recorder<String>()
    let limit = delivery == .background ? 10_000 : 200
    let watching = Diagnostics.reports.observe { report in
      let isOurs = report.message.contains("ClosureEvents") && report.message.contains("depth \(limit + 1)")
      if isOurs { reports(report.message) }
    }
    let calls = Recorder<Int>()
    let event = Ticking(delivery)
    let endless = TickClosure { [ticked = event.ticked] _, tick in
      calls(tick.count)
      if tick.count < 2 * limit { ticked.invoke(with: Tick(count: tick.count + 1)) }
    }
    event.ticked += endless
    event.tick(1)
    _ = await calls.values(atLeast: limit)
    #expect(await reports.values(atLeast: 1).count == 1)
    event.ticked -= endless
    if delivery == .background { #expect(event.ticked.becameIdle()) }
    #expect(calls.values == Array(1...limit))
    watching.cancel()
  }
}
