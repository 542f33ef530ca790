import Testing
import Tidings
import TidingsTesting
import TidingsTime

/// Each test is a promise that the contract makes of every operator.
@Suite("The contract behind operators with a clock")
struct TimeContractTests {
  /// The operators of which a value waits.
  static let waiting: [TimeModel.Operator] = [.debounced, .delayed, .sampled]
  /// An operator that may stand between such an operator and its handler.
  enum Behind: CaseIterable {
    case nothing, map, merge, share, prefix
    func made(of source: AnyEventSource<Int>) -> AnyEventSource<Int> {
      switch self {
      case .nothing: source
      case .map: source.map { $0 }
      case .merge: source.merge(Event<Int>())
      case .share: source.share()
      case .prefix: source.prefix(1)
      }
    }
  }
  private actor Slow {
    var handled = 0
    func handle() { handled += 1 }
  }

  @Test(
    "drained() returns when the value that waits has been handled on its actor", arguments: waiting, Behind.allCases)
  func drained(_ kind: TimeModel.Operator, _ behind: Behind) async {
    let (source, clock, actor) = (Event<Int>(), ManualClock(), Slow())
    let made = behind.made(of: kind.made(of: source, .seconds(1), clock))
    let token = made.observe { _ in await actor.handle() }
    source.emit(1)
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await source.drained()
    #expect(await actor.handled == 1)
    token.cancel()
  }

  @Test("The example of the manual clock")
  func example() async {
    let typed = Event<String>()
    let clock = ManualClock()
    let searches = typed.debounced(for: .seconds(1), clock: clock).record()
    typed.emit("swift")
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await typed.drained()
    #expect(searches.values == ["swift"])
  }

  @Test("drained() waits for the time of a value that waits", arguments: waiting)
  func waits(_ kind: TimeModel.Operator) async {
    let (source, clock, done) = (Event<Int>(), ManualClock(), Locked(false))
    let received = kind.made(of: source, .seconds(1), clock).record()
    source.emit(1)
    let waiter = Task {
      await source.drained()
      done.withLock { $0 = true }
    }
    await clock.sleepers(1)
    #expect(!done.current && received.values.isEmpty)
    clock.advance(by: .seconds(1))
    await waiter.value
    #expect(received.values == [1])
  }

  @Test("drained() does not wait for a value that a pause, or a cancel after the end, has dropped", arguments: waiting)
  func droppedIsDrained(_ kind: TimeModel.Operator) async {
    for finishes in [false, true] {
      let (source, clock) = (Event<Int>(), ManualClock())
      let canaries = Canaries()
      let token = kind.made(of: source, .seconds(60), clock).observe { [canary = canaries.make()] _ in canary.touch() }
      source.emit(1)
      await clock.sleepers(1)
      if finishes {
        // Only `delayed` still waits then.
        source.finish()
        token.cancel()
        #expect(canaries.alive == 0)
      } else {
        token.pause()
      }
      await source.drained()
      #expect(clock.sleeperCount == 0, "\(kind)")
      token.cancel()
    }
  }

  @Test("emitAndWait returns when the value has been handled", arguments: waiting)
  func emitAndWait(_ kind: TimeModel.Operator) async {
    let (source, clock) = (Event<Int>(), ManualClock())
    let received = kind.made(of: source, .seconds(1), clock).record()
    let emitter = Task { await source.emitAndWait(1) }
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await emitter.value
    #expect(received.values == [1])
  }

  @Test(
    "After finish() and drained() the last value has been handled, whatever the clock says", arguments: Behind.allCases)
  func finish(_ behind: Behind) async {
    for kind in [TimeModel.Operator.debounced, .throttled, .sampled] {
      let (source, clock, actor) = (Event<Int>(), ManualClock(), Slow())
      let token = behind.made(of: kind.made(of: source, .seconds(1), clock)).observe { _ in await actor.handle() }
      source.emit(1)
      source.finish()
      await source.drained()
      #expect(await actor.handled == 1, "\(kind)")
      #expect(await eventually { !token.isActive }, "\(kind)")
    }
  }

