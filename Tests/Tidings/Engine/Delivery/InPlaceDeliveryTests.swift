import Testing
import Tidings
import TidingsTesting

@Suite("Delivery in place, and the queue that is emptied first")
struct InPlaceDeliveryTests {
  @Test("12. A value that is emitted in place follows those that waited, not those that others emit without end")
  func othersDoNotKeepTheEmitter() async {
    for policy in [DeliveryPolicy.immediate, .serial] {
      let (event, actor, received) = (Event<Int>(policy: policy), TestActor(), Recorder<Int>())
      // Each call makes another thread emit the next value, before it returns.
      let last = 400
      event.observe(with: actor) { _, value in
        received(value)
        if 1..<last ~= value { Threads.elsewhere { event.emit(value + 1) } }
      }
      await actor.run { _ in
        Threads.elsewhere { event.emit(1) }
        event.emit(-1)
      }
      _ = await received.values(atLeast: last + 1)
      #expect(received.values.filter { $0 > 0 } == Array(1...last), "\(policy): nothing is lost or overtaken")
      #expect(
        received.values.firstIndex(of: -1).map { $0 <= 4 } == true, "\(policy): only 1 waited when -1 was emitted")
    }
  }

  @Test("A queue that is emptied in place starts no further task while one is under way to the busy actor")
  func oneTaskForEachQueue() async {
    for policy in [DeliveryPolicy.serial, .immediate] {
      let (event, clerk) = (Event<Int>(policy: policy), TestActor())
      event.observe(with: clerk) { clerk, value in clerk.note(value) }
      let count = 1_000
      let before = await clerk.run { clerk in
        let before = clerk.jobCount
        for value in 0..<count {
          // From elsewhere through the queue; on the actor in place, which empties the queue.
          if value % 2 == 0 { event.emit(value, isolation: nil) } else { event.emit(value) }
        }
        return before
      }
      // A task that was started shows when the pool has run it.
      for _ in 0..<2_000 { await Task.yield() }
      let jobs = clerk.jobCount - before
      #expect(jobs <= 10, "\(policy): \(jobs) tasks for \(count / 2) values")
      await clerk.run { clerk in #expect(clerk.received == Array(0..<count)) }
    }
  }
}
