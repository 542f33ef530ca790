import Testing
import Tidings
import TidingsTesting

/// Several questions are on their way to a busy actor. The first one's handler stops its subscription there.
@Suite("Self-cancellation of a hook's handler")
struct HookSelfCancellationTests {
  @Test(
    "6. A hook's handler that has cancelled or paused itself on its actor is not asked by questions that had been put before"
  )
  func onItsActor() async {
    for stop in [{ $0.cancel() }, { $0.pause() }] as [@Sendable (Subscription) -> Void] {
      for isOwned in [true, false] {
        let (hook, actor, proceed) = (Hook<Int, Int, Never>(), TestActor(), Gate())
        let (asked, token) = (Recorder<Int>(), Locked<Subscription?>(nil))
        let answer: @Sendable (Int) -> Int = { question in
          asked(question)
          if let token = token.current { stop(token) }
          return question
        }
        token.current = await actor.run { actor in
          isOwned
            ? hook.handle(with: actor) { _, question in answer(question) }
            : hook.handle { question in
              actor.preconditionIsolated()
              return answer(question)
            }
        }
        await actor.occupy(until: proceed)
        // Each has put its question, and waits for the actor, before the next is begun.
        let questions = (0..<3).map { question in Task { await hook(question) } }
        #expect(await eventually { hook.diagnostics.subscriptions.first?.queued == 3 })
        proceed.open()
        var answers: [Int] = []
        for question in questions { answers += await question.value }
        #expect(asked.values.count == 1, "owned: \(isOwned)")
        #expect(answers == asked.values)
      }
    }
  }
}