  @Test("A subscription that is cancelled releases what its handler captured, and wakes its wait", arguments: waiting)
  func release(_ kind: TimeModel.Operator) async {
    let (source, clock) = (Event<Int>(), ManualClock())
    let canaries = Canaries()
    let token = kind.made(of: source, .seconds(1), clock).observe { [canary = canaries.make()] _ in canary.touch() }
    source.emit(1)
    await clock.sleepers(1)
    token.cancel()
    #expect(canaries.alive == 0)
    #expect(await eventually { clock.sleeperCount == 0 })
  }

  @Test(
    "cancelAll() of the source drops what waits, and what was passed on and has not begun", arguments: Behind.allCases)
  func cancelAll(_ behind: Behind) async {
    for kind in Self.waiting {
      let (source, clock, queue) = (Event<Int>(), ManualClock(), ManualQueue())
      let called = Locked(0)
      let token = behind.made(of: kind.made(of: source, .seconds(1), clock))
        .observe(on: .manual(queue)) { _ in called.withLock { $0 += 1 } }
      source.emit(1)
      await clock.sleepers(1)
      clock.advance(by: .seconds(1))
      #expect(await eventually { queue.count == 1 }, "\(kind)")
      source.cancelAll()
      queue.runAll()
      #expect(called.current == 0, "\(kind)")
      token.cancel()
    }
  }

  @Test("Of two sources, cancelAll() of one leaves what the other has emitted")
  func cancelOne() async {
    let (a, b, clock, queue) = (Event<Int>(), Event<Int>(), ManualClock(), ManualQueue())
    let values = Locked<[Int]>([])
    let token = a.merge(b).delayed(for: .seconds(1), clock: clock)
      .observe(on: .manual(queue)) { value in values.withLock { $0.append(value) } }
    a.emit(1)
    b.emit(2)
    a.emit(3)
    await clock.sleepers(1)
    a.cancelAll()
    clock.advance(by: .seconds(1))
    await b.drainedRunning(queue)
    #expect(values.current == [2])
    token.cancel()
  }

  /// The value is passed on by a task, beside the actor that cancels or pauses.
  @Test("Once its actor has cancelled or paused a handler, no call begins there", arguments: waiting)
  func stoppedOnItsActor(_ kind: TimeModel.Operator) async {
    let interval: Duration = kind == .sampled ? .nanoseconds(1) : .zero
    for round in 0..<300 {
      let (source, owner) = (Event<Int>(), Stopping())
      let made = kind.made(of: source, interval, ContinuousClock())
      await owner.follow(made)
      let emitter = Task.detached { for value in 0..<4 { source.emit(value) } }
      await owner.stop(pausing: round % 2 == 0)
      await emitter.value
      await source.drained()
      #expect(await owner.late == 0, "round \(round)")
    }
  }

  @Test("An asynchronous handler that drains its own source is not waited for")
  func waitsForItself() async {
    let (source, clock) = (Event<Int>(), ManualClock())
    await confirmation { handled in
      let token = source.debounced(for: .seconds(1), clock: clock).observe { _ in
        await source.drained()
        handled()
      }
      source.emit(1)
      await clock.sleepers(1)
      clock.advance(by: .seconds(1))
      await source.drained()
      token.cancel()
    }
  }

  @Test("A stream behind an operator with a clock ends after the last value")
  func stream() async {
    let (source, clock) = (Event<Int>(), ManualClock())
    let stream = source.throttled(for: .seconds(1), clock: clock).stream()
    source.emit(1)
    source.emit(2)
    source.finish()
    var values: [Int] = []
    for await value in stream { values.append(value) }
    #expect(values.last == 2)
  }
}

extension Event {
  /// Runs the queue's jobs until what was emitted has been handled.
  fileprivate func drainedRunning(_ queue: ManualQueue) async {
    let isDone = Locked(false)
    let waiter = Task {
      await drained()
      isDone.withLock { $0 = true }
    }
    _ = await eventually {
      queue.runAll()
      return isDone.current
    }
    await waiter.value
  }
}

private actor Stopping {
  private(set) var late = 0
  private var isStopped = false
  private var token: Subscription?
  func follow(_ source: AnyEventSource<Int>) {
    token = source.observe { _ in if self.isStopped { self.late += 1 } }
  }
  func stop(pausing: Bool) {
    if pausing { token?.pause() } else { token?.cancel() }
    isStopped = true
  }
}
