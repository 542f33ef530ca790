import Testing
import Tidings
import TidingsTesting

@Suite("merge")
struct MergeTests {
  @Test("Values of all sources, in the order in which they were emitted")
  func values() {
    let (a, b, c, received) = (Event<Int>(), Event<Int>(), Event<String>(), Recorder<Int>())
    let token = a.merge(b.map { $0 * 10 }, c.compactMap { Int($0) }).observe { received($0) }
    a.emit(1)
    b.emit(2)
    c.emit("three")
    c.emit("3")
    a.emit(4)
    #expect(received.values == [1, 20, 3, 4])
    token.cancel()
    for source in [a, b] {
      source.emit(5)
      #expect(source.diagnostics.count == 0)
    }
    #expect(c.diagnostics.count == 0)
    #expect(received.values == [1, 20, 3, 4])
  }

  @Test(
    "Calls of a handler never overlap, also if several threads emit", arguments: [DeliveryPolicy.serial, .immediate])
  func neverOverlapping(_ policy: DeliveryPolicy) async {
    for _ in 0..<30 {
      let sources = (0..<3).map { Event<Int>("\($0)", policy: policy) }
      let (received, inside, overlaps) = (Recorder<Int>(), Locked(0), Locked(0))
      let token = sources[0].merge(sources[1], sources[2]).observe { value in
        let others = inside.withLock { count in
          count += 1
          return count - 1
        }
        if others > 0 { overlaps.withLock { $0 += 1 } }
        received(value)
        inside.withLock { $0 -= 1 }
      }
      await Threads.together(3) { thread in for value in 0..<40 { sources[thread].emit(thread * 100 + value) } }
      for source in sources { await source.emitAndWait(-1) }
      #expect(overlaps.current == 0)
      let values = received.values.filter { $0 >= 0 }
      #expect(values.count == 120)
      for thread in 0..<3 {
        let own = values.filter { $0 / 100 == thread }
        #expect(own == own.sorted(), "the order of one source is kept")
      }
      token.cancel()
    }
  }

  @Test("A value that a handler emits to another source waits for its turn")
  func nestedValues() {
    let (a, b, received) = (Event<Int>(), Event<Int>(), Recorder<String>())
    let token = a.merge(b).observe { value in
      received("begins \(value)")
      if value == 1 { b.emit(2) }
      received("ends \(value)")
    }
    a.emit(1)
    #expect(received.values == ["begins 1", "ends 1", "begins 2", "ends 2"])
    token.cancel()
  }

  @Test("once takes one value of all sources together, and leaves every source")
  func once() {
    for _ in 0..<100 {
      let (a, b, received) = (Event<Int>(), Event<Int>(), Recorder<Int>())
      a.merge(b).once { received($0) }
      Threads.together(2) { thread in (thread == 0 ? a : b).emit(thread) }
      #expect(received.values.count == 1)
      a.emit(2)
      b.emit(3)
      #expect(received.values.count == 1)
      #expect(a.diagnostics.count == 0 && b.diagnostics.count == 0)
    }
  }

  @Test("It ends when the last of its sources is deinitialized")
  func sourcesThatGo() {
    let received = Recorder<Int>()
    var (a, b): (Event<Int>?, Event<Int>?) = (Event(), Event())
    var view: AnyEventSource<Int>?
    if let a, let b { view = a.merge(b) }
    let token = view?.observe { received($0) }
    view = nil
    a = nil
    #expect(token?.isActive == true)
    b?.emit(1)
    #expect(received.values == [1])
    b = nil
    #expect(token?.isActive == false)
  }

  @Test(
    "A handler that was paused meanwhile does not receive a value that another thread has taken at a source",
    arguments: Joining.allCases)
  fileprivate func pausingWhileTaken(_ joining: Joining) async {
    let (a, b, actor, received) = (Event<Int>(), Event<Int>(), TestActor(), Recorder<Int>())
    let (first, second, isTaken, isPaused, ended) = (Gate(), Gate(), Gate(), Gate(), Gate())
    let slow = a.filter { value in
      if value == 1 {
        first.open()
        second.wait()
      } else if value == 2 {
        isTaken.open()
        isPaused.wait()
      }
      return true
    }
    let token = joining.join(slow, b).observe(with: actor) { _, value in received(value) }
    b.emit(0)
    Threads.start {
      a.emit(1)
      ended.open()
    }
    await first.wait()
    // Returns immediately: the other thread delivers it.
    a.emit(2)
    second.open()
    await isTaken.wait()
    await actor.run { _ in
      token.pause()
      token.resume()
      isPaused.open()
    }
    await ended.wait()
    await a.emitAndWait(3)
    #expect(!received.values.contains(2), "it was emitted before the pause was over")
    #expect(received.values.last == 3)
  }

  @Test("A source merged with itself is received twice")
  func withItself() {
    let (a, received) = (Event<Int>(), Recorder<Int>())
    let token = a.merge(a).observe { received($0) }
    a.emit(1)
    #expect(received.values == [1, 1])
    token.cancel()
    #expect(a.diagnostics.count == 0)
  }

  @Test("A merge is no deeper than what it merges: cycles through it reach the same depth as without it")
  func depth() {
    let (a, b, received) = (Event<Int>("a", maximumDepth: 20), Event<Int>("b", maximumDepth: 20), Recorder<Int>())
    let reports = Diagnostics.reports.observe { _ in }
    let token = a.merge(b).observe { value in
      received(value)
      if value < 100 { a.emit(value + 1) }
    }
    a.emit(0)
    #expect((20...21).contains(received.values.count))
    token.cancel()
    reports.cancel()
  }

  @Test("flatMapLatest follows the new source before it leaves the previous one: what both share stays connected")
  func switchingWithinAShare() {
    let (selected, event, connections) = (Event<Int>(), Event<Int>(), Recorder<String>())
    let shared = event.handleEvents(onSubscribe: { connections("on") }, onEnd: { connections("off") }).share()
    let received = Recorder<Int>()
    let token = selected.flatMapLatest { factor in shared.map { $0 * factor } }.observe { received($0) }
    for factor in [1, 10, 100] {
      selected.emit(factor)
      event.emit(2)
    }
    #expect(received.values == [2, 20, 200])
    #expect(connections.values == ["on"])
    token.cancel()
    #expect(connections.values == ["on", "off"])
  }
}

/// The ways to one event from two.
private enum Joining: CaseIterable, Sendable {
  case merge, withLatest, flatMapLatest, startWith

  func join(_ a: AnyEventSource<Int>, _ b: Event<Int>) -> AnyEventSource<Int> {
    switch self {
    case .merge: a.merge(b)
    case .withLatest: a.withLatest(from: b).map { value, _ in value }
    case .flatMapLatest: b.flatMapLatest { _ in a }
    case .startWith: a.startWith(0)
    }
  }
}
