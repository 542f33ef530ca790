import Testing
import Tidings
import TidingsTesting

@testable import TidingsTime

/// Which value a later one replaces, and what is lost with it.
@Suite("Operators with a clock: a value that takes the place of another")
struct TimeReplacementTests {
  @Test("debounced keeps a value after which no other came in time, however late its task looks")
  func lateInterval() async {
    let (source, clock) = (Event<Int>(), HeldClock())
    let received = source.debounced(for: .seconds(1), clock: clock).record()
    for number in 1...3 {
      source.emit(number)
      #expect(await eventually { clock.sleepers == 1 })
      clock.move(by: .seconds(1))
      if number < 3 { source.emit(10 * number) }
      clock.release()
      _ = await received.values(atLeast: number)
      if number < 3 {
        // The late one waits in turn, and is replaced.
        #expect(await eventually { clock.sleepers == 1 })
      }
    }
    #expect(received.values == [1, 2, 3])
  }

  @Test("sampled delivers at each tick, however late its task looks")
  func lateTicks() async {
    let (source, clock) = (Event<Int>(), HeldClock())
    let received = source.sampled(every: .seconds(1), clock: clock).record()
    for tick in 0..<5 {
      source.emit(10 * tick)
      source.emit(10 * tick + 1)
      #expect(await eventually { clock.sleepers == 1 })
      clock.move(by: .seconds(1))
      source.emit(10 * tick + 2)
      clock.release()
      _ = await received.values(atLeast: tick + 1)
    }
    #expect(received.values == [1, 11, 21, 31, 41])
  }

  @Test(
    "While the handler is busy, a value whose time has come waits for its turn, and only throttled replaces it",
    arguments: [TimeModel.Operator.debounced, .throttled, .delayed, .sampled])
  func busyHandler(_ kind: TimeModel.Operator) async {
    let source = Event<Int>()
    let busy = await Busy(kind, source, source)
    for value in 2...3 {
      source.emit(value)
      busy.clock.advance(by: .seconds(1))
    }
    busy.open(1, 2, 3)
    await source.drained()
    #expect(busy.handled.values == (kind == .throttled ? [1, 3] : [1, 2, 3]))
  }

  @Test(
    "drained() waits for no value that replaces another afterwards",
    arguments: [TimeModel.Operator.throttled, .debounced])
  func drainedBeforeReplacement(_ kind: TimeModel.Operator) async {
    let source = Event<Int>()
    let busy = await Busy(kind, source, source)
    // One waits for the value whose handler is running, and one for the next.
    let first = Draining(source)
    source.emit(2)
    let second = Draining(source)
    source.emit(3)
    source.emit(4)
    for _ in 0..<100 { await Task.yield() }
    #expect(!first.hasReturned && !second.hasReturned)
    busy.open(1)
    await first.task.value
    await second.task.value
    #expect(busy.handled.values.first == 1 && !busy.handled.values.contains(2))
    busy.open(4)
  }

  @Test("drained() waits for the value before one that is replaced")
  func drainedBehindAnother() async {
    let source = Event<Int>()
    let busy = await Busy(.debounced, source, source)
    source.emit(2)
    busy.clock.advance(by: .seconds(1))
    source.emit(3)
    let draining = Draining(source)
    source.emit(4)
    busy.open(1)
    _ = await busy.handled.values(atLeast: 2)
    for _ in 0..<100 { await Task.yield() }
    #expect(!draining.hasReturned)
    busy.open(2)
    await draining.task.value
    #expect(busy.handled.values == [1, 2])
    busy.open(4)
  }

  @Test(
    "emitAndWait() of a value that is replaced returns",
    arguments: [TimeModel.Operator.throttled, .debounced, .sampled])
  func emitAndWaitOfReplaced(_ kind: TimeModel.Operator) async {
    let source = Event<Int>()
    let busy = await Busy(kind, source, source)
    let waiter = Task.immediate { await source.emitAndWait(2) }
    source.emit(3)
    await waiter.value
    #expect(busy.handled.values == [1])
    busy.open(1, 3)
  }

  @Test(
    "cancelAll() of a source drops a value that has replaced another's, and no other",
    arguments: [TimeModel.Operator.throttled, .debounced, .sampled])
  func cancelAllAfterReplacement(_ kind: TimeModel.Operator) async {
    for isFirst in [true, false] {
      let (a, b) = (Event<Int>(), Event<Int>())
      let busy = await Busy(kind, a.merge(b), b)
      // Both wait, the second in the place of the first.
      if isFirst {
        b.emit(2)
        a.emit(3)
      } else {
        a.emit(3)
        b.emit(2)
      }
      a.cancelAll()
      busy.clock.advance(by: .seconds(1))
      busy.open(1, 2, 3)
      await b.drained()
      #expect(busy.handled.values == (isFirst ? [1] : [1, 2]), "\(kind)")
    }
  }

