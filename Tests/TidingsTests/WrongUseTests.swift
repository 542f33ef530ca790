import Testing
import Tidings
import TidingsTesting

/// What a program should not do, or does by accident: it is clear what happens, and nothing is lost.
@Suite("Wrong use")
struct WrongUseTests {
  @Test("Emitting from a deinit reaches every handler")
  func emittingFromADeinit() {
    let (event, heard) = (Event<String>(), Recorder<String>())
    let token = event.observe { heard($0) }
    do {
      let farewell = Farewell { event.emit("gone") }
      farewell.touch()
    }
    #expect(heard.values == ["gone"])
    // From the end of an object that is alone in holding the event.
    do {
      let sender = LastWords()
      sender.said.observe { heard($0) }.store(in: &sender.tokens)
    }
    #expect(heard.values == ["gone", "last words"])
    token.cancel()
  }

  @Test("Emitting from the deinit of what a cancelled handler captured, in the middle of a delivery")
  func emittingFromCaptures() {
    for policy in [DeliveryPolicy.serial, .immediate] {
      let (event, heard) = (Event<Int>(policy: policy), Recorder<String>())
      let victim = Locked<Subscription?>(nil)
      let first = event.observe { value in
        heard("first\(value)")
        if value == 1 { victim.current?.cancel() }
      }
      victim.current = event.observe { [farewell = Farewell { event.emit(2) }] _ in farewell.touch() }
      let last = event.observe { heard("last\($0)") }
      event.emit(1)
      #expect(heard.values.filter { $0.hasPrefix("first") }.sorted() == ["first1", "first2"])
      #expect(heard.values.filter { $0.hasPrefix("last") }.sorted() == ["last1", "last2"])
      victim.current = nil
      withExtendedLifetime((first, last)) {}
    }
  }

  @Test("Cancelling twice, from several threads, and after everything was cancelled")
  func cancellingTwice() async {
    for _ in 0..<50 {
      let (event, heard, canaries) = (Event<Int>(), Recorder<Int>(), Canaries())
      let token = event.observe { [canary = canaries.make()] _ in canary.touch() }
      let other = event.observe { heard($0) }
      Threads.together(3) { _ in token.cancel() }
      token.cancel()
      await token.finish()
      #expect(canaries.alive == 0)
      event.emit(1)
      #expect(heard.values == [1], "nobody else is hit")
      event.cancelAll()
      other.cancel()
      event.cancelAll()
      event.emit(2)
      #expect(heard.values == [1])
      #expect(event.diagnosis.count == 0)
    }
  }

  @Test("Cancelling from another thread in the middle of a call: the call ends as it began")
  func cancellingInMidCall() {
    for policy in [DeliveryPolicy.serial, .immediate] {
      let (event, heard, canaries) = (Event<Int>(policy: policy), Recorder<String>(), Canaries())
      let (entered, proceed, ended) = (Gate(), Gate(), Gate())
      let token = event.observe { [canary = canaries.make()] value in
        heard("begins \(value)")
        entered.open()
        proceed.wait()
        canary.touch()
        heard("ends \(value) with \(canaries.alive)")
      }
      let other = event.observe { heard("other \($0)") }
      Threads.start {
        event.emit(1)
        ended.open()
      }
      entered.wait()
      token.cancel()
      #expect(!token.isActive)
      event.emit(2)
      proceed.open()
      ended.wait()
      let expected = ["begins 1", "ends 1 with 1", "other 1"]
      #expect(heard.values.filter { $0 != "other 2" } == expected)
      #expect(heard.values.contains("other 2"), "the other handler loses nothing")
      #expect(canaries.alive == 0)
      other.cancel()
    }
  }

