import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  14. Dropping the token of `observe` cancels. The tokens of `once` and of an owner-bound handler may be dropped: \
  they end by their call, or with the owner, which is held weakly and passed to the handler. A call retains the owner \
  until it returns, so if all others have released it meanwhile, the handler ends with that call; under `.immediate`, with \
  the last of those that overlap.
  """, .serialized)
struct LifetimeTests {
  @Test("owners that are released during a call", arguments: [DeliveryPolicy.serial, .immediate])
  func releasedDuringACall(_ policy: DeliveryPolicy) async {
    let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
    let (began, proceed, ended) = (Gate(), Gate(), Gate())
    var owner: Owner? = Owner()
    weak let remembered = owner
    event.observe(with: owner!) { _, value in
      received(value)
      if value == 1 {
        began.open()
        proceed.wait()
      }
    }
    Threads.start {
      event.emit(1)
      ended.open()
    }
    await began.wait()
    owner = nil
    #expect(remembered != nil, "the call retains it")
    event.emit(2)
    proceed.open()
    await ended.wait()
    #expect(remembered == nil)
    event.emit(3)
    #expect(received.values == (policy == .immediate ? [1, 2] : [1]))
  }

  /// An owner that is deinitialized between two handlers of one value is not retained again.
  @Test(
    "an owner that is released mid-emit",
    arguments: [DeliveryPolicy.serial, .immediate])
  func anOwnerThatIsReleasedMidEmit(_ policy: DeliveryPolicy) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
    let owner = Locked<Owner?>(Owner())
    let first = event.observe { _ in _ = owner.withLock { $0.take() } }
    if let owner = owner.current { event.observe(with: owner) { _, value in received(value) } }
    let last = event.observe { received($0 * 10) }
    event.emit(1)
    #expect(received.values == [10])
    withExtendedLifetime((first, last)) {}
  }

  @Test("stored tokens")
  func storedTokens() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    var (tokens, ordered): (Set<Subscription>, [Subscription]) = ([], [])
    for number in 1...2 { event.observe { received($0 * number) }.store(in: &tokens) }
    event.observe { received($0 * 3) }.store(in: &ordered)
    event.emit(1)
    (tokens, ordered) = ([], [])
    event.emit(2)
    #expect(received.values == [1, 2, 3])
  }

  @Test("actors as owners")
  func actorsAsOwners() async {
    let (event, received, canaries) = (Event<Int>(), Recorder<Int>(), Canaries())
    weak var remembered: Listener?
    do {
      let owner = Listener()
      remembered = owner
      event.observe(with: owner) { [canary = canaries.make()] owner, value in
        canary.touch()
        owner.note(value)
        received(value)
      }
      await event.emitAndWait(1)
      #expect(await owner.received == [1])
    }
    // The job that called the handler has a reference until it returns.
    #expect(await eventually { remembered == nil })
    await event.emitAndWait(2)
    #expect(received.values == [1])
    #expect(event.diagnostics.count == 0 && canaries.alive == 0)
  }
}
