import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  15. An event never keeps its sender, its owner or a cancelled handler's captures alive: captures are released by \
  `cancel()` itself or, while the event delivers, by the end of the delivery of the current value. Those of a \
  handler whose owner has been deinitialized are released when the event is next used or destroyed. What a `Derived` \
  captured, and a value that another replaces, are destroyed immediately too or, if closures of `Derived`s were \
  running on other threads at that moment, when those return. A token keeps the operators and `Derived`s between \
  it and its source, never the source.
  """, .serialized)
struct ReleaseTests {
  /// Every operation that ends a handler outside a delivery releases the handler's captures before it returns.
  @Test("by every end", arguments: [DeliveryPolicy.serial, .immediate])
  func byEveryEnd(_ policy: DeliveryPolicy) {
    let canaries = Canaries()
    var event: Event<Int>? = Event(policy: policy)
    func add() -> Subscription? { event?.observe { [canary = canaries.make()] _ in canary.touch() } }

    let cancelled = add()
    event?.emit(1)
    #expect(canaries.alive == 1)
    cancelled?.cancel()
    #expect(canaries.alive == 0, "cancelled, the token alive")

    var dropped = add()
    #expect(canaries.alive == 1)
    dropped = nil
    #expect(canaries.alive == 0, "dropped")

    let all = [add(), add()]
    event?.cancelAll()
    #expect(canaries.alive == 0, "cancelAll, the tokens alive")

    event?.once { [canary = canaries.make()] _ in canary.touch() }
    event?.emit(1)
    #expect(canaries.alive == 0, "called once")

    let paused = add()
    paused?.pause()
    paused?.cancel()
    #expect(canaries.alive == 0, "cancelled in a pause")

    let left = add()
    #expect(canaries.alive == 1)
    event = nil
    #expect(canaries.alive == 0, "the event is deinitialized, the token alive")
    withExtendedLifetime((cancelled, dropped, all, left)) {}
  }

  @Test("added and cancelled while values wait: by the end of the current value", arguments: [true, false])
  func addedWhileValuesWait(_ isPaused: Bool) {
    let (event, canaries, alive) = (Event<Int>(), Canaries(), Recorder<Int>())
    let first = event.observe { value in
      if value > 1 { return alive(canaries.alive) }
      event.emit(contentsOf: 2...4)
      let late = event.observe { [canary = canaries.make()] _ in canary.touch() }
      if isPaused { late.pause() }
      late.cancel()
    }
    event.emit(1)
    #expect(alive.values == [0, 0, 0])
    #expect(canaries.alive == 0)
    first.cancel()
  }

  @Test("by another thread in mid emit", arguments: [DeliveryPolicy.serial, .immediate])
  func byAnotherThreadInMidEmit(_ policy: DeliveryPolicy) {
    let (event, canaries) = (Event<Int>(policy: policy), Canaries())
    let (entered, proceed, ended) = (Gate(), Gate(), Gate())
    let first = event.observe { _ in
      entered.open()
      proceed.wait()
    }
    let victims = (0..<3).map { _ in event.observe { [canary = canaries.make()] _ in canary.touch() } }
    Threads.start {
      event.emit(1)
      ended.open()
    }
    entered.wait()
    for victim in victims { victim.cancel() }
    proceed.open()
    ended.wait()
    #expect(canaries.alive == 0)
    first.cancel()
  }

  /// A handler that cancels itself is not destroyed during its call.
  @Test("one that is running", arguments: [DeliveryPolicy.serial, .immediate])
  func oneThatIsRunning(_ policy: DeliveryPolicy) {
    let (event, canaries) = (Event<Int>(policy: policy), Canaries())
    let own = Locked<Subscription?>(nil)
    own.withLock {
      $0 = event.observe { [canary = canaries.make()] _ in
        own.current?.cancel()
        #expect(canaries.alive == 1, "it is still running")
        canary.touch()
      }
    }
    event.emit(1)
    #expect(canaries.alive == 0)
    own.withLock { $0 = nil }
  }

  @Test("cancelled while others emit", arguments: [DeliveryPolicy.serial, .immediate])
  func cancelledWhileOthersEmit(_ policy: DeliveryPolicy) {
    for _ in 0..<100 {
      let (event, canaries) = (Event<Int>(policy: policy), Canaries())
      let victims = (0..<10).map { _ in event.observe { [canary = canaries.make()] _ in canary.touch() } }
      Threads.together(2) { thread in
        if thread == 0 {
          for value in 1...20 { event.emit(value) }
        } else {
          for victim in victims { victim.cancel() }
        }
      }
      #expect(canaries.alive == 0, "no delivery is under way any more")
    }
  }

  /// A value is not kept either, once every handler has received it.
  @Test("values", arguments: [DeliveryPolicy.serial, .immediate])
  func values(_ policy: DeliveryPolicy) {
    let (event, canaries) = (Event<Canary>(policy: policy), Canaries())
    let token = event.observe { $0.touch() }
    let left = Locked(3)
    let nested = event.observe { _ in
      let mayEmit = left.withLock { left in
        left -= 1
        return left >= 0
      }
      if mayEmit { event.emit(canaries.make()) }
    }
    let distinct = event.removeDuplicates { $0 === $1 }.observe { $0.touch() }
    event.emit(canaries.make())
    distinct.cancel()
    nested.cancel()
    event.emit(canaries.make())
    #expect(canaries.alive == 0)
    token.cancel()
  }

  @Test("on the way to an actor")
  func onTheWayToAnActor() async {
    let (event, actor, proceed, canaries) = (Event<Int>(), TestActor(), Gate(), Canaries())
    let victim = event.observe(with: actor) { [canary = canaries.make()] _, _ in canary.touch() }
    await event.emitAndWait(1)
    await actor.occupy(until: proceed)
    event.emit(contentsOf: [2, 3])
    victim.cancel()
    #expect(canaries.alive == 0, "its calls were still on their way")
    proceed.open()
    await actor.run { _ in }
  }
}
