import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  12. A handler isolated to an actor runs on that actor: in place when the delivering code is on it (after what \
  waited in that subscription's queue at that moment, so that nothing emitted before is overtaken), else through \
  that subscription's own queue, first in first out. Isolated means: formed on a global actor, or in an actor and \
  using it (`self`, not `[weak self]`).
  """, .serialized)
struct IsolationTests {
  @MainActor
  @Test("on the main actor")
  func onTheMainActor() async {
    let (event, screen) = (Event<Int>(), Screen())
    let token = event.observe { value in
      MainActor.preconditionIsolated()
      screen.shown.append(value)
    }
    let failing = event.observe(
      onError: { (_: Oops) in },
      { value throws(Oops) in
        MainActor.preconditionIsolated()
        screen.shown.append(value * 10)
        throw Oops()
      })
    event.observe(with: screen) { screen, value in screen.shown.append(value * 100) }
    event.emit(1)
    #expect(screen.shown == [1, 10, 100], "in place")
    screen.shown = []
    await elsewhere { event.emit(2) }
    await event.emitAndWait(3)
    #expect(screen.shown.filter { $0 < 10 } == [2, 3])
    #expect(screen.shown.sorted() == [2, 3, 20, 30, 200, 300])
    token.cancel()
    failing.cancel()
  }

  @Test("first in first out")
  func firstInFirstOut() async {
    for _ in 0..<30 { await firstInFirstOutOnce() }
  }
  private func firstInFirstOutOnce() async {
    let (event, listener, plain) = (Event<Int>(), Listener(), Recorder<Int>())
    let order = event.observe { plain($0) }
    let token = await listener.listen(to: event)
    await Threads.together(3) { thread in for value in 1...30 { event.emit(thread * 100 + value) } }
    await event.emitAndWait(0)
    #expect(await listener.received == plain.values)
    order.cancel()
    token.cancel()
  }

  /// While the actor is busy values queue up for it; then it emits itself, and its handler must not receive that first.
  @Test("in place after the queue")
  func inPlaceAfterTheQueue() async {
    let (event, actor) = (Event<Int>(), TestActor())
    let token = await actor.listen(to: event)
    await actor.run { actor in
      Threads.elsewhere { event.emit(contentsOf: 1...3) }
      #expect(actor.received == [])
      event.emit(4, isolation: actor)
      #expect(actor.received == [1, 2, 3, 4], "in place, after what had been queued")
      event.emit(5, isolation: actor)
      #expect(actor.received == [1, 2, 3, 4, 5])
    }
    await event.emitAndWait(6)
    #expect(await actor.received == [1, 2, 3, 4, 5, 6])
    token.cancel()
  }

  /// The actor emits at the same time as a thread. In every interleaving, no value is overtaken.
  @Test("in place against other threads")
  func inPlaceAgainstOtherThreads() async {
    for _ in 0..<100 { await inPlaceAgainstOtherThreadsOnce() }
  }
  private func inPlaceAgainstOtherThreadsOnce() async {
    let (event, actor, plain) = (Event<Int>(), TestActor(), Recorder<Int>())
    let order = event.observe { plain($0) }
    let token = await actor.listen(to: event)
    let thread = Task.detached { for value in 1...20 { event.emit(value) } }
    for round in 1...5 { await actor.run { actor in event.emit(round * 100, isolation: actor) } }
    await thread.value
    await event.emitAndWait(0)
    #expect(await actor.received == plain.values)
    order.cancel()
    token.cancel()
  }

  /// The queue is the subscription's own: a busy actor holds up no other handler.
  @Test("a queue for each")
  func aQueueForEach() async {
    let (event, busy, idle, proceed) = (Event<Int>(), TestActor(), Listener(), Gate())
    let (slow, quick) = (Recorder<Int>(), Recorder<Int>())
    event.observe(with: busy) { _, value in slow(value) }
    event.observe(with: idle) { _, value in quick(value) }
    await busy.occupy(until: proceed)
    event.emit(contentsOf: 1...10)
    #expect(await quick.values(atLeast: 10) == Array(1...10))
    #expect(slow.values == [])
    proceed.open()
    #expect(await slow.values(atLeast: 10) == Array(1...10))
  }

  /// A closure in an actor that does not use it, or holds it weakly, is not isolated: it runs where the value is emitted.
  @Test("what is isolated")
  func whatIsIsolated() async {
    let (event, actor) = (Event<Int>(), TestActor())
    let tokens = await actor.listenLoosely(to: event)
    let here = Threads.current
    let (places, isSame) = (tokens.places, Threads.current == here)
    event.emit(1)
    #expect(isSame && places.values == [false, false], "not on the actor, and before `emit` returns")
  }

  /// Runs `body` on a thread of its own without holding up this task's.
  private nonisolated func elsewhere(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { done in
      Threads.start {
        body()
        done.resume()
      }
    }
  }
}

@MainActor
private final class Screen {
  var shown: [Int] = []
}

extension Listener {
  fileprivate func listen(to event: Event<Int>) -> Subscription {
    event.observe { value in
      self.preconditionIsolated()
      self.note(value)
    }
  }
}

extension TestActor {
  fileprivate func listen(to event: Event<Int>) -> Subscription {
    event.observe { value in
      #expect(self.isHere, "not on the actor's thread")
      self.note(value)
    }
  }

  fileprivate func listenLoosely(to event: Event<Int>) -> (tokens: [Subscription], places: Recorder<Bool>) {
    let places = Recorder<Bool>()
    let weakly = event.observe { [weak self] _ in places(self?.isHere ?? true) }
    let without = event.observe { [worker = Unused()] _ in places(worker.isHere) }
    return ([weakly, without], places)
  }
}

private struct Unused: Sendable {
  var isHere: Bool { false }
}