  @Test("Dropping the last token inside its own handler: the call goes on to its end, and is the last")
  func droppingTheTokenInItsOwnHandler() {
    for policy in [DeliveryPolicy.serial, .immediate] {
      let (event, heard, canaries) = (Event<Int>(policy: policy), Recorder<String>(), Canaries())
      let token = Locked<Subscription?>(nil)
      token.current = event.observe { [canary = canaries.make()] value in
        token.current = nil
        canary.touch()
        if value < 3 { event.emit(value + 1) }
        heard("own \(value) with \(canaries.alive)")
      }
      let other = event.observe { heard("other \($0)") }
      event.emit(1)
      #expect(heard.values.filter { $0.hasPrefix("own") } == ["own 1 with 1"])
      #expect(heard.values.filter { $0.hasPrefix("other") }.sorted() == ["other 1", "other 2"])
      #expect(canaries.alive == 0)
      other.cancel()
    }
  }

  @Test("Dropping the last token of a local event inside its own handler")
  func droppingALocalToken() {
    let (event, canaries) = (LocalEvent<Int>(), Canaries())
    var (heard, token): ([Int], LocalSubscription?) = ([], nil)
    token = event.observe { [canary = canaries.make()] value in
      token = nil
      canary.touch()
      if value < 3 { event.emit(value + 1) }
      heard.append(value)
    }
    let other = event.observe { heard.append($0 * 10) }
    event.emit(1)
    #expect(heard == [1, 10, 20])
    #expect(canaries.alive == 0 && token == nil)
    other.cancel()
  }

  @Test("An owner that dies during delivery: in its own handler it lives to the end, afterwards it hears no more")
  func anOwnerThatDiesDuringDelivery() {
    for policy in [DeliveryPolicy.serial, .immediate] {
      let (event, heard) = (Event<Int>(policy: policy), Recorder<String>())
      let owner = Locked<Owner?>(Owner())
      let identity = owner.current.map(ObjectIdentifier.init)
      let first = event.observe { heard("first \($0)") }
      if let held = owner.current {
        event.observe(with: held) { handed, value in
          owner.current = nil
          heard("own \(value) \(ObjectIdentifier(handed) == identity)")
        }
      }
      let last = event.observe { heard("last \($0)") }
      event.emit(1)
      event.emit(2)
      #expect(heard.values == ["first 1", "own 1 true", "last 1", "first 2", "last 2"])
      #expect(event.diagnosis.count == 2)
      withExtendedLifetime((first, last)) {}
    }
  }

  @Test("An actor that dies with values on their way to it: they are dropped, and others get theirs")
  func anActorThatDies() async {
    for _ in 0..<50 {
      let (event, heard) = (Event<Int>(), Recorder<Int>())
      do {
        let listener = Listener()
        event.observe(with: listener) { listener, value in listener.note(value) }
        event.emit(contentsOf: 1...5)
      }
      let other = event.observe { heard($0) }
      await event.emitAndWait(6)
      event.emit(7)
      #expect(heard.values == [6, 7])
      other.cancel()
    }
  }

  @Test(
    "An event that dies while it delivers delivers what it was given", arguments: [DeliveryPolicy.serial, .immediate])
  func anEventThatDies(_ policy: DeliveryPolicy) {
    let (heard, canaries) = (Recorder<String>(), Canaries())
    let event = Locked<Event<Int>?>(Event(policy: policy))
    weak let remembered = event.current
    let tokens = [
      event.current?.observe { [canary = canaries.make()] value in
        canary.touch()
        heard("first \(value)")
        if value == 1 {
          event.current?.emit(2)
          event.current = nil
        }
      },
      event.current?.observe { [canary = canaries.make()] value in
        canary.touch()
        heard("last \(value)")
      },
    ]
    event.current?.emit(1)
    let serial = ["first 1", "last 1", "first 2", "last 2"]
    #expect(heard.values == (policy == .serial ? serial : ["first 1", "first 2", "last 2", "last 1"]))
    #expect(remembered == nil)
    #expect(canaries.alive == 0)
    #expect(tokens.allSatisfy { $0?.isActive == false })
  }

