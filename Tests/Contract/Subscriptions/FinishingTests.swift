import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  7. `await subscription.finish()` cancels, and returns when no call is running: at the latest when the one call \
  that the event was making, of whichever handler, is over. It is not called from the handler itself.
  """, .serialized)
struct FinishingTests {
  /// Under `.immediate` several threads may be in the handler; `finish` waits for the last. The second finisher comes when the
  /// subscription is cancelled already, and waits as well.
  @Test("calls on other threads", arguments: [DeliveryPolicy.serial, .immediate])
  func callsOnOtherThreads(_ policy: DeliveryPolicy) async {
    let (event, log) = (Event<Int>(policy: policy), Recorder<String>())
    let gates = (0..<(policy == .serial ? 1 : 2)).map { _ in (entered: Gate(), proceed: Gate(), ended: Gate()) }
    let token = event.observe { call in
      gates[call].entered.open()
      gates[call].proceed.wait()
      log("call ends")
    }
    for (call, gate) in gates.enumerated() {
      Threads.start {
        event.emit(call)
        gate.ended.open()
      }
    }
    for gate in gates { await gate.entered.wait() }
    let finishers = (0..<2).map { _ in
      Task {
        await token.finish()
        log("finished")
      }
    }
    while token.isActive { await Task.yield() }
    for gate in gates {
      for _ in 0..<50 { await Task.yield() }
      log("opened")
      gate.proceed.open()
      await gate.ended.wait()
    }
    for finisher in finishers { await finisher.value }
    event.emit(0)
    let ends = gates.flatMap { _ in ["opened", "call ends"] }
    #expect(log.values == ends + ["finished", "finished"])
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
  }
}
