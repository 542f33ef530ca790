#if TIDINGS_EXPLORED
@testable import Tidings
@testable import TidingsTesting

/// An actor whose jobs the scheduler runs.
actor ExploredActor {
  private let queue: JobQueue
  init(_ interleaver: Interleaver) { queue = interleaver.actor }
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  func run(_ body: @Sendable (isolated ExploredActor) -> Void) { body(self) }

  /// By an explored thread: the actor is to do it.
  nonisolated func submit(_ body: @escaping @Sendable (isolated ExploredActor) -> Void) {
    Task.detached(executorPreference: interleaver.executor) { await self.run(body) }
  }
}

extension Scenario {
  static let actors: [Scenario] = [
    Scenario("6. On the handler's own actor: cancelAll beside another thread's") {
      let (event, actor, received) = (Event<Int>(), ExploredActor(interleaver), Recorder<Int>())
      let (isCancelled, late) = (Locked(false), Locked(0))
      let first = event.observe { _ in }
      event.observe(with: actor) { _, value in
        received(value)
        if isCancelled.current { late.withLock { $0 += 1 } }
      }
      return Round(
        threads: [
          {
            actor.submit { _ in
              event.cancelAll()
              isCancelled.current = true
            }
            event.emit(1)
          },
          { event.cancelAll() },
        ],
        violation: {
          withExtendedLifetime(first) {}
          return late.current == 0 ? nil : "a call began after cancelAll() had returned on its actor"
        })
    },
    Scenario("4, 6. A handler on its actor emits, while another thread cancels it") {
      let (event, actor) = (Event<Int>(), ExploredActor(interleaver))
      let (isCalled, nested) = (Locked(false), Locked(0))
      let token = event.observe(with: actor) { [unowned event] _, value in
        if isCalled.current { nested.withLock { $0 += 1 } }
        guard value == 1 else { return }
        isCalled.current = true
        event.emit(2)
        isCalled.current = false
      }
      return Round(
        threads: [{ event.emit(1) }, { token.cancel() }],
        violation: {
          withExtendedLifetime(actor) {}
          return nested.current == 0 ? nil : "called in the midst of its own call"
        })
    },
    Scenario("12. What waits for the actor is not overtaken by what is emitted there") {
      let (event, actor, received) = (Event<Int>(), ExploredActor(interleaver), Recorder<Int>())
      event.observe(with: actor) { _, value in received(value) }
      return Round(
        threads: [
          { actor.submit { actor in event.emit(2, isolation: actor) } },
          {
            event.emit(1)
            event.emit(3)
          },
        ],
        violation: {
          let values = received.values
          if values.sorted() != [1, 2, 3] { return "received \(values)" }
          return values.filter { $0 != 2 } == [1, 3] ? nil : "out of order: \(values)"
        })
    },
    Scenario("6, 10. A handler pauses itself on its actor while another thread emits") {
      let (event, actor) = (Event<Int>(), ExploredActor(interleaver))
      let (isPaused, late, received) = (Locked(false), Locked(0), Recorder<Int>())
      let token = event.observe(with: actor) { _, value in
        received(value)
        if isPaused.current { late.withLock { $0 += 1 } }
      }
      return Round(
        threads: [
          { event.emit(1) },
          {
            actor.submit { _ in
              token.pause()
              isPaused.current = true
            }
          },
        ],
        violation: {
          if late.current > 0 { return "called in a pause" }
          return received.values.count <= 1 ? nil : "received \(received.values)"
        })
    },
    Scenario("7. finish() beside emit returns, and no call runs then") {
      let (event, actor) = (Event<Int>(), ExploredActor(interleaver))
      let (isOver, late, hasReturned) = (Locked(false), Locked(0), Locked(false))
      let token = event.observe(with: actor) { _, _ in
        if isOver.current { late.withLock { $0 += 1 } }
      }
      return Round(
        threads: [
          { for value in 1...2 { event.emit(value) } },
          {
            Task.detached(executorPreference: interleaver.executor) {
              await token.finish()
              isOver.current = true
              hasReturned.current = true
            }
          },
        ],
        violation: {
          withExtendedLifetime(actor) {}
          if !hasReturned.current { return "finish() has not returned" }
          return late.current == 0 ? nil : "a call began afterwards"
        })
    },
    Scenario("7. finish() of a plain handler returns when no call runs") {
      let (event, inner, isRunning) = (Event<Int>(), Event<Int>(), Locked(false))
      let (found, hasReturned) = (Locked(false), Locked(false))
      let token = event.observe { value in
        isRunning.current = true
        inner.emit(value)
        isRunning.current = false
      }
      let listening = inner.observe { _ in }
      return Round(
        threads: [
          { event.emit(1) },
          {
            Task.detached(executorPreference: interleaver.executor) {
              await token.finish()
              found.current = isRunning.current
              hasReturned.current = true
            }
          },
        ],
        violation: {
          withExtendedLifetime(listening) {}
          if !hasReturned.current { return "finish() has not returned" }
          return found.current ? "it returned in the midst of a call" : nil
        })
    },
    Scenario("6. A hook on its actor: cancelled beside a question") {
      let (hook, actor) = (Hook<Int, Int, Never>(), ExploredActor(interleaver))
      let (isCancelled, late, answers) = (Locked(false), Locked(0), Recorder<[Int]>())
      let token = hook.handle(with: actor) { _, number in
        if isCancelled.current { late.withLock { $0 += 1 } }
        return number
      }
      return Round(
        threads: [
          { Task.detached(executorPreference: interleaver.executor) { answers(await hook(1)) } },
          {
            actor.submit { _ in
              token.cancel()
              isCancelled.current = true
            }
          },
        ],
        violation: {
          if late.current > 0 { return "asked after it had cancelled itself" }
          return [[[]], [[1]]].contains(answers.values) ? nil : "answers \(answers.values)"
        })
    },
    Scenario("10. A hook on its actor: paused beside two questions") {
      let (hook, actor) = (Hook<Int, Int, Never>(), ExploredActor(interleaver))
      let (isPaused, late) = (Locked(false), Locked(0))
      let token = hook.handle(with: actor) { _, number in
        if isPaused.current { late.withLock { $0 += 1 } }
        return number
      }
      let ask: @Sendable () -> Void = {
        Task.detached(executorPreference: interleaver.executor) { _ = await hook(1) }
      }
      return Round(
        threads: [
          ask, ask,
          {
            actor.submit { _ in
              token.pause()
              isPaused.current = true
            }
          },
        ],
        violation: { late.current > 0 ? "asked after it had paused itself" : nil })
    },
  ]
}
#endif
