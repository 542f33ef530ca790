import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  7. `await subscription.finish()` cancels, and returns when no call is running: at the latest when the one call \
  that the event was making, of whichever handler, is over. It is not called from the handler itself.
  """, .serialized)
struct FinishingTests {
  @Test(
    "a call on another thread",
    arguments: [DeliveryPolicy.serial, .immediate])
  func aCallOnAnotherThread(_ policy: DeliveryPolicy) async {
    for _ in 0..<10 { await aCallOnAnotherThreadOnce(policy) }
  }
  private func aCallOnAnotherThreadOnce(_ policy: DeliveryPolicy) async {
    let (event, log) = (Event<Int>(policy: policy), Recorder<String>())
    let (entered, proceed, ended) = (Gate(), Gate(), Gate())
    let token = event.observe { value in
      log("begins \(value)")
      entered.open()
      proceed.wait()
      log("ends \(value)")
    }
    Threads.start {
      event.emit(1)
      ended.open()
    }
    await entered.wait()
    // The second comes when the subscription is cancelled already, and waits all the same.
    let finishers = (0..<2).map { _ in
      Task {
        await token.finish()
        log("finished")
      }
    }
    while token.isActive { await Task.yield() }
    for _ in 0..<50 { await Task.yield() }
    event.emit(2)
    log("opened")
    proceed.open()
    for finisher in finishers { await finisher.value }
    await ended.wait()
    event.emit(3)
    #expect(log.values == ["begins 1", "opened", "ends 1", "finished", "finished"])
  }

  @Test("a call on an actor")
  func aCallOnAnActor() async {
    let (event, actor, log) = (Event<Int>(), TestActor(), Recorder<String>())
    let (entered, proceed) = (Gate(), Gate())
    let token = event.observe(with: actor) { _, value in
      log("begins \(value)")
      entered.open()
      proceed.wait()
      log("ends \(value)")
    }
    event.emit(contentsOf: [1, 2, 3])
    await entered.wait()
    let finisher = Task {
      await token.finish()
      log("finished")
    }
    while token.isActive { await Task.yield() }
    for _ in 0..<50 { await Task.yield() }
    log("opened")
    proceed.open()
    await finisher.value
    await event.emitAndWait(4)
    await actor.run { _ in }
    #expect(log.values == ["begins 1", "opened", "ends 1", "finished"], "2 and 3 were still on their way")
  }

  /// Under `.immediate` several threads may be in the handler; `finish` waits for the last.
  @Test("several simultaneous calls")
  func severalSimultaneousCalls() async {
    let event = Event<Int>(policy: .immediate)
    let (entered, gates, running) = ([Gate(), Gate()], [Gate(), Gate()], Locked(0))
    let token = event.observe { value in
      running.withLock { $0 += 1 }
      entered[value].open()
      gates[value].wait()
      running.withLock { $0 -= 1 }
    }
    for value in 0...1 { Threads.start { event.emit(value) } }
    for gate in entered { await gate.wait() }
    let finisher = Task {
      await token.finish()
      #expect(running.current == 0)
    }
    while token.isActive { await Task.yield() }
    gates[0].open()
    for _ in 0..<50 { await Task.yield() }
    gates[1].open()
    await finisher.value
  }

  @Test("nothing running")
  func nothingRunning() async {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let token = event.observe { received($0) }
    event.emit(1)
    await token.finish()
    await token.finish()
    event.emit(2)
    #expect(received.values == [1])
    #expect(!token.isActive)
    // From a handler of another subscription: it waits for no more than that call.
    let own = event.observe { received($0) }
    let ended = Gate()
    let other = event.observe { _ in
      Task {
        await own.finish()
        ended.open()
      }
    }
    await withCheckedContinuation { done in
      Threads.start {
        event.emit(3)
        done.resume()
      }
    }
    #expect(await eventually { ended.isOpen })
    #expect(received.values == [1, 3])
    other.cancel()
  }
}
