import Testing
import Tidings
import TidingsTesting

@Suite("LocalEvent: the lifetime of owners")
struct LocalOwnersTests {
  private let event = LocalEvent<Int>()
  private let canaries = Canaries()

  /// Adds a handler whose owner is deinitialized when it returns.
  private func bereave(_ atTheEnd: @escaping () -> Void = {}) {
    let (owner, captured) = (Owner(), LastWord(canaries.make(), atTheEnd))
    event.observe(with: owner) { _, _ in captured.touch() }
    withExtendedLifetime(owner) {}
  }

  @Test("Owners that came and went without a value leave nothing but a list's worth")
  func withoutAValue() {
    for _ in 0..<10_000 { bereave() }
    #expect(canaries.alive < 100)
    #expect(event.diagnostics.count == canaries.alive)
  }

  @Test("Handlers of living owners are called as before, in their order, and so is a paused one")
  func thoseWhoLive() {
    var (received, owners, paused): ([Int], [Owner], LocalSubscription?) = ([], [], nil)
    for number in 0..<100 {
      bereave()
      let owner = Owner()
      owners.append(owner)
      let token = event.observe(with: owner) { _, _ in received.append(number) }
      if number == 50 {
        token.pause()
        paused = token
      }
    }
    paused?.resume()
    event.emit(1)
    #expect(received == Array(0..<100))
    #expect(event.diagnostics.count == 100 && canaries.alive == 0)
    withExtendedLifetime(owners) {}
  }

  @Test(
    "Handlers of deinitialized owners are collected also while the event delivers",
    arguments: [DeliveryPolicy.serial, .immediate])
  func whileItDelivers(_ policy: DeliveryPolicy) {
    let event = LocalEvent<Int>(policy: policy)
    var received: [String] = []
    let first = event.observe { [canaries] value in
      received.append("first \(value)")
      guard value == 1 else { return }
      for _ in 0..<5_000 {
        let (owner, canary) = (Owner(), canaries.make())
        event.observe(with: owner) { _, _ in canary.touch() }
      }
    }
    let last = event.observe { received.append("last \($0)") }
    event.emit(1)
    #expect(canaries.alive < 2_500, "no place is used again meanwhile, so the list is larger")
    #expect(event.diagnostics.count == canaries.alive + 2)
    event.emit(2)
    #expect(received == ["first 1", "last 1", "first 2", "last 2"])
    #expect(canaries.alive == 0)
    withExtendedLifetime((first, last)) {}
  }

  @Test("A capture of a deinitialized owner's handler may use the event in its `deinit`")
  func theEndsOfCaptures() {
    var (received, later): ([Int], [LocalSubscription]) = ([], [])
    let lasting = event.observe { received.append($0) }
    for number in 1...200 {
      bereave { [event] in
        event.emit(number)
        for _ in 0..<number % 5 { later.append(event.observe { _ in }) }
        if number % 3 == 0, !later.isEmpty { later.removeFirst().cancel() }
        event.observe(with: Owner()) { _, _ in }
      }
    }
    event.emit(0)
    event.emit(0)  // for the owners that went during the first
    #expect(received.filter { $0 > 0 }.sorted() == Array(1...200), "each has ended once, and was received")
    #expect(canaries.alive == 0 && event.diagnostics.count == later.count + 1)
    lasting.cancel()
  }

  @Test("A capture of a deinitialized owner's handler may also cancel all handlers, and release the event itself")
  func theEndOfTheEvent() {
    for isReleased in [true, false] {
      var (event, ended): (LocalEvent<Int>?, Int) = (LocalEvent(), 0)
      var tokens: [LocalSubscription] = []
      for _ in 0..<40 {
        if event == nil { break }
        let captured = LastWord(canaries.make()) {
          ended += 1
          if isReleased { event = nil } else { event?.cancelAll() }
        }
        event?.observe(with: Owner()) { _, _ in captured.touch() }
        if let token = event?.observe({ _ in }) { tokens.append(token) }
      }
      #expect(ended > 0)
      event?.cancelAll()
      #expect(tokens.allSatisfy { !$0.isActive } && canaries.alive == 0)
    }
  }
}

/// Emits when it is deinitialized, in the isolation in which it was made.
private final class LastWord {
  private let canary: Canary
  private let say: () -> Void

  init(_ canary: Canary, _ say: @escaping () -> Void) {
    self.canary = canary
    self.say = say
  }

  deinit { say() }

  @inline(never)
  func touch() {}
}
