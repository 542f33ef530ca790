import Testing
import Tidings
import TidingsTesting

/// An actor emits, another thread emits more than 1,024 values meanwhile, and the actor continues computing after its `emit` has
/// returned. Sentence 5 then lets a task deliver the rest; that task must not need the actor that is busy.
///
/// Two run in a process of their own, where no other test holds the threads of the pool.
@Suite("Handover: which thread delivers the values of others when an emitter has delivered its share")
struct HandoverTests {
  private static let count = 3_000

  @Test("5. A plain handler receives the rest while the actor that emitted first is busy")
  func plainHandlersReceiveTheRest() async {
    await #expect(processExitsWith: .success) {
      let (event, receivedAll) = (Event<Int>(), Gate())
      let received = Recorder<Int>()
      let token = event.observe { value in
        received(value)
        if value == 0 { HandoverTests.flood(event) }
        if value == HandoverTests.count { receivedAll.open() }
      }
      let arrived = await TestActor().run { actor in
        event.emit(0)
        return receivedAll.wait()
      }
      #expect(arrived, "the actor waits, outside any handler, for a handler that needs no actor")
      await receivedAll.wait()
      #expect(received.values == Array(0...HandoverTests.count))
      token.cancel()
    }
  }

  @Test("7. `finish()` returns while the actor that emitted first is busy and no call is running")
  func finishReturns() async {
    await #expect(processExitsWith: .success) {
      let (event, finished) = (Event<Int>(), Gate())
      let token = event.observe { value in if value == 0 { HandoverTests.flood(event) } }
      let inTime = await TestActor().run { _ in
        event.emit(0)
        Task.detached {
          await token.finish()
          finished.open()
        }
        return finished.wait()
      }
      #expect(inTime, "no call is running")
    }
  }

  @Test("15. Captures are released by `cancel()` while the actor that emitted first is busy")
  func capturesAreReleased() async {
    let (event, canaries, released) = (Event<Int>(), Canaries(), Gate())
    let token = event.observe { value in if value == 0 { Self.flood(event) } }
    let victim = event.observe { [callback = DeinitCallback { released.open() }, canary = canaries.make()] _ in
      callback.touch()
      canary.touch()
    }
    let inTime = await TestActor().run { _ in
      event.emit(0)
      victim.cancel()
      return released.wait()
    }
    #expect(inTime, "nothing is being delivered, or a value whose delivery ends")
    #expect(await canaries.quiesce())
    token.cancel()
  }

  @Test("2. Handlers on the busy actor receive the values in the order of all, when it is free")
  func theOrderHolds() async {
    let (event, received, actor) = (Event<Int>(), Recorder<Int>(), TestActor())
    let token = event.observe { value in
      received(value)
      if value == 0 { Self.flood(event) }
    }
    event.observe(with: actor) { actor, value in actor.note(value) }
    await actor.run { _ in event.emit(0) }
    await event.emitAndWait(-1)
    let onActor = await actor.received
    #expect(received.values == Array(0...Self.count) + [-1])
    #expect(onActor == received.values)
    token.cancel()
  }

  /// Another thread emits many values; it is not kept by them, for this thread is delivering.
  private static func flood(_ event: Event<Int>) { Threads.elsewhere { event.emit(contentsOf: 1...count) } }
}