  @Test("An event that dies while another thread delivers it delivers what both gave it")
  func anEventThatDiesElsewhere() {
    for _ in 0..<50 {
      let (heard, entered, proceed, ended) = (Recorder<Int>(), Gate(), Gate(), Gate())
      let event = Locked<Event<Int>?>(Event())
      let first = event.current?.observe { _ in
        entered.open()
        proceed.wait()
      }
      let last = event.current?.observe { heard($0) }
      Threads.start {
        event.current?.emit(1)
        ended.open()
      }
      entered.wait()
      event.current?.emit(2)
      event.current = nil
      proceed.open()
      ended.wait()
      #expect(heard.values == [1, 2])
      #expect(first?.isActive == false && last?.isActive == false)
    }
  }

  @Test("A local event that dies while it delivers delivers what it was given")
  func aLocalEventThatDies() {
    let canaries = Canaries()
    var (heard, event): ([String], LocalEvent<Int>?) = ([], LocalEvent())
    let tokens = [
      event?.observe { [canary = canaries.make()] value in
        canary.touch()
        heard.append("first \(value)")
        if value == 1 {
          event?.emit(2)
          event = nil
        }
      },
      event?.observe { heard.append("last \($0)") },
    ]
    event?.emit(1)
    #expect(heard == ["first 1", "last 1", "first 2", "last 2"])
    #expect(canaries.alive == 0)
    #expect(tokens.allSatisfy { $0?.isActive == false })
  }

  @Test("Values on their way to an actor arrive though their event has died")
  func valuesOutliveTheirEvent() async {
    let (listener, heard) = (Listener(), Recorder<Int>())
    var event: Event<Int>? = Event()
    let proceed = Gate(seconds: 20)
    let busy = Task { await listener.run { _ in proceed.wait() } }
    event?.observe(with: listener) { listener, value in
      listener.note(value)
      heard(value)
    }
    event?.emit(contentsOf: 1...3)
    event = nil
    proceed.open()
    _ = await busy.value
    for _ in 0..<10_000 where heard.values.count < 3 { await Task.yield() }
    #expect(heard.values == [1, 2, 3])
  }

  @Test("Tokens of two events in one set know their own")
  func tokensOfTwoEvents() {
    let (first, second, heard) = (Event<Int>(), Event<String>(), Recorder<String>())
    var tokens: Set<Subscription> = []
    for _ in 0..<2 { first.observe { heard("\($0)") }.store(in: &tokens) }
    let own = second.observe { heard($0) }
    own.store(in: &tokens)
    own.store(in: &tokens)
    #expect(tokens.count == 3)
    tokens.remove(own)
    first.emit(1)
    second.emit("own is still held")
    own.cancel()
    second.emit("no more")
    #expect(heard.values == ["1", "1", "own is still held"])
    for token in tokens { #expect(token.isActive && token != own) }
    tokens.removeAll()
    first.emit(2)
    #expect(heard.values.count == 3)
    #expect(first.diagnosis.count == 0 && second.diagnosis.count == 0)
  }

  @Test("Adding without end while delivering: a handler that adds another is no circle")
  func addingWithoutEnd() {
    let (event, heard) = (Event<Int>(), Recorder<Int>())
    let tokens = Locked<[Subscription]>([])
    let first = event.observe { value in
      let added = event.observe { heard($0) }
      tokens.withLock { $0.append(added) }
      if value < 100 { event.emit(value + 1) }
    }
    event.emit(1)
    // The one added at 1 hears 2 to 100, the one added at 2 hears 3 to 100, and so on.
    #expect(heard.values.count == 99 * 100 / 2)
    tokens.current = []
    #expect(event.diagnosis.count == 1)
    first.cancel()
  }
}

private final class LastWords: @unchecked Sendable {
  let said = Event<String>()
  var tokens: Set<Subscription> = []

  deinit { said.emit("last words") }
}
