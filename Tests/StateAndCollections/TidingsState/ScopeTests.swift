import Testing
import Tidings
import TidingsState
import TidingsTesting

@Suite("Scopes")
struct ScopeTests {
  @Test(
    """
    37. What is in a `Scope` ends with it: once `cancel()` has returned no call of its handlers begins, its streams give nothing \
    more and its tasks are cancelled, and what is added later ends immediately. `await finish()` returns when no handler in it is \
    running and every task in it is over.
    """)
  func whatIsInAScopeEndsWithIt() async {
    for end in End.allCases { await everythingEnds(by: end) }
    await whatIsAddedLaterEndsImmediately()
    await finishWaits()
    await childrenEndWithTheirParent()
    for _ in 0..<20 { await addedWhileItEnds() }
  }

  private enum End: CaseIterable { case cancel, finish, destroy }

  private func everythingEnds(by end: End) async {
    let (event, received, canaries) = (Event<Int>(), Recorder<Int>(), Canaries())
    var scope: Scope? = Scope()
    event.observe { [canary = canaries.make()] in
      canary.touch()
      received($0)
    }.store(in: scope!)
    let stream = scope!.add(event.stream())
    let task = scope!.task { [canary = canaries.make()] in
      canary.touch()
      await forever()
    }
    let consumer = Task {
      var values: [Int] = []
      for await value in stream { values.append(value) }
      return values
    }
    event.emit(1)
    #expect(scope!.isActive && received.values == [1])
    switch end {
    case .cancel: scope!.cancel()
    case .finish: await scope!.finish()
    case .destroy: scope = nil
    }
    event.emit(2)
    #expect(received.values == [1] && task.isCancelled && scope?.isActive ?? false == false)
    let values = await consumer.value
    #expect(values == [] || values == [1])
    await task.value
    #expect(await canaries.quiesce())
    scope?.cancel()
  }

  private func whatIsAddedLaterEndsImmediately() async {
    let (event, received, scope) = (Event<Int>(), Recorder<Int>(), Scope())
    scope.cancel()
    event.observe { received($0) }.store(in: scope)
    let stream = scope.add(event.stream())
    event.emit(1)
    #expect(received.values.isEmpty && !scope.child().isActive)
    for await _ in stream { Issue.record("the stream has ended") }
    let task = scope.task { await forever() }
    #expect(task.isCancelled)
    await scope.finish()
    await task.value
  }

  private func finishWaits() async {
    let (event, isIn, isOut, ended) = (Event<Int>(), Gate(), Gate(), Recorder<String>())
    let scope = Scope()
    event.observe { _ in
      isIn.open()
      isOut.wait()
      ended("handler")
    }.store(in: scope)
    let latch = Latch()
    scope.task {
      // A wait that the cancellation does not end.
      await Task.detached { await latch.wait() }.value
      ended("task")
    }
    Threads.start { event.emit(1) }
    #expect(isIn.wait())
    scope.cancel()
    let finishing = Task {
      await scope.finish()
      ended("finish")
    }
    isOut.open()
    #expect(await eventually { ended.values == ["handler"] })
    latch.open()
    await finishing.value
    #expect(ended.values == ["handler", "task", "finish"], "cancelled before, and waited for all the same")
  }

  private func childrenEndWithTheirParent() async {
    let (event, received, scope) = (Event<Int>(), Recorder<String>(), Scope())
    let (first, second) = (scope.child(), scope.child())
    event.observe { received("first \($0)") }.store(in: first)
    event.observe { received("second \($0)") }.store(in: second)
    let task = second.child().task { await forever() }
    #expect(await eventually { task.isCancelled }, "a child that is dropped ends")
    first.cancel()
    event.emit(1)
    #expect(received.values == ["second 1"] && scope.isActive)
    await scope.finish()
    event.emit(2)
    #expect(received.values == ["second 1"] && !second.isActive)
  }

  private func addedWhileItEnds() async {
    let (event, scope, tasks) = (Event<Int>(), Scope(), Locked<[Task<Void, Never>]>([]))
    let subscriptions = Locked<[Subscription]>([])
    await Threads.together(4) { thread in
      if thread == 0 { return scope.cancel() }
      for _ in 0..<50 {
        let task = scope.task { await forever() }
        tasks.withLock { $0.append(task) }
        let subscription = event.observe { _ in }
        subscription.store(in: scope)
        subscriptions.withLock { $0.append(subscription) }
      }
    }
    #expect(tasks.current.allSatisfy(\.isCancelled) && subscriptions.current.allSatisfy { !$0.isActive })
    for task in tasks.current { await task.value }
  }

  @Test("A task runs on the actor on which it was formed, and leaves the scope when it is over")
  @MainActor func tasks() async {
    let (scope, canaries) = (Scope(), Canaries())
    var here = 0
    for _ in 0..<10 {
      await scope.task { [canary = canaries.make()] in
        canary.touch()
        here += 1
      }.value
    }
    #expect(here == 10)
    #expect(await canaries.quiesce())
  }

  @Test("Subscriptions that have ended are not kept")
  func endedSubscriptionsAreNotKept() {
    let (event, scope) = (Event<Int>(), Scope())
    weak var first: Subscription?
    for index in 0..<100 {
      let subscription = event.observe { _ in }
      subscription.store(in: scope)
      subscription.cancel()
      if index == 0 { first = subscription }
    }
    #expect(first == nil)
  }
}

/// Until it is cancelled.
private func forever() async {
  let stream = AsyncStream<Void> { _ in }
  for await _ in stream {}
}
