import Dispatch
import Testing
import Tidings
import TidingsDispatch
import TidingsTesting

@Suite("Delivery targets")
struct DeliveryTargetTests {
  @Test("A job calls the handler with all that has come, first in first out")
  func firstInFirstOut() {
    let (event, received, queue) = (Event<Int>(), Recorder<Int>(), ManualQueue())
    let token = event.observe(on: .manual(queue)) { received($0) }
    event.emit(contentsOf: 1...3)
    #expect(received.values == [], "not in place")
    #expect(queue.count == 1, "one job at a time")
    queue.runNext()
    #expect(received.values == [1, 2, 3])
    event.emit(4)
    #expect(queue.count == 1)
    queue.runNext()
    #expect(received.values == [1, 2, 3, 4])
    token.cancel()
  }

  @Test("A job that does not run holds up its own subscription and no other")
  func aJobForEach() {
    let (event, received, slow, quick) = (Event<Int>(), Recorder<String>(), ManualQueue(), ManualQueue())
    let tokens = [
      event.observe(on: .manual(slow)) { received("slow \($0)") },
      event.observe(on: .manual(quick)) { received("quick \($0)") },
      event.observe { received("plain \($0)") },
    ]
    event.emit(1)
    quick.runNext()
    event.emit(2)
    quick.runNext()
    #expect(received.values == ["plain 1", "quick 1", "plain 2", "quick 2"])
    #expect(event.diagnostics.subscriptions.map(\.queued) == [2, 0, 0])
    slow.runNext()
    #expect(received.values.suffix(2) == ["slow 1", "slow 2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("What a handler emits comes in a later turn, also to itself")
  func emittingInAJob() {
    let (event, received, queue) = (Event<Int>(), Recorder<Int>(), ManualQueue())
    let token = event.observe(on: .manual(queue)) { value in
      received(value)
      if value < 3 { event.emit(value + 1) }
    }
    event.emit(1)
    queue.runAll()
    #expect(received.values == [1, 2, 3])
    token.cancel()
  }

  @Test("Cancelled, nothing of what is on the way arrives, and captures are released immediately")
  func cancelling() {
    let (event, received, queue, canaries) = (Event<Int>(), Recorder<Int>(), ManualQueue(), Canaries())
    let token = event.observe(on: .manual(queue)) { [canary = canaries.make()] value in
      canary.touch()
      received(value)
    }
    event.emit(contentsOf: 1...3)
    token.cancel()
    #expect(canaries.alive == 0)
    queue.runAll()
    event.emit(4)
    queue.runAll()
    #expect(received.values == [])
  }

  @Test("Paused, what was on the way is dropped; resumed, it receives what is emitted from then on")
  func pausing() {
    let (event, received, queue) = (Event<Int>(), Recorder<Int>(), ManualQueue())
    let token = event.observe(on: .manual(queue)) { received($0) }
    event.emit(1)
    token.pause()
    event.emit(2)
    token.resume()
    event.emit(3)
    queue.runAll()
    #expect(received.values == [3])
    token.cancel()
  }

  @Test("A cancel in a job's handler drops what else the job would have called")
  func cancellingInAJob() {
    let (event, received, queue) = (Event<Int>(), Recorder<Int>(), ManualQueue())
    let own = Locked<Subscription?>(nil)
    own.current = event.observe(on: .manual(queue)) { value in
      received(value)
      if value == 2 { own.current?.cancel() }
    }
    event.emit(contentsOf: 1...4)
    queue.runAll()
    #expect(received.values == [1, 2])
    own.current = nil
  }

  @Test("On a dispatch queue, in order")
  func onAQueue() async {
    let queue = DispatchQueue(label: "tidings.tests.serial")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let (event, received, elsewhere) = (Event<Int>(), Recorder<Int>(), Locked(0))
    let token = event.observe(on: .queue(queue)) { value in
      if DispatchQueue.getSpecific(key: key) != true { elsewhere.withLock { $0 += 1 } }
      received(value)
    }
    await Threads.together(3) { thread in for value in 0..<50 { event.emit(thread * 100 + value) } }
    await event.emitAndWait(1_000)
    #expect(elsewhere.current == 0)
    #expect(received.values.count == 151)
    for thread in 0..<3 {
      let own = received.values.filter { $0 < 1_000 && $0 / 100 == thread }
      #expect(own == own.sorted())
    }
    token.cancel()
  }

  @Test("On a concurrent queue calls of one handler do not overlap either")
  func onAConcurrentQueue() async {
    let queue = DispatchQueue(label: "tidings.tests.concurrent", attributes: .concurrent)
    let (event, received, inside, overlaps) = (Event<Int>(), Recorder<Int>(), Locked(0), Locked(0))
    let token = event.observe(on: .queue(queue)) { value in
      let others = inside.withLock { count in
        count += 1
        return count - 1
      }
      if others > 0 { overlaps.withLock { $0 += 1 } }
      received(value)
      inside.withLock { $0 -= 1 }
    }
    for value in 1...300 { event.emit(value) }
    await event.emitAndWait(301)
    #expect(received.values == Array(1...301))
    #expect(overlaps.current == 0)
    token.cancel()
  }

  @Test("finish waits for the call that is running on the queue")
  func finishing() async {
    let queue = DispatchQueue(label: "tidings.tests.finish")
    let (event, log, entered, proceed) = (Event<Int>(), Recorder<String>(), Gate(), Gate())
    let token = event.observe(on: .queue(queue)) { value in
      log("begins \(value)")
      entered.open()
      proceed.wait()
      log("ends \(value)")
    }
    event.emit(contentsOf: 1...3)
    await withCheckedContinuation { running in
      Threads.start {
        entered.wait()
        running.resume()
      }
    }
    let finishing = Task {
      await token.finish()
      log("finished")
    }
    #expect(await eventually { !token.isActive })
    for _ in 0..<50 { await Task.yield() }
    log("opened")
    proceed.open()
    await finishing.value
    #expect(log.values == ["begins 1", "opened", "ends 1", "finished"])
  }

  @Test("After operators, on the main queue's terms or any other's")
  func behindOperators() {
    let (event, received, queue) = (Event<Int>(), Recorder<String>(), ManualQueue())
    let token = event.filter { $0 > 1 }.map { "\($0)" }.observe(on: .manual(queue)) { received($0) }
    event.emit(1)
    #expect(queue.count == 0, "a rejected value makes no job")
    event.emit(2)
    queue.runAll()
    #expect(received.values == ["2"])
    token.cancel()
  }
}