  @Test(
    "A value that is revoked on its way replaces none", arguments: [TimeModel.Operator.debounced, .throttled, .sampled])
  func revokedOnItsWay(_ kind: TimeModel.Operator) async {
    let (a, b, clock) = (Event<Int>(), Event<Int>(), ManualClock())
    let merged = a.merge(b).map { value in
      if value == 0 { a.cancelAll() }
      return value
    }
    let received = kind.made(of: merged, .seconds(1), clock).record()
    if kind == .throttled {
      b.emit(9)
      _ = await received.values(atLeast: 1)
    }
    b.emit(1)
    await clock.sleepers(1)
    a.emit(0)
    clock.advance(by: .seconds(1))
    await b.drained()
    #expect(received.values.last == 1)
  }

  @Test(
    "A timeout does not end a subscription whose value came between its look at the deadline and its look at the clock")
  func renewedBetweenTheLooks() async {
    let (source, clock) = (Event<Int>(), HookedClock())
    let received = source.timeout(after: .seconds(2), clock: clock).record()
    await clock.manual.sleepers(1)
    // The deadline is read before the clock: at that moment a value comes, and then the thread is late.
    clock.onNextLook.current = {
      source.emit(1)
      clock.manual.advance(by: .seconds(1))
    }
    clock.manual.advance(by: .seconds(2))
    #expect(await eventually { clock.manual.sleeperCount == 1 })
    #expect(received.values == [1])
    source.emit(2)
    #expect(received.values == [1, 2])
  }

  @Test("A wait that is revoked right after its look, and before it sleeps, ends")
  func revokedAsItBegins() async {
    let (pacing, isRevoked) = (Pacing<Int, _>(ManualClock(), .none), Locked(false))
    // Nobody advances the clock.
    await pacing.sleep(until: .zero.advanced(by: .seconds(1))) {
      defer {
        isRevoked.current = true
        pacing.wake()
      }
      return isRevoked.current
    }
    #expect(isRevoked.current)
  }
}

/// A handler behind an operator that is busy with 1, so that what comes then waits in the operator's queue. Each call takes until its
/// value is opened.
private final class Busy: Sendable {
  let clock = ManualClock()
  let handled = Recorder<Int>()
  private let gates = (1...4).map { _ in Gate() }
  private let token = Locked<Subscription?>(nil)

  init(_ kind: TimeModel.Operator, _ source: some EventSource<Int>, _ emitter: Event<Int>) async {
    token.current = kind.made(of: source, .seconds(1), clock).observe { [handled, gates] value async in
      handled(value)
      await gates[value - 1].wait()
    }
    emitter.emit(1)
    if kind != .throttled {
      await clock.sleepers(1)
      clock.advance(by: .seconds(1))
    }
    _ = await handled.values(atLeast: 1)
  }
  deinit { open(1, 2, 3, 4) }
  func open(_ values: Int...) { for value in values { gates[value - 1].open() } }
}

/// A task that waits until an event is drained; it has begun to.
private final class Draining: Sendable {
  let task: Task<Void, Never>
  private let isDone = Locked(false)
  var hasReturned: Bool { isDone.current }
  init(_ source: Event<Int>) {
    task = Task.immediate { [isDone] in
      await source.drained()
      isDone.current = true
    }
  }
}

/// A clock whose sleepers wake when the test says so, and not when their time comes.
private final class HeldClock: Clock, Sendable {
  private struct State {
    var now = ManualClock.Instant.zero
    var sleeping: [UnsafeContinuation<Void, Never>] = []
  }
  private let state = Locked(State())
  var now: ManualClock.Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }
  var sleepers: Int { state.withLock { $0.sleeping.count } }
  func move(by duration: Duration) { state.withLock { $0.now = $0.now.advanced(by: duration) } }
  func release() {
    let sleeping = state.withLock { state in
      defer { state.sleeping = [] }
      return state.sleeping
    }
    for sleeper in sleeping { sleeper.resume() }
  }
  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    await withUnsafeContinuation { sleeper in
      let isOver = state.withLock { state in
        if state.now >= deadline { return true }
        state.sleeping.append(sleeper)
        return false
      }
      if isOver { sleeper.resume() }
    }
  }
}

/// Does something once, when it is asked for the time.
private final class HookedClock: Clock, Sendable {
  let manual = ManualClock()
  let onNextLook = Locked<(@Sendable () -> Void)?>(nil)
  var now: ManualClock.Instant {
    let look = onNextLook.withLock { look in
      defer { look = nil }
      return look
    }
    look?()
    return manual.now
  }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await manual.sleep(until: deadline, tolerance: tolerance)
  }
}
