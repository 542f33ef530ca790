import Testing
import Tidings
import TidingsTesting

@Suite("Cancelling all from several threads")
struct CancelAllTests {
  @Test(
    "6. Once `cancelAll()` has returned on a handler's own actor, no call begins, though another thread's is still under way",
    arguments: [DeliveryPolicy.serial, .immediate])
  func besideAnother(policy: DeliveryPolicy) async {
    let (event, actor, received) = (Event<Int>(policy: policy), TestActor(), Recorder<Int>())
    let (isDestroying, proceed, ended) = (Gate(), Gate(), Gate())
    // The other thread destroys the first handler, and has yet to come to the second.
    let first = {
      let callback = DeinitCallback {
        isDestroying.open()
        proceed.wait()
      }
      return event.observe { _ in callback.touch() }
    }()
    let second = event.observe(with: actor) { _, value in received(value) }
    await actor.run { _ in
      Threads.elsewhere { event.emit(1) }
      Threads.start {
        event.cancelAll()
        ended.open()
      }
      isDestroying.wait()
      event.cancelAll()
    }
    await actor.run { _ in }
    #expect(received.values == [])
    proceed.open()
    await ended.wait()
    withExtendedLifetime((first, second)) {}
  }

  @Test("6. As much holds for a hook whose question is on its way to the actor")
  func hook() async {
    let (hook, actor, asked) = (Hook<Int, Int, Never>(), TestActor(), Recorder<Int>())
    let (isDestroying, proceed, ended) = (Gate(), Gate(), Gate())
    let first = {
      let callback = DeinitCallback {
        isDestroying.open()
        proceed.wait()
      }
      return hook.handle { number in
        callback.touch()
        return number
      }
    }()
    let second = hook.handle(with: actor) { _, number in
      asked(number)
      return number
    }
    let question = await actor.run { _ in
      let before = actor.jobCount
      let question = Task { await hook(1) }
      actor.waitForJob(after: before)
      Threads.start {
        hook.cancelAll()
        ended.open()
      }
      isDestroying.wait()
      hook.cancelAll()
      return question
    }
    #expect(await question.value == [1])
    #expect(asked.values == [])
    proceed.open()
    await ended.wait()
    withExtendedLifetime((first, second)) {}
  }
}
