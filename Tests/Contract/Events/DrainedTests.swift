import Testing
import Tidings
import TidingsTesting

@Suite("Finishing an event, and waiting until it is drained")
struct DrainedTests {
  @Test(
    """
    25. After `finish()` an event accepts no more values: what it had accepted is still delivered, on every actor; \
    then its subscriptions end, and its streams when what waits was taken. What is emitted later reaches no handler, and the \
    first such value is reported.
    """, arguments: [DeliveryPolicy.serial, .immediate])
  func finish(policy: DeliveryPolicy) async {
    let reports = Reports(about: ["finished \(policy)"])
    let (event, received) = (Event<Int>("finished \(policy)", policy: policy), Recorder<Int>())
    let listener = Listener()
    let plain = event.observe { received($0) }
    let isolated = event.observe(with: listener) { listener, value in listener.note(value) }
    let stream = event.stream()
    event.emit(contentsOf: 1...3)
    event.finish()
    event.finish()
    #expect(!plain.isActive && !isolated.isActive)
    #expect(reports.messages.isEmpty)
    event.emit(4)
    event.emit(5)
    #expect(reports.messages.count == 1)
    #expect(reports.messages.first?.hasPrefix("emitted after finish") == true)
    await event.drained()
    #expect(await listener.received == [1, 2, 3])
    #expect(received.values == [1, 2, 3])
    #expect(await stream.all() == [1, 2, 3])
  }

  @Test("25. A handler may finish its event: the values that wait are delivered before the handlers end")
  func finishInAHandler() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let first = event.observe { value in
      if value == 1 {
        event.emit(2)
        event.finish()
        event.finish()
        event.emit(3)
      }
    }
    let second = event.observe { received($0) }
    event.emit(1)
    #expect(received.values == [1, 2])
    #expect(!first.isActive && !second.isActive)
  }

  @Test("25. A handler that is added to a finished event has ended, and a stream of it is at its end")
  func addingAfterwards() async {
    let (event, canaries) = (Event<Int>(), Canaries())
    event.finish()
    let token = event.observe { [canary = canaries.make()] _ in canary.touch() }
    #expect(!token.isActive)
    #expect(canaries.alive == 0)
    #expect(await event.next() == nil)
    token.cancel()
    await token.finish()
  }

  @Test(
    "6, 25. `cancelAll()` of a finished event drops what waits in its streams and in the queues of its handlers",
    arguments: [DeliveryPolicy.serial, .immediate])
  func cancellingAllAfterwards(policy: DeliveryPolicy) async {
    let (event, queue, received) = (Event<Int>(policy: policy), ManualQueue(), Recorder<Int>())
    let (kept, newest) = (event.stream(), event.stream(buffering: .newest(2)))
    var taken = kept.makeAsyncIterator()
    let isolated = event.observe(on: .manual(queue)) { received($0) }
    event.emit(contentsOf: 1...3)
    event.finish()
    #expect(await taken.next() == 1)
    event.cancelAll()
    queue.runAll()
    #expect(received.values == [])
    #expect(await taken.next() == nil)
    #expect(await newest.all() == [])
    await event.drained()
    #expect(!isolated.isActive)
  }

  @Test("25. A local event finishes as well, and reports the first value that is emitted later")
  func localEvents() {
    let reports = Reports(about: ["finished here"])
    let (event, received) = (LocalEvent<Int>("finished here"), Recorder<Int>())
    let first = event.observe { value in
      if value == 1 {
        event.emit(2)
        event.finish()
        event.emit(3)
      }
    }
    let second = event.observe { received($0) }
    event.emit(1)
    event.emit(4)
    #expect(received.values == [1, 2])
    #expect(!first.isActive && !second.isActive)
    #expect(!event.observe { received($0) }.isActive)
    #expect(reports.messages.count == 1)
    #expect(reports.messages.first?.hasPrefix("emitted after finish") == true)
  }

  @Test(
    """
    26. `await event.drained()` returns when every value that was emitted before the call has been handled by every \
    handler, on whichever actor; `await subscription.drained()` does so for one handler.
    """, arguments: [DeliveryPolicy.serial, .immediate])
  func drained(policy: DeliveryPolicy) async {
    let (event, other) = (Event<Int>(policy: policy), Event<Int>())
    let (listener, slow) = (TestActor(), TestActor())
    let one = event.observe(with: listener) { listener, value in listener.note(value) }
    let merged = event.map { $0 * 2 }.merge(other).observe(with: slow) { slow, value in slow.note(value) }
    // The actors are busy until the values wait.
    let gate = Gate()
    for actor in [listener, slow] { await actor.occupy(until: gate) }
    await Threads.together(2) { thread in for value in 0..<2_000 { event.emit(thread * 2_000 + value) } }
    gate.open()
    await one.drained()
    #expect(await listener.received.sorted() == Array(0..<4_000))
    await merged.drained()
    #expect(await slow.received.count == 4_000)
    event.emit(contentsOf: 4_000..<5_000)
    await event.drained()
    #expect(await listener.received.count == 5_000)
    #expect(await slow.received.count == 5_000)
  }

  @Test("26. A caller that waits while a value is being delivered is resumed when it has reached every handler")
  func drainedInMidEmit() async {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let (entered, proceed) = (Gate(), Gate())
    let first = event.observe { _ in
      entered.open()
      proceed.wait()
    }
    let second = event.observe { received($0) }
    Threads.start { event.emit(1) }
    await entered.wait()
    let waiting = Task.immediate {
      await event.drained()
      return received.values
    }
    proceed.open()
    #expect(await waiting.value == [1])
    withExtendedLifetime((first, second)) {}
  }

  @Test("26. A paused or cancelled handler, and an event without handlers, are drained at any time")
  func nothingToWaitFor() async {
    let (event, listener) = (Event<Int>(), TestActor())
    await event.drained()
    let gate = Gate()
    await listener.occupy(until: gate)
    let paused = event.observe(with: listener) { listener, value in listener.note(value) }
    let cancelled = event.observe(with: listener) { listener, value in listener.note(value) }
    event.emit(1)
    paused.pause()
    cancelled.cancel()
    await paused.drained()
    await cancelled.drained()
    await event.drained()
    gate.open()
    #expect(await listener.received.isEmpty)
  }
}
