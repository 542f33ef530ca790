import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  10. Every operation of a Sendable type may be called from any thread at any time, handlers included.
  """, .serialized)
struct ThreadsTests {
  /// Four threads do all there is to do, and one handler that stays counts what must reach it.
  @Test("everything simultaneously", arguments: [DeliveryPolicy.serial, .immediate])
  func everythingSimultaneously(_ policy: DeliveryPolicy) async {
    for _ in 0..<5 { await everythingSimultaneouslyOnce(policy) }
  }
  private func everythingSimultaneouslyOnce(_ policy: DeliveryPolicy) async {
    let event = Event<Int>(policy: policy)
    let other = Event<Int>(policy: policy)
    let (received, canaries, listener) = (Recorder<Int>(), Canaries(), Listener())
    let token = event.observe { received($0) }
    let tasks = Locked<[Task<Void, Never>]>([])
    await Threads.together(4) { thread in
      var kept: Set<Subscription> = []
      for round in 0..<40 {
        let (value, canary, owner) = (thread * 40 + round, canaries.make(), Owner())
        let own = event.observe { value in
          canary.touch()
          if value % 3 == 0 { other.emit(value) }
          if value % 7 == 0 { event.once { _ in canary.touch() } }
        }
        event.observe(with: owner) { _, _ in canary.touch() }
        let queued = other.observe(with: listener) { _, _ in canary.touch() }
        event.merge(other).map { "\($0)" }.observe { _ in own.pause() }.store(in: &kept)
        other.observe(on: DeliveryTarget { job in Task { job() } }) { _ in own.resume() }.store(in: &kept)
        event.emit(value)
        other.emit(contentsOf: [value, value + 1])
        switch round % 5 {
        case 0: own.cancel()
        case 1: tasks.withLock { $0.append(Task { await own.finish() }) }
        case 2: other.cancelAll()
        case 3: tasks.withLock { $0.append(Task { await other.emitAndWait(value) }) }
        default: kept = []
        }
        queued.cancel()
        #expect(event.diagnostics.count >= 1 && own.hashValue == own.hashValue && token.isActive)
      }
    }
    for task in tasks.current { await task.value }
    tasks.withLock { $0 = [] }
    await event.emitAndWait(160)
    await other.emitAndWait(0)
    #expect(received.values.sorted() == Array(0...160))
    other.cancelAll()
    event.cancelAll()
    // A task that has delivered for the threads may not have returned yet.
    #expect(await canaries.quiesce())
  }

  /// Tokens outlive their event on one thread while the other drops it.
  @Test("the event ends meanwhile")
  func theEventEndsMeanwhile() {
    for _ in 0..<200 { theEventEndsMeanwhileOnce() }
  }
  private func theEventEndsMeanwhileOnce() {
    let event = Locked<Event<Int>?>(Event())
    let received = Recorder<Int>()
    let token = Locked<Subscription?>(event.current?.observe { received($0) })
    Threads.together(2) { thread in
      if thread == 0 {
        event.current?.emit(1)
        event.withLock { $0 = nil }
      } else {
        token.current?.pause()
        token.current?.resume()
        token.withLock { $0 = nil }
      }
    }
    #expect(received.values.count <= 1)
  }
}

@Suite(
  """
  11. No lock is held, and no exclusive access to a value is open, while a handler runs. A handler may read, set, \
  add, remove, cancel or emit.
  """, .serialized)
struct NoLockTests {
  @Test(
    "other threads get on", arguments: [DeliveryPolicy.serial, .immediate])
  func otherThreadsGetOn(_ policy: DeliveryPolicy) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
    let own = Locked<Subscription?>(nil)
    let token = event.observe { value in
      guard value == 1 else { return }
      tryEverything(on: event, cancelling: own.current, "a handler runs")
    }
    own.withLock { $0 = event.observe { received($0) } }
    event.emit(1)
    #expect(!token.isActive)
    #expect(received.values == (policy == .serial ? [] : [2, 2]), "queued values are dropped with the handler")
    own.withLock { $0 = nil }
  }

  /// Each from a thread of its own, with the caller waiting: a thread that needs a lock that is held does not return.
  private func tryEverything(on event: Event<Int>, cancelling token: Subscription?, _ when: Comment) {
    #expect(Threads.elsewhere { event.emit(2) }, when)
    #expect(Threads.elsewhere { event.observe { _ in }.cancel() }, when)
    #expect(Threads.elsewhere { event.once { _ in } }, when)
    #expect(Threads.elsewhere { _ = event.diagnostics }, when)
    #expect(
      Threads.elsewhere {
        token?.pause()
        token?.resume()
        _ = token?.isActive
      }, when)
    #expect(Threads.elsewhere { event.emit(2) }, when)
    #expect(Threads.elsewhere { token?.cancel() }, when)
    #expect(Threads.elsewhere { event.cancelAll() }, when)
  }

  private func tryToEmit(on event: Event<Int>, _ when: Comment) {
    #expect(Threads.elsewhere { event.emit(10) }, when)
    #expect(Threads.elsewhere { event.observe { _ in }.cancel() }, when)
    #expect(Threads.elsewhere { _ = event.diagnostics }, when)
  }

  @Test("while an operators closure runs")
  func whileAnOperatorsClosureRuns() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    // One of the three tries, each in its turn.
    let operators = event.filter { value in
      if value == 1 { tryToEmit(on: event, "a filter runs") }
      return true
    }
    let token = operators.removeDuplicates { _, new in
      if new == 2 { tryToEmit(on: event, "two values are compared") }
      return false
    }.scan(0) { sum, value in
      if value == 3 { tryToEmit(on: event, "a scan continues") }
      return sum + value
    }.observe { received($0) }
    event.emit(contentsOf: 1...3)
    #expect(received.values == [1, 11, 13, 23, 26, 36])
    token.cancel()
  }

  /// Cancelling a handler destroys its captures. A `deinit` of a capture may use the event.
  @Test("while captures are destroyed")
  func whileCapturesAreDestroyed() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let token = event.observe { received($0) }
    let emitting = event.observe { [callback = DeinitCallback { event.emit(7) }] _ in callback.touch() }
    event.emit(1)
    emitting.cancel()
    #expect(received.values == [1, 7])
    let stuck = event.observe {
      [callback = DeinitCallback { tryEverything(on: event, cancelling: nil, "captures are destroyed") }] _ in
      callback.touch()
    }
    stuck.cancel()
    token.cancel()
  }

  @Test("while a target takes the job")
  func whileATargetTakesTheJob() {
    let (event, jobs) = (Event<Int>(), Locked<[@Sendable () -> Void]>([]))
    let target = DeliveryTarget { job in
      #expect(Threads.elsewhere { event.observe { _ in }.cancel() })
      jobs.withLock { $0.append(job) }
    }
    let token = event.observe(on: target) { _ in tryEverything(on: event, cancelling: nil, "a job runs") }
    event.emit(1)
    for job in jobs.current { job() }
    token.cancel()
  }

  @Test("on an actor")
  func onAnActor() async {
    let (event, actor) = (Event<Int>(), TestActor())
    let own = Locked<Subscription?>(nil)
    own.withLock {
      $0 = event.observe(with: actor) { _, value in
        if value == 1 { tryEverything(on: event, cancelling: own.current, "a handler runs on its actor") }
      }
    }
    await event.emitAndWait(1)
    #expect(own.current?.isActive == false)
  }
}
