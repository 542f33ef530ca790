import CSuppressions
import TestSupport
import Testing
import Tidings
import TidingsTesting

/// `pause()` and `resume()` against other threads. A race is shown by many tries: two threads meet at each, so that their
/// calls overlap.
@Suite("Pausing against other threads", .slow)
struct PauseThreadsTests {
  private static let tries = tests_are_sanitized() == 0 ? Runs.size(2_000, full: 8_000) : 800

  @Test(
    "10. After two threads have paused and resumed a handler, it receives what is emitted", arguments: Way.allCases)
  func pausedAndResumed(_ way: Way) async {
    let (event, received, queue) = (Event<Int>(), Recorder<Int>(), ManualQueue())
    let (hook, actor) = (Hook<Int, Int, Never>(), TestActor())
    var (tokens, streams): ([Subscription], [EventStream<Int>]) = ([], [])
    for index in 0..<Self.tries {
      switch way {
      case .plain: tokens.append(event.observe { _ in received(index) })
      case .actor: tokens.append(event.observe(with: actor) { _, _ in received(index) })
      case .target: tokens.append(event.observe(on: .manual(queue)) { _ in received(index) })
      case .stream: streams.append(event.stream())
      case .hook: tokens.append(hook.handle { _ in index })
      }
    }
    // A handler may or may not receive a value that is being delivered while the threads contend.
    event.emit(0)
    Self.contend(tokens + streams.map(\.subscription))
    queue.runAll()
    await event.drained()
    let before = received.values.count
    event.emit(1)
    queue.runAll()
    await event.drained()
    event.finish()
    for (index, stream) in streams.enumerated() {
      for await value in stream where value == 1 { received(index) }
    }
    for index in await hook(0) { received(index) }
    #expect(Set(0..<Self.tries).subtracting(received.values.dropFirst(before)).sorted() == [])
  }
  enum Way: CaseIterable, Sendable { case plain, actor, target, stream, hook }

  @Test(
    "6. A handler that is stopped on its own actor while another thread emits its first value is not called after that"
  )
  func onTheHandlersOwnActor() async {
    for stop in [{ $0.pause() }, { $0.cancel() }] as [@Sendable (Subscription) -> Void] {
      let (actor, calls) = (TestActor(), Locked(0))
      let events = (0..<Self.tries).map { _ in Event<Int>() }
      let tokens = events.map { $0.observe(with: actor) { _, _ in calls.withLock { $0 += 1 } } }
      let barrier = SpinBarrier(of: 2)
      // The actor is occupied throughout: no call can have begun before the handler was stopped.
      await actor.run { _ in
        let ended = Gate()
        Threads.start {
          for (index, event) in events.enumerated() {
            barrier.wait()
            if index % 2 == 0 { Self.linger(index) }
            event.emit(1)
          }
          ended.open()
        }
        for (index, token) in tokens.enumerated() {
          barrier.wait()
          if index % 2 == 1 { Self.linger(index) }
          stop(token)
        }
        ended.wait()
      }
      for event in events { await event.emitAndWait(2) }
      await actor.run { _ in }
      #expect(calls.current == 0)
    }
  }

  @Test("4. A handler is not called in the midst of its own call, though another thread cancels it then")
  func notWithinItsOwnCall() async {
    let (actor, state) = (TestActor(), Locked((isCalled: false, overtaken: 0)))
    let events = (0..<Runs.size(Self.tries / 16, full: Self.tries * 2)).map { _ in Event<Int>() }
    let barrier = SpinBarrier(of: 2)
    let tokens = events.enumerated().map { index, event in
      event.observe(with: actor) { [unowned event] _, value in
        guard value == 1 else { return state.withLock { $0.overtaken += $0.isCalled ? 1 : 0 } }
        state.withLock { $0.isCalled = true }
        barrier.wait()
        if index % 2 == 1 { Self.linger(index) }
        event.emit(2)
        state.withLock { $0.isCalled = false }
      }
    }
    for (index, event) in events.enumerated() {
      await Threads.elsewhere {
        event.emit(1)
        barrier.wait()
        if index % 2 == 0 { Self.linger(index) }
        tokens[index].cancel()
      }
      await actor.run { _ in }
    }
    #expect(state.current.overtaken == 0)
  }

  /// Two threads pause and resume each of the subscriptions. The call that returns last, of either thread, is a `resume()`.
  private static func contend(_ tokens: [Subscription]) {
    let barrier = SpinBarrier(of: 2)
    Threads.together(2) { thread in
      for (index, token) in tokens.enumerated() {
        barrier.wait()
        if index % 2 == thread { linger(index) }
        for _ in 0..<3 {
          token.pause()
          token.resume()
        }
      }
    }
  }

  /// Takes the moments of both threads apart by a little that differs from try to try.
  private static func linger(_ index: Int) { for _ in 0..<(index / 2 % 32) { _ = Threads.current } }
}
