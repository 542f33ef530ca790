import Testing
import Tidings
import TidingsTesting

@Suite("emitAndWait", .timeLimit(.minutes(20)))
struct EmitAndWaitTests {
  @Test("it does not return while a handler elsewhere runs, also not after an operator or a merge")
  func whileAHandlerRuns() async {
    let other = Event<Int>()
    let sources: [@Sendable (Event<Int>) -> any EventSource<Int>] = [{ $0 }, { $0.map { $0 } }, { $0.merge(other) }]
    for source in sources {
      let (event, actor, log, begun, proceed) = (Event<Int>(), TestActor(), Recorder<String>(), Gate(), Gate())
      source(event).observe(with: actor) { _, _ in
        begun.open()
        proceed.wait()
        log("handled")
      }
      let waiting = Task {
        await event.emitAndWait(1)
        log("returned")
      }
      await begun.wait()
      for _ in 0..<50 { await Task.yield() }
      proceed.open()
      await waiting.value
      #expect(log.values == ["handled", "returned"])
    }
  }

  @Test("without a handler it returns immediately")
  func noHandlers() async {
    let event = Event<Int>()
    await event.emitAndWait(1)
    event.observe { _ in }.cancel()
    await event.emitAndWait(2)
  }

  @Test("handlers that are paused, cancelled or without their owner count as finished, also when they are on their way")
  func countsInactiveHandlers() async {
    let (event, actor, proceed, received) = (Event<Int>(), TestActor(), Gate(), Recorder<Int>())
    let paused = await actor.run { actor in event.observe { actor.note($0) } }
    let cancelled = await actor.run { actor in event.observe { actor.note($0) } }
    let pausedBefore = await actor.run { actor in event.observe { actor.note($0) } }
    pausedBefore.pause()
    // The actor is busy; what is sent to it waits.
    await actor.occupy(until: proceed)
    let waiting = Task.detached {
      await event.emitAndWait(1)
      received(1)
    }
    while event.diagnostics.subscriptions.filter({ $0.queued > 0 }).count < 2 { await Task.yield() }
    paused.pause()
    cancelled.cancel()
    await waiting.value
    #expect(received.values == [1], "though the actor is still busy")
    proceed.open()
    await event.emitAndWait(2)
    #expect(await actor.received == [])
  }

  @Test("a handler whose owner is deinitialized before its turn counts as finished")
  func countsDeadOwners() async {
    let event = Event<Int>()
    var owner: Listener? = Listener()
    event.observe(with: owner!) { owner, value in owner.note(value) }
    owner = nil
    await event.emitAndWait(1)
    #expect(event.diagnostics.count == 0)
  }

  @Test("a task that a handler starts in place may emit its own event and wait")
  func fromATaskOfItsOwnHandler() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let waiting = Locked<[Task<[Int], Never>]>([])
    let token = event.observe { value in
      received(value)
      guard value == 1 else { return }
      let emitting = Task.immediate {
        await event.emitAndWait(2)
        return received.values
      }
      let draining = Task.immediate {
        await event.drained()
        return received.values
      }
      waiting.withLock { $0 = [emitting, draining] }
      received(0)  // the call goes on while they wait
    }
    event.emit(1)
    for task in waiting.current { #expect(await task.value == [1, 0, 2]) }
    token.cancel()
  }

  @Test("an asynchronous handler that waits for its own event is rejected, also where another thread delivers")
  func fromItsOwnAsynchronousHandler() async {
    let (event, received, reports) = (Event<Int>(), Recorder<Int>(), Recorder<String>())
    let (proceed, ended) = (Gate(), Gate())
    let listening = Diagnostics.reports.observe { report in
      // Count the reports of this handler alone: the other tests of this file cause reports, too.
      if report.message.contains("EmitAndWaitTests.swift"), report.message.hasPrefix("wait rejected") {
        reports(report.message)
      }
    }
    let asking = event.observe { value async in
      received(value)
      if value == 1 { await event.emitAndWait(2) }
    }
    // The thread that delivers 1 does so until 2 waits to be delivered, and then delivers 2.
    let holding = event.observe { value in if value == 1 { proceed.wait() } }
    Threads.start {
      event.emit(1)
      ended.open()
    }
    #expect(await eventually { received.values == [1] && event.diagnostics.waiting == 1 })
    proceed.open()
    #expect(await received.values(atLeast: 2) == [1, 2])
    #expect(await reports.values(atLeast: 1).count == 1)
    await ended.wait()
    for token in [listening, asking, holding] { token.cancel() }
  }

