import Testing
import TidingsTesting

@Suite("The contract's kit itself")
struct PlainEventTests {
  @Test("A plain, right event keeps every sentence that applies to it")
  func right() async {
    let report = await Contract.check(described(nil))
    #expect(report.isKept, "\(report)")
    #expect(report.skipped.keys.sorted() == [7, 12], "\(report)")
  }

  @Test("Every fault is found by the sentence it breaks", arguments: PlainEvent.Fault.allCases)
  func broken(_ fault: PlainEvent.Fault) async {
    let number = sentence(of: fault)
    for law in Contract.laws(for: described(fault)) where law.number == number {
      let violations = await law.violations(by: described(fault))
      #expect(!violations.isEmpty, "\(fault) went unnoticed by \(law.number): \(law.sentence)")
    }
  }

  @Test("An exception is listed with its reason, and one without need is detected")
  func exceptions() async {
    let report = await Contract.check(
      described(.nestedFirst), except: [4: "as of old", 9: "for no reason"], provingExceptions: true)
    #expect(report.excepted == [4: "as of old", 9: "for no reason"])
    #expect(!report.violations.contains { $0.number == 4 })
    #expect(report.needless == [9])
    #expect(report.description.contains("excepted 4: as of old"))
  }

  private func sentence(of fault: PlainEvent.Fault) -> Int {
    switch fault {
    case .backwards: 1
    case .nestedFirst: 4
    case .receivedByLaterHandlers, .pauseIsIgnored: 3
    case .forgetsNested: 5
    case .callsTheCancelled: 6
    case .callsOnceTwice: 8
    case .reusesNumbers: 9
    case .holdsALock: 11
    case .stopsAtFailures: 13
    case .ignoresDroppedTokens, .keepsOwners: 14
    case .keepsCaptures: 15
    case .neverStops: 23
    }
  }

  private func described(_ fault: PlainEvent.Fault?) -> EventUnderTest<PlainEvent, PlainEvent.Token> {
    var type = EventUnderTest(
      "PlainEvent",
      make: { PlainEvent(fault) },
      add: { event, handler in event.add { $0.notified(handler) } },
      emit: { $0.emit($1) },
      cancel: { $0.cancel() })
    type.isThreadSafe = true
    type.dropCancels = true
    type.maximumDepth = 20
    type.patience = fault == .holdsALock ? 1 : 120
    type.addOnce = { event, handler in _ = event.add(isOnce: true) { $0.notified(handler) } }
    type.addWithOwner = { event, owner, handler in
      let kept = fault == .keepsOwners ? owner : nil
      let isAlive: @Sendable () -> Bool = { [weak owner] in owner != nil }
      _ = event.add(isBound: true, isAlive: isAlive) { [weak owner] value in
        withExtendedLifetime(kept) {}
        if let owner { handler(owner, value) }
        return false
      }
    }
    type.addThrowing = { event, onError, handler in
      event.add {
        do {
          try handler($0)
          return false
        } catch {
          onError(error)
          return true
        }
      }
    }
    type.pause = { $0.setPaused(true) }
    type.resume = { $0.setPaused(false) }
    return type
  }
}

extension Int {
  /// Hands it to a handler that cannot fail.
  fileprivate func notified(_ handler: (Int) -> Void) -> Bool {
    handler(self)
    return false
  }
}
