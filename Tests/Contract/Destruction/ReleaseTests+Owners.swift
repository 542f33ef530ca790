import Testing
import Tidings
import TidingsTesting

/// Sentence 15, of owners and of local events.
extension ReleaseTests {
  /// No event is notified of a deinit, so the next use of the event has to find it.
  @Test("of a released owner", arguments: [DeliveryPolicy.serial, .immediate])
  func ofAReleasedOwner(_ policy: DeliveryPolicy) {
    let (owners, canaries) = (Canaries(), Canaries())
    func bereave(_ event: Event<Int>) {
      let owner = Bearer(owners.make())
      event.observe(with: owner) { [canary = canaries.make()] _, _ in canary.touch() }
      event.emit(1)
      withExtendedLifetime(owner) {}
    }

    let emitted = Event<Int>(policy: policy)
    bereave(emitted)
    #expect(owners.alive == 0, "the owner is not kept")
    emitted.emit(2)
    #expect(canaries.alive == 0, "the event was used")

    do {
      let ended = Event<Int>(policy: policy)
      bereave(ended)
      withExtendedLifetime(ended) {}
    }
    #expect(canaries.alive == 0 && owners.alive == 0, "the event has ended")
  }

  @Test("actors as owners")
  func actorsAsOwners() async {
    let (event, canaries) = (Event<Int>(), Canaries())
    weak var remembered: Listener?
    do {
      let owner = Listener()
      remembered = owner
      event.observe(with: owner) { [canary = canaries.make()] _, _ in canary.touch() }
      await event.emitAndWait(1)
      withExtendedLifetime(owner) {}
    }
    // The job that called the handler has a reference until it returns.
    #expect(await eventually { remembered == nil })
    await event.emitAndWait(2)
    // So may the handler's queue, which it is about to leave.
    #expect(await canaries.quiesce())
  }

  @Test("local ones")
  func localOnes() {
    let (canaries, owners) = (Canaries(), Canaries())
    var event: LocalEvent<Int>? = LocalEvent()
    let cancelled = event?.observe { [canary = canaries.make()] _ in canary.touch() }
    cancelled?.cancel()
    #expect(canaries.alive == 0, "cancelled")

    event?.once { [canary = canaries.make()] _ in canary.touch() }
    event?.emit(1)
    #expect(canaries.alive == 0, "called once")

    do {
      let owner = Bearer(owners.make())
      event?.observe(with: owner) { [canary = canaries.make()] _, _ in canary.touch() }
      withExtendedLifetime(owner) {}
    }
    #expect(owners.alive == 0)
    event?.emit(2)
    #expect(canaries.alive == 0, "its owner was deinitialized")

    let left = event?.observe { [canary = canaries.make()] _ in canary.touch() }
    event = nil
    #expect(canaries.alive == 0, "the event is deinitialized")
    withExtendedLifetime(left) {}
  }
}

private final class Bearer: Sendable {
  let canary: Canary
  init(_ canary: Canary) { self.canary = canary }
}
