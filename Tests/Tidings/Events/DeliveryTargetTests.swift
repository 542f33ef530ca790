import Dispatch
import Testing
import Tidings
import TidingsDispatch
import TidingsTesting

@Suite("Delivery targets")
struct DeliveryTargetTests {
  @Test(
    "On a dispatch queue, also a concurrent one, the calls are made in order and never overlap",
    arguments: [true, false])
  func onAQueue(isConcurrent: Bool) async {
    let queue = DispatchQueue(label: "tidings.tests", attributes: isConcurrent ? .concurrent : [])
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let (event, received, inside, wrong) = (Event<Int>(), Recorder<Int>(), Locked(0), Locked(0))
    let token = event.observe(on: .queue(queue)) { value in
      let others = inside.withLock { count in
        count += 1
        return count - 1
      }
      if others > 0 || DispatchQueue.getSpecific(key: key) != true { wrong.withLock { $0 += 1 } }
      received(value)
      inside.withLock { $0 -= 1 }
    }
    await Threads.together(3) { thread in for value in 0..<100 { event.emit(thread * 100 + value) } }
    await event.emitAndWait(1_000)
    #expect(wrong.current == 0)
    #expect(received.values.count == 301)
    for thread in 0..<3 {
      let own = received.values.filter { $0 < 1_000 && $0 / 100 == thread }
      #expect(own == own.sorted())
    }
    token.cancel()
  }
}
