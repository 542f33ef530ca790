import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  6. Once `cancel()` has returned, no call of the handler begins, on any path: mid-emit, queued for another actor, \
  buffered. A call has begun once the delivering thread has read the handler's entry: one that another thread was \
  already entering counts as running; on the handler's own actor or thread no call begins, also when the handler \
  cancels itself there while its queue is emptied, or when an operator before it does.
  """, .serialized)
struct CancellingTests {
  /// Every way to stop the calls of a handler keeps the promise.
  enum Stop: CaseIterable, Sendable {
    case cancel, pause, cancelAll

    func callAsFunction(_ token: Subscription?, of event: Event<Int>) {
      switch self {
      case .cancel: token?.cancel()
      case .pause: token?.pause()
      case .cancelAll: event.cancelAll()
      }
    }
  }

  /// Both handlers are behind one operator, which goes on for the second source.
  @Test(
    "mid emit and in the queue of an operator: `cancelAll()` drops what its event has given to it, and nothing else")
  func behindMerge() {
    let (event, other, received) = (Event<Int>(), Event<Int>(), Recorder<String>())
    let shared = event.merge(other).share()
    let tokens = [
      shared.observe { value in
        received("first\(value)")
        if value == 1 {
          event.emit(2)  // waits in the operator's queue
          other.emit(3)
          event.cancelAll()
        }
      },
      shared.observe { received("second\($0)") },
    ]
    other.emit(1)
    #expect(received.values == ["first1", "second1", "first3", "second3"])
    let (next, calls) = (Event<Int>(), Recorder<String>())
    let both = next.merge(other).share()
    let more = [
      both.observe { value in
        calls("first\(value)")
        next.cancelAll()
      },
      both.observe { calls("second\($0)") },
    ]
    next.emit(6)
    other.emit(7)
    #expect(calls.values == ["first6", "first7", "second7"])
    withExtendedLifetime((tokens, more)) {}
  }

  @Test("mid emit", arguments: [DeliveryPolicy.serial, .immediate], Stop.allCases)
  func midEmit(_ policy: DeliveryPolicy, _ stop: Stop) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<String>())
    let victims = Locked<[Subscription]>([])
    let first = event.observe { value in
      if value == 2 { for victim in victims.current { stop(victim, of: event) } }
    }
    let viaOperator = event.filter { _ in true }.map { $0 }.observe { received("viaOperator\($0)") }
    let plain = event.observe { received("plain\($0)") }
    let owner = Owner()
    let owned = event.observe(with: owner) { received("owned\($1)") }
    event.emit(1)
    victims.withLock { $0 = [plain, viaOperator, owned, event.once { received("once\($0)") }] }
    event.emit(2)
    event.emit(3)
    #expect(received.values == ["viaOperator1", "plain1", "owned1"])
    victims.withLock { $0 = [] }
    withExtendedLifetime((first, owner)) {}
  }

  @Test("on the way to an actor", arguments: Stop.allCases)
  func onTheWayToAnActor(_ stop: Stop) async {
    let (event, actor, proceed) = (Event<Int>(), TestActor(), Gate())
    let (received, others) = (Recorder<Int>(), Recorder<Int>())
    let other = event.observe(with: actor) { _, value in others(value) }
    let victim = event.observe(with: actor) { _, value in received(value) }
    await actor.occupy(until: proceed)
    event.emit(contentsOf: [1, 2, 3])
    stop(victim, of: event)
    proceed.open()
    await event.emitAndWait(4)
    await actor.run { _ in }
    #expect(received.values == [], "\(stop)")
    #expect(others.values == (stop == .cancelAll ? [] : [1, 2, 3, 4]), "\(stop): the others lose nothing")
    withExtendedLifetime((other, victim)) {}
  }

  @Test("on the way to a target", arguments: Stop.allCases)
  func onTheWayToATarget(_ stop: Stop) async {
    let (event, received, shelf) = (Event<Int>(), Recorder<Int>(), Locked<[@Sendable () -> Void]>([]))
    let victim = event.observe(on: DeliveryTarget { job in shelf.withLock { $0.append(job) } }) { received($0) }
    event.emit(contentsOf: [1, 2, 3])
    stop(victim, of: event)
    for job in shelf.current { job() }
    #expect(received.values == [], "\(stop)")
    victim.cancel()
  }

  /// There, not even one call may be entering: no other thread makes the handler's calls.
  @Test("on the handlers own actor")
  func onTheHandlersOwnActor() async {
    for _ in 0..<50 { await onTheHandlersOwnActorOnce() }
  }

  private func onTheHandlersOwnActorOnce() async {
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

  /// `isActive` is false for each subscription that has ended.
  @Test("dropped and ended")
  func droppedAndEnded() async {
    var event: Event<Int>? = Event()
    let kept = event?.observe { _ in }
    let once = event?.once { _ in }
    #expect(kept?.isActive == true && once?.isActive == true)
    event?.emit(1)
    #expect(once?.isActive == false, "ended by its call")
    kept?.pause()
    #expect(kept?.isActive == true, "a paused one is active")
    event = nil
    #expect(kept?.isActive == false, "its event is deinitialized")
  }
}