  enum Wait: CaseIterable, Sendable {
    case emitAndWait, drained, finish

    func callAsFunction(for event: Event<Int>, _ token: Subscription?) async {
      switch self {
      case .emitAndWait: await event.emitAndWait(2)
      case .drained: await event.drained()
      case .finish: await token?.finish()
      }
    }
  }

  @Test(
    "asynchronous handlers that wait for each other are reported, and the one that closes the circle does not wait",
    arguments: Wait.allCases, [1, 3])
  func forEachOther(_ wait: Wait, links: Int) async {
    let events = (0...links).map { Event<Int>("waits \(wait) \($0) of \(links)") }
    let (name, reports, token) = ("waits \(wait) 0 of \(links)", Recorder<String>(), Locked<Subscription?>(nil))
    let listening = Diagnostics.reports.observe { if $0.labels.last == name { reports($0.message) } }
    let tokens = (0...links).map { index in
      events[index].observe { value async in
        if value != 1 { return }
        if index < links { await events[index + 1].emitAndWait(1) } else { await wait(for: events[0], token.current) }
      }
    }
    token.current = tokens[0]
    await events[0].emitAndWait(1)
    #expect(
      await reports.values(atLeast: 1) == [
        "wait rejected: a handler of '\(name)' waits for a handler that waits for '\(name)' in turn, and so for itself: "
          + "use emit in one of them"
      ])
    for token in tokens + [listening] { token.cancel() }
  }

  @Test("a task that a handler starts may wait for the events of handlers that wait for it")
  func fromATaskOfAHandler() async {
    let (first, second, received) = (Event<Int>(), Event<Int>(), Recorder<Int>())
    let task = Locked<Task<[Int], Never>?>(nil)
    let tokens = [
      first.observe { value async in
        received(value)
        if value == 1 { await second.emitAndWait(1) }
      },
      second.observe { _ async in
        task.current = Task {
          await first.emitAndWait(2)
          return received.values
        }
        // The task's value waits behind the first call, which waits for this one.
        while first.diagnostics.subscriptions[0].queued < 2 { await Task.yield() }
      },
    ]
    await first.emitAndWait(1)
    #expect(await task.current?.value == [1, 2])
    for token in tokens { token.cancel() }
  }

  @Test("a rejected value is not waited for: at the depth of a cycle, or in the closure of a derived value")
  func rejected() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let (busy, cycle) = (Event<Int>("busy elsewhere", maximumDepth: 1), Event<Int>())
    let (received, begun, proceed) = (Recorder<Int>(), Gate(), Gate())
    let reports = Recorder<String>()
    let listening = Diagnostics.reports.observe { report in
      if report.labels.last == "busy elsewhere" { reports(report.message) }
    }
    let asking = Locked<[Task<Void, Never>]>([])
    let emit: @Sendable () -> Void = {
      let task = Task.immediate { await busy.emitAndWait(1) }
      asking.withLock { $0.append(task) }
    }
    let token = busy.observe { value in
      received(value)
      begun.open()
      proceed.wait()
    }
    // Another thread delivers it, so that what is emitted meanwhile would have to wait.
    Threads.start { busy.emit(0) }
    await begun.wait()
    let step = cycle.observe { value in if value < 3 { cycle.emit(value + 1) } else { emit() } }
    cycle.emit(0)
    proceed.open()
    let derived = Derived {
      emit()
      return 1
    }
    #expect(derived.value == 1)
    for task in asking.current { await task.value }
    #expect(asking.current.count == 2)
    #expect(received.values == [0])
    #expect(await reports.values(atLeast: 2).count == 2)
    listening.cancel()
    token.cancel()
    step.cancel()
  }
}
