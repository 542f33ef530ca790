import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  14. Dropping the token of `observe` cancels. The tokens of `once` and of an owner-bound handler may be dropped: \
  they end by their call, or with the owner, which is held weakly and passed to the handler.
  """, .serialized)
struct LifetimeTests {
  @Test("dropped tokens", arguments: [DeliveryPolicy.serial, .immediate])
  func droppedTokens(_ policy: DeliveryPolicy) {
    let (event, heard) = (Event<Int>(policy: policy), Recorder<String>())
    do {
      let kept = event.observe { heard("kept\($0)") }
      let behind = event.filter { _ in true }.map { $0 }.observe { heard("behind\($0)") }
      event.emit(1)
      withExtendedLifetime((kept, behind)) {}
    }
    #expect(event.diagnostics.count == 0)
    _ = event.observe { heard("dropped\($0)") }
    _ = event.merge(event).observe { heard("dropped\($0)") }
    event.emit(2)
    #expect(heard.values == ["kept1", "behind1"])
    // In mid-emit, for a handler that has not had its turn.
    let victim = Locked<Subscription?>(nil)
    let first = event.observe { _ in victim.withLock { $0.take() }?.cancel() }
    victim.withLock { $0 = event.observe { heard("victim\($0)") } }
    event.emit(3)
    #expect(heard.values == ["kept1", "behind1"])
    first.cancel()
  }

  @Test(
    "tokens that may be dropped", arguments: [DeliveryPolicy.serial, .immediate])
  func tokensThatMayBeDropped(_ policy: DeliveryPolicy) {
    let (event, heard, owner) = (Event<Int>(policy: policy), Recorder<String>(), Owner())
    event.once { heard("once\($0)") }
    event.map { $0 }.once { heard("behind\($0)") }
    event.merge(event).once { heard("merged\($0)") }
    event.observe(with: owner) { heard("owned\($1)") }
    event.compactMap { $0 }.observe(with: owner) { heard("behind, owned\($1)") }
    event.emit(1)
    event.emit(2)
    #expect(
      heard.values == ["once1", "behind1", "merged1", "owned1", "behind, owned1", "owned2", "behind, owned2"])
    withExtendedLifetime(owner) {}
  }

  @Test("owners", arguments: [DeliveryPolicy.serial, .immediate])
  func owners(_ policy: DeliveryPolicy) {
    let (event, heard) = (Event<Int>(policy: policy), Recorder<Int>())
    weak var remembered: Owner?
    do {
      let owner = Owner()
      remembered = owner
      let identity = ObjectIdentifier(owner)
      event.observe(with: owner) { handed, value in
        #expect(ObjectIdentifier(handed) == identity)
        heard(value)
      }
      let token = event.map { $0 }.merge(Event<Int>()).observe(with: owner) { handed, value in
        #expect(ObjectIdentifier(handed) == identity)
        heard(value * 10)
      }
      event.emit(1)
      token.cancel()
      event.emit(2)
      withExtendedLifetime(owner) {}
    }
    #expect(remembered == nil, "held weakly")
    event.emit(3)
    #expect(heard.values == [1, 10, 2])
    #expect(event.diagnostics.count == 0)
  }

  /// An owner that goes between two handlers of one value is not called back to life.
  @Test(
    "an owner that is released mid-emit",
    arguments: [DeliveryPolicy.serial, .immediate])
  func anOwnerThatIsReleasedMidEmit(_ policy: DeliveryPolicy) {
    let (event, heard) = (Event<Int>(policy: policy), Recorder<Int>())
    let owner = Locked<Owner?>(Owner())
    let first = event.observe { _ in _ = owner.withLock { $0.take() } }
    if let owner = owner.current { event.observe(with: owner) { _, value in heard(value) } }
    let last = event.observe { heard($0 * 10) }
    event.emit(1)
    #expect(heard.values == [10])
    withExtendedLifetime((first, last)) {}
  }

  @Test("stored tokens")
  func storedTokens() {
    let (event, heard) = (Event<Int>(), Recorder<Int>())
    var tokens: Set<Subscription> = []
    for number in 1...3 { event.observe { heard($0 * number) }.store(in: &tokens) }
    event.emit(1)
    tokens.removeAll()
    event.emit(2)
    #expect(heard.values == [1, 2, 3])
  }

  @Test("actors as owners")
  func actorsAsOwners() async {
    let (event, heard) = (Event<Int>(), Recorder<Int>())
    weak var remembered: Listener?
    do {
      let owner = Listener()
      remembered = owner
      event.observe(with: owner) { owner, value in
        owner.note(value)
        heard(value)
      }
      await event.emitAndWait(1)
      #expect(await owner.heard == [1])
    }
    #expect(remembered == nil)
    await event.emitAndWait(2)
    #expect(heard.values == [1])
    #expect(event.diagnostics.count == 0)
  }

  @Test("local ones")
  func localOnes() {
    let event = LocalEvent<Int>()
    var heard: [String] = []
    do {
      let owner = Owner()
      event.observe(with: owner) { heard.append("owned\($0 === owner)\($1)") }
      let token = event.observe { heard.append("kept\($0)") }
      event.once { heard.append("once\($0)") }
      event.emit(1)
      withExtendedLifetime((owner, token)) {}
    }
    _ = event.observe { heard.append("dropped\($0)") }
    event.emit(2)
    #expect(heard.prefix(3) == ["ownedtrue1", "kept1", "once1"])
    #expect(!heard.contains("kept2") && !heard.contains("dropped2"))
  }
}
