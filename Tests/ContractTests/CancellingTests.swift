import Testing
import Tidings
import TidingsTesting

@Suite("Cancelling")
struct CancellingTests {
  @Test(
    """
    6. Once `cancel()` has returned, no call of the handler begins, on any path: mid-emit, queued for another actor, \
    buffered.
    """)
  func noCallBeginsAfterCancel() async {
    for silence in Silence.allCases {
      for policy in [DeliveryPolicy.serial, .immediate] {
        midEmit(policy, silence)
        whileAnotherThreadDelivers(policy, silence)
      }
      inTheEventsQueue(silence)
      await onTheWayToAnActor(silence)
      await onTheWayToATarget(silence)
    }
    midEmitInALocalEvent()
    for policy in [DeliveryPolicy.serial, .immediate] {
      for _ in 0..<300 { againstAnotherThread(policy) }
    }
    for _ in 0..<50 { await onTheHandlersOwnActor() }
    await droppedAndEnded()
  }

  /// Every way to silence a handler keeps the promise.
  private enum Silence: CaseIterable {
    case cancel, pause, cancelAll

    func callAsFunction(_ token: Subscription?, of event: Event<Int>) {
      switch self {
      case .cancel: token?.cancel()
      case .pause: token?.pause()
      case .cancelAll: event.cancelAll()
      }
    }
  }

  private func midEmit(_ policy: DeliveryPolicy, _ silence: Silence) {
    let (event, heard) = (Event<Int>(policy: policy), Recorder<String>())
    let victims = Locked<[Subscription]>([])
    let first = event.observe { value in
      if value == 2 { for victim in victims.current { silence(victim, of: event) } }
    }
    let operated = event.filter { _ in true }.map { $0 }.observe { heard("operated\($0)") }
    let plain = event.observe { heard("plain\($0)") }
    let owner = Owner()
    let owned = event.observe(with: owner) { heard("owned\($1)") }
    event.emit(1)
    victims.withLock { $0 = [plain, operated, owned, event.once { heard("once\($0)") }] }
    event.emit(2)
    event.emit(3)
    #expect(heard.values == ["operated1", "plain1", "owned1"])
    victims.withLock { $0 = [] }
    withExtendedLifetime((first, owner)) {}
  }

  private func midEmitInALocalEvent() {
    let event = LocalEvent<Int>()
    var (heard, victim): ([Int], LocalSubscription?) = ([], nil)
    let first = event.observe { value in
      guard value == 2 else { return }
      event.emit(3)
      victim?.cancel()
      event.emit(4)
    }
    victim = event.observe { heard.append($0) }
    event.emit(1)
    event.emit(2)
    #expect(heard == [1])
    first.cancel()
  }

  private func whileAnotherThreadDelivers(_ policy: DeliveryPolicy, _ silence: Silence) {
    let (event, heard) = (Event<Int>(policy: policy), Recorder<Int>())
    let (entered, proceed, ended) = (Gate(), Gate(), Gate())
    let first = event.observe { _ in
      entered.open()
      proceed.wait()
    }
    let victim = event.observe { heard($0) }
    Threads.start {
      event.emit(1)
      ended.open()
    }
    entered.wait()
    silence(victim, of: event)
    proceed.open()
    ended.wait()
    #expect(heard.values == [], "\(silence)")
    withExtendedLifetime((first, victim)) {}
  }

  /// Values that wait in the event's own queue when the handler is silenced.
  private func inTheEventsQueue(_ silence: Silence) {
    let (event, heard) = (Event<Int>(), Recorder<Int>())
    let victim = Locked<Subscription?>(nil)
    let first = event.observe { if $0 == 1 { event.emit(contentsOf: [2, 3, 4]) } }
    let second = event.observe { value in
      heard(value)
      if value == 2 { silence(victim.current, of: event) }
    }
    victim.withLock { $0 = second }
    event.emit(1)
    #expect(heard.values == [1, 2], "\(silence)")
    victim.withLock { $0 = nil }
    withExtendedLifetime((first, second)) {}
  }

  private func onTheWayToAnActor(_ silence: Silence) async {
    let (event, desk, proceed) = (Event<Int>(), Desk(), Gate())
    let (heard, others) = (Recorder<Int>(), Recorder<Int>())
    let other = event.observe(with: desk) { _, value in others(value) }
    let victim = event.observe(with: desk) { _, value in heard(value) }
    await desk.occupy(until: proceed)
    event.emit(contentsOf: [1, 2, 3])
    silence(victim, of: event)
    proceed.open()
    await event.emitAndWait(4)
    await desk.run { _ in }
    #expect(heard.values == [], "\(silence)")
    #expect(others.values == (silence == .cancelAll ? [] : [1, 2, 3, 4]), "\(silence): the others lose nothing")
    withExtendedLifetime((other, victim)) {}
  }

  private func onTheWayToATarget(_ silence: Silence) async {
    let (event, heard, shelf) = (Event<Int>(), Recorder<Int>(), Locked<[@Sendable () -> Void]>([]))
    let victim = event.observe(on: DeliveryTarget { job in shelf.withLock { $0.append(job) } }) { heard($0) }
    event.emit(contentsOf: [1, 2, 3])
    silence(victim, of: event)
    for job in shelf.current { job() }
    #expect(heard.values == [], "\(silence)")
    victim.cancel()
  }

