import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  4. Under `.serial` a value emitted by a handler is delivered after the current value has reached every handler.
  """, .serialized)
struct NestedEmitTests {
  @Test("nested in one event")
  func nestedInOneEvent() {
    let (event, received) = (Event<Int>(), Recorder<String>())
    let a = event.observe { value in
      received("a\(value)")
      if value == 1 { event.emit(contentsOf: [2, 3]) }
    }
    let b = event.observe { value in
      received("b\(value)")
      if value == 2 { event.emit(4) }
    }
    let c = event.observe { received("c\($0)") }
    event.emit(1)
    #expect(received.values == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3", "a4", "b4", "c4"])
    withExtendedLifetime((a, b, c)) {}
  }

  /// What comes back by way of another event waits as well; the other event delivers immediately, for it is not busy.
  @Test("nested through another event")
  func nestedThroughAnotherEvent() {
    let (first, second, received) = (Event<Int>(), Event<Int>(), Recorder<String>())
    let a = first.observe { value in
      received("a\(value)")
      if value == 1 { second.emit(10) }
    }
    let b = first.observe { received("b\($0)") }
    let c = second.observe { value in
      first.emit(value + 1)
      received("c\(value)")
    }
    first.emit(1)
    #expect(received.values == ["a1", "c10", "b1", "a11", "b11"])
    withExtendedLifetime((a, b, c)) {}
  }

  @Test("nested in a local event")
  func nestedInALocalEvent() {
    let event = LocalEvent<Int>()
    var received: [String] = []
    let a = event.observe { value in
      received.append("a\(value)")
      if value == 1 { event.emit(contentsOf: [2, 3]) }
    }
    let b = event.observe { received.append("b\($0)") }
    event.emit(1)
    #expect(received == ["a1", "b1", "a2", "b2", "a3", "b3"])
    withExtendedLifetime((a, b)) {}
  }
}

@Suite(
  """
  5. `emit` has delivered to every handler that needs no hop before it returns, unless (under `.serial`) it was \
  called from a handler of the same event or while another thread was delivering that event; then the delivering \
  thread delivers it before returning, or, after 1,024 values of others, a task of no actor or the next thread \
  that emits continues in order; until then no thread delivers. (`#isolation` is nil in a closure inside an \
  actor's method that does not capture `self`: such an emit reaches that actor's handlers through their queues.)
  """, .serialized)
struct EmitReturnsTests {
  @Test("in place", arguments: [DeliveryPolicy.serial, .immediate])
  func inPlace(_ policy: DeliveryPolicy) {
    let (event, received, owner) = (Event<Int>(policy: policy), Recorder<Int>(), Owner())
    let token = event.observe { received($0) }
    event.observe(with: owner) { received($1 * 10) }
    let mapped = event.map { $0 * 100 }.observe { received($0) }
    event.emit(1)
    #expect(received.values == [1, 10, 100])
    event.emit(contentsOf: 2...3)
    #expect(received.values == [1, 10, 100, 2, 20, 200, 3, 30, 300])
    withExtendedLifetime((token, mapped, owner)) {}
  }

  /// A handler on the actor that emits needs no hop either.
  @Test("on the actor of the handlers")
  func onTheActorOfTheHandlers() async {
    let (event, listener) = (Event<Int>(), Listener())
    await listener.followAndCheck(event)
  }

  @MainActor
  @Test("on the main actor")
  func onTheMainActor() {
    let event = Event<Int>()
    let received = MainList()
    let token = event.observe { received.values.append($0) }
    event.emit(1)
    event.emit(2)
    #expect(received.values == [1, 2])
    token.cancel()
  }

  @Test("from a handler")
  func fromAHandler() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let first = event.observe { value in
      guard value == 1 else { return }
      event.emit(2)
      #expect(received.values == [], "delivered when the current value has reached everyone")
    }
    let second = event.observe { received($0) }
    event.emit(1)
    #expect(received.values == [1, 2], "delivered before the outer `emit` returns")
    withExtendedLifetime((first, second)) {}
  }

  /// The 1,024 are values of others: what the deliverer's own handlers emit, it delivers, however much it is.
  @Test("own values are not handed over")
  func ownValuesAreNotHandedOver() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let first = event.observe { if $0 == 0 { event.emit(contentsOf: 1...3_000) } }
    let second = event.observe { received($0) }
    event.emit(0)
    #expect(received.values == Array(0...3_000))
    withExtendedLifetime((first, second)) {}
  }

  @Test(
    "while another thread delivers",
    arguments: [DeliveryPolicy.serial, .immediate])
  func whileAnotherThreadDelivers(_ policy: DeliveryPolicy) {
    let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
    let (entered, proceed, ended) = (Gate(), Gate(), Gate())
    let first = event.observe {
      guard $0 == 1 else { return }
      entered.open()
      proceed.wait()
    }
    let second = event.observe { received($0) }
    Threads.start {
      event.emit(1)
      ended.open()
    }
    entered.wait()
    event.emit(2)
    #expect(
      received.values == (policy == .serial ? [] : [2]), "under `.serial` its turn comes, under `.immediate` it is")
    proceed.open()
    #expect(ended.wait())
    #expect(received.values == (policy == .serial ? [1, 2] : [2, 1]), "when the deliverer returns")
    withExtendedLifetime((first, second)) {}
  }

  /// No value is left that no thread delivers: when all threads have returned, all has been received.
  @Test("by the delivering thread")
  func byTheDeliveringThread() {
    for _ in 0..<50 { byTheDeliveringThreadOnce() }
  }
  private func byTheDeliveringThreadOnce() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let token = event.observe { received($0) }
    Threads.together(3) { thread in for value in 0..<20 { event.emit(thread * 20 + value) } }
    #expect(received.values.sorted() == Array(0..<60))
    token.cancel()
  }

  /// Emits `count` values from elsewhere while a thread delivers one of its own, and sees where they are delivered.
  @Test("handed over", arguments: [1_024, 3_000])
  func handedOver(_ count: Int) async {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let deliverer = Locked<UInt>(0)
    let ownCalls = Locked(0)
    let (entered, proceed, ended) = (Gate(), Gate(), Gate())
    let token = event.observe { value in
      if value == 0 {
        deliverer.withLock { $0 = Threads.current }
        entered.open()
        proceed.wait()
      }
      if Threads.current == deliverer.current, !ended.isOpen { ownCalls.withLock { $0 += 1 } }
      received(value)
    }
    Threads.start {
      event.emit(0)
      ended.open()
    }
    await entered.wait()
    event.emit(contentsOf: 1...count)
    proceed.open()
    await ended.wait()
    #expect(ownCalls.current == 1 + min(count, 1_024), "the deliverer may return after 1,024 values of others")
    let all = await received.values(atLeast: count + 1)
    #expect(all == Array(0...count), "the rest follows in order")
    // The task that took over has given the event back.
    await event.emitAndWait(count + 1)
    event.emit(count + 2)
    #expect(received.values.suffix(2) == [count + 1, count + 2])
    token.cancel()
  }

  /// The exception that the sentence names: `#isolation` is nil there, so that actor's handlers are reached by a hop.
  @Test("from a closure that does not use the actor")
  func fromAClosureThatDoesNotUseTheActor() async {
    let (event, listener) = (Event<Int>(), Listener())
    await listener.emitFromAClosure(event)
  }
}

@MainActor
private final class MainList {
  var values: [Int] = []
}

extension Listener {
  fileprivate func followAndCheck(_ event: Event<Int>) {
    let token = event.observe { self.note($0) }
    event.emit(1)
    #expect(received == [1])
    event.emit(contentsOf: [2, 3])
    #expect(received == [1, 2, 3])
    token.cancel()
  }

  fileprivate func emitFromAClosure(_ event: Event<Int>) async {
    let token = event.observe { self.note($0) }
    let emit: @Sendable (Int) -> Void = { event.emit($0) }
    emit(1)
    _ = [2, 3].map { event.emit($0) }
    #expect(received == [], "through the queue, for nothing says that the caller is here")
    event.emit(4)
    #expect(received == [1, 2, 3, 4], "in place, and nothing is overtaken")
    token.cancel()
  }
}
