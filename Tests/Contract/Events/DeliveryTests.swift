import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  4. Under `.serial` a value emitted by a handler is delivered after the current value has reached every handler.
  """, .serialized)
struct NestedEmitTests {
  /// A value that returns through another event waits as well. The other event is not busy, so it delivers immediately.
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
    // The task that took over gives the event back, perhaps a moment after the last value.
    await event.emitAndWait(count + 1)
    event.emit(count + 2)
    #expect(await received.values(atLeast: count + 3).suffix(2) == [count + 1, count + 2])
    token.cancel()
  }

  /// The exception that the sentence names: `#isolation` is nil there, so that actor's handlers are reached by a hop.
  @Test("from a closure that does not use the actor")
  func fromAClosureThatDoesNotUseTheActor() async {
    let (event, listener) = (Event<Int>(), Listener())
    await listener.emitFromAClosure(event)
  }
}

extension Listener {
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
