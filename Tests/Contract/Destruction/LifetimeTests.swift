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
  @Test("dropped tokens", arguments: [DeliveryPolicy.serial, .immediate])
  func droppedTokens(_ policy: DeliveryPolicy) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<String>())
    do {
      let kept = event.observe { received("kept\($0)") }
      let piped = event.filter { _ in true }.map { $0 }.observe { received("piped\($0)") }
      event.emit(1)
      withExtendedLifetime((kept, piped)) {}
    }
    #expect(event.diagnostics.count == 0)
    _ = event.observe { received("dropped\($0)") }
    _ = event.merge(event).observe { received("dropped\($0)") }
    event.emit(2)
    #expect(received.values == ["kept1", "piped1"])
    // In mid-emit, for a handler that has not had its turn.
    let victim = Locked<Subscription?>(nil)
    let first = event.observe { _ in victim.withLock { $0.take() }?.cancel() }
    victim.withLock { $0 = event.observe { received("victim\($0)") } }
    event.emit(3)
    #expect(received.values == ["kept1", "piped1"])
    first.cancel()
  }

  @Test(
    "tokens that may be dropped", arguments: [DeliveryPolicy.serial, .immediate])
  func tokensThatMayBeDropped(_ policy: DeliveryPolicy) {
    let (event, received, owner) = (Event<Int>(policy: policy), Recorder<String>(), Owner())
    event.once { received("once\($0)") }
    event.map { $0 }.once { received("piped\($0)") }
    event.merge(event).once { received("merged\($0)") }
    event.observe(with: owner) { received("owned\($1)") }
    event.compactMap { $0 }.observe(with: owner) { received("piped, owned\($1)") }
    event.emit(1)
    event.emit(2)
    #expect(
      received.values == ["once1", "piped1", "merged1", "owned1", "piped, owned1", "owned2", "piped, owned2"])
    withExtendedLifetime(owner) {}
  }

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

  @Test("owners", arguments: [DeliveryPolicy.serial, .immediate])
  func owners(_ policy: DeliveryPolicy) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
    weak var remembered: Owner?
    do {
      let owner = Owner()
      remembered = owner
      let identity = ObjectIdentifier(owner)
      event.observe(with: owner) { handed, value in
        #expect(ObjectIdentifier(handed) == identity)
        received(value)
      }
      let token = event.map { $0 }.merge(Event<Int>()).observe(with: owner) { handed, value in
        #expect(ObjectIdentifier(handed) == identity)
        received(value * 10)
      }
      event.emit(1)
      token.cancel()
      event.emit(2)
      withExtendedLifetime(owner) {}
    }
    #expect(remembered == nil, "held weakly")
    event.emit(3)
    #expect(received.values == [1, 10, 2])
    #expect(event.diagnostics.count == 0)
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
    var tokens: Set<Subscription> = []
    for number in 1...3 { event.observe { received($0 * number) }.store(in: &tokens) }
    event.emit(1)
    tokens.removeAll()
    event.emit(2)
    #expect(received.values == [1, 2, 3])
  }

  @Test("actors as owners")
  func actorsAsOwners() async {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    weak var remembered: Listener?
    do {
      let owner = Listener()
      remembered = owner
      event.observe(with: owner) { owner, value in
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
    #expect(event.diagnostics.count == 0)
  }

  @Test("local ones")
  func localOnes() {
    let event = LocalEvent<Int>()
    var received: [String] = []
    do {
      let owner = Owner()
      event.observe(with: owner) { received.append("owned\($0 === owner)\($1)") }
      let token = event.observe { received.append("kept\($0)") }
      event.once { received.append("once\($0)") }
      event.emit(1)
      withExtendedLifetime((owner, token)) {}
    }
    _ = event.observe { received.append("dropped\($0)") }
    event.emit(2)
    #expect(received.prefix(3) == ["ownedtrue1", "kept1", "once1"])
    #expect(!received.contains("kept2") && !received.contains("dropped2"))
  }
}