  /// One call may be entering while another thread cancels; none begins after that.
  private func againstAnotherThread(_ policy: DeliveryPolicy) {
    let event = Event<Int>(policy: policy)
    let (isCancelled, late) = (Locked(false), Locked(0))
    let victim = event.observe { _ in
      if isCancelled.current { late.withLock { $0 += 1 } }
    }
    Threads.together(2) { thread in
      if thread == 0 {
        for value in 1...30 { event.emit(value) }
      } else {
        victim.cancel()
        isCancelled.withLock { $0 = true }
      }
    }
    #expect(late.current <= 1, "only a call that was being entered may still run")
    #expect(!victim.isActive)
  }

  /// There, not even one call may be entering: nobody else makes the handler's calls.
  private func onTheHandlersOwnActor() async {
    let (event, listener) = (Event<Int>(), Listener())
    let calls = Locked(0)
    let token = event.observe(with: listener) { _, _ in calls.withLock { $0 += 1 } }
    let emitter = Task { for value in 1...100 { event.emit(value) } }
    await listener.run { _ in
      token.cancel()
      let atCancel = calls.current
      event.emit(0, isolation: nil)
      #expect(calls.current == atCancel)
    }
    let atCancel = calls.current
    await emitter.value
    await event.emitAndWait(0)
    await listener.run { _ in }
    #expect(calls.current == atCancel)
  }

  /// What counts as cancelled tells so.
  private func droppedAndEnded() async {
    var event: Event<Int>? = Event()
    let kept = event?.observe { _ in }
    let once = event?.once { _ in }
    #expect(kept?.isActive == true && once?.isActive == true)
    event?.emit(1)
    #expect(once?.isActive == false, "ended by its call")
    kept?.pause()
    #expect(kept?.isActive == true, "a paused one is active")
    event = nil
    #expect(kept?.isActive == false, "its event is gone")
  }

  @Test("7. `await subscription.finish()` cancels, and returns when no call is running.")
  func finishReturnsWhenNoCallIsRunning() async {
    for policy in [DeliveryPolicy.serial, .immediate] {
      for _ in 0..<10 { await aCallOnAnotherThread(policy) }
    }
    await aCallOnAnActor()
    await severalCallsAtOnce()
    await nothingRunning()
  }

  private func aCallOnAnotherThread(_ policy: DeliveryPolicy) async {
    let (event, log) = (Event<Int>(policy: policy), Recorder<String>())
    let (entered, proceed, ended) = (Gate(), Gate(), Gate())
    let token = event.observe { value in
      log("begins \(value)")
      entered.open()
      proceed.wait()
      log("ends \(value)")
    }
    Threads.start {
      event.emit(1)
      ended.open()
    }
    entered.wait()
    // The second comes when the subscription is cancelled already, and waits all the same.
    let finishers = (0..<2).map { _ in
      Task {
        await token.finish()
        log("finished")
      }
    }
    while token.isActive { await Task.yield() }
    for _ in 0..<50 { await Task.yield() }
    event.emit(2)
    log("opened")
    proceed.open()
    for finisher in finishers { await finisher.value }
    ended.wait()
    event.emit(3)
    #expect(log.values == ["begins 1", "opened", "ends 1", "finished", "finished"])
  }

  private func aCallOnAnActor() async {
    let (event, desk, log) = (Event<Int>(), Desk(), Recorder<String>())
    let (entered, proceed) = (Gate(), Gate())
    let token = event.observe(with: desk) { _, value in
      log("begins \(value)")
      entered.open()
      proceed.wait()
      log("ends \(value)")
    }
    event.emit(contentsOf: [1, 2, 3])
    entered.wait()
    let finisher = Task {
      await token.finish()
      log("finished")
    }
    while token.isActive { await Task.yield() }
    for _ in 0..<50 { await Task.yield() }
    log("opened")
    proceed.open()
    await finisher.value
    await event.emitAndWait(4)
    await desk.run { _ in }
    #expect(log.values == ["begins 1", "opened", "ends 1", "finished"], "2 and 3 were still on their way")
  }

  /// Under `.immediate` several threads may be in the handler; `finish` waits for the last.
  private func severalCallsAtOnce() async {
    let event = Event<Int>(policy: .immediate)
    let (entered, gates, running) = ([Gate(), Gate()], [Gate(), Gate()], Locked(0))
    let token = event.observe { value in
      running.withLock { $0 += 1 }
      entered[value].open()
      gates[value].wait()
      running.withLock { $0 -= 1 }
    }
    for value in 0...1 { Threads.start { event.emit(value) } }
    for gate in entered { gate.wait() }
    let finisher = Task {
      await token.finish()
      #expect(running.current == 0)
    }
    while token.isActive { await Task.yield() }
    gates[0].open()
    for _ in 0..<50 { await Task.yield() }
    gates[1].open()
    await finisher.value
  }

  private func nothingRunning() async {
    let (event, heard) = (Event<Int>(), Recorder<Int>())
    let token = event.observe { heard($0) }
    event.emit(1)
    await token.finish()
    await token.finish()
    event.emit(2)
    #expect(heard.values == [1])
    #expect(!token.isActive)
    // From a handler of another subscription: it waits for no more than that call.
    let own = event.observe { heard($0) }
    let ended = Gate(seconds: 2)
    let other = event.observe { _ in
      Task {
        await own.finish()
        ended.open()
      }
    }
    await withCheckedContinuation { done in
      Threads.start {
        event.emit(3)
        done.resume()
      }
    }
    #expect(ended.wait())
    #expect(heard.values == [1, 3])
    other.cancel()
  }
}
