#if canImport(Combine) || OpenCombine
import Dispatch
import Foundation
import Testing
import Tidings
import TidingsCombine
import TidingsTesting

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

@Suite("Events as publishers")
struct EventPublisherTests {
  @Test("A sink receives every value in order, on the thread that emits")
  func unlimited() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    event.emit(0)
    let cancellable = event.publisher().sink { received($0) }
    event.emit(contentsOf: 1...3)
    #expect(received.values == [1, 2, 3])
    cancellable.cancel()
    event.emit(4)
    #expect(received.values == [1, 2, 3])
    #expect(event.diagnostics.count == 0)
  }

  @Test("No more is sent than was demanded; the rest waits")
  func demand() {
    let (event, probe) = (Event<Int>(), Probe())
    event.publisher().subscribe(probe)
    event.emit(contentsOf: 1...5)
    #expect(probe.received == [])
    probe.request(.max(2))
    #expect(probe.received == [1, 2])
    probe.request(.max(4))
    #expect(probe.received == [1, 2, 3, 4, 5])
    event.emit(contentsOf: 6...7)
    #expect(probe.received == [1, 2, 3, 4, 5, 6])
    probe.request(.unlimited)
    event.emit(8)
    #expect(probe.received == [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test(
    "A buffer of the newest drops the oldest, one of the oldest drops the others; what is demanded is never dropped")
  func buffers() {
    let event = Event<Int>()
    let (newest, oldest, none) = (Probe(), Probe(), Probe())
    event.publisher(buffering: .newest(2)).subscribe(newest)
    event.publisher(buffering: .oldest(2)).subscribe(oldest)
    event.publisher(buffering: .newest(0)).subscribe(none)
    for probe in [newest, oldest, none] { probe.request(.max(1)) }
    event.emit(contentsOf: 1...5)
    for probe in [newest, oldest, none] { probe.request(.max(9)) }
    event.emit(6)
    #expect(newest.received == [1, 4, 5, 6])
    #expect(oldest.received == [1, 2, 3, 6])
    #expect(none.received == [1, 6])
  }

  @Test("A subscriber may demand, by its answer or its subscription, while it is called; calls do not nest")
  func reentrantDemand() {
    let (event, answering, asking) = (Event<Int>(), Probe(), Probe())
    answering.answer = { _ in .max(1) }
    asking.during = { _ in asking.request(.max(1)) }
    event.publisher().subscribe(answering)
    event.publisher().subscribe(asking)
    event.emit(contentsOf: 1...1_000)
    answering.request(.max(1))
    asking.request(.max(1))
    #expect(answering.received == Array(1...1_000))
    #expect(asking.received == Array(1...1_000))
    #expect(asking.deepest == 1)
  }

  @Test("A subscriber may demand immediately, when it is given its subscription")
  func demandAtTheBeginning() {
    let (price, probe) = (Observed(1), Probe())
    probe.atFirst = .max(2)
    price.publisher().subscribe(probe)
    #expect(probe.received == [1])
    price.set(2)
    price.set(3)
    #expect(probe.received == [1, 2])
  }

  @Test("A subscriber may emit and cancel while it is called")
  func reentrantEmit() {
    let (event, probe) = (Event<Int>(), Probe())
    probe.during = { value in
      if value < 3 { event.emit(value + 1) } else { probe.cancel() }
    }
    event.publisher().subscribe(probe)
    probe.request(.unlimited)
    event.emit(1)
    event.emit(9)
    #expect(probe.received == [1, 2, 3])
    #expect(probe.deepest == 1)
    #expect(event.diagnostics.count == 0)
  }

  @Test("A value's publisher begins with the value of the moment")
  func values() {
    let (price, received) = (Observed(1), Recorder<Int>())
    let double = Derived { price.value * 2 }
    let cancellable = double.publisher().sink { received($0) }
    price.set(2)
    price.set(3)
    #expect(received.values == [2, 4, 6])
    cancellable.cancel()
    price.set(4)
    #expect(received.values == [2, 4, 6])
  }

  @Test("It finishes when the event is deinitialized, after what waits has been demanded")
  func completion() {
    var event: Event<Int>? = Event()
    weak let released = event
    let (probe, received) = (Probe(), Recorder<String>())
    event?.publisher().subscribe(probe)
    let cancellable = event?.publisher().sink(
      receiveCompletion: { _ in received("finished") }, receiveValue: { received("\($0)") })
    event?.emit(contentsOf: 1...2)
    event = nil
    #expect(released == nil, "no subscriber keeps it")
    #expect(received.values == ["1", "2", "finished"])
    #expect(!probe.isFinished)
    probe.request(.max(1))
    #expect(!probe.isFinished)
    probe.request(.max(1))
    #expect(probe.received == [1, 2])
    #expect(probe.isFinished)
    withExtendedLifetime(cancellable) {}
  }

  @Test("`cancelAll` ends it too, also for a subscriber that is being called")
  func cancelAll() {
    let (event, probe) = (Event<Int>(), Probe())
    probe.atFirst = .unlimited
    probe.during = { _ in event.cancelAll() }
    event.publisher().subscribe(probe)
    event.emit(contentsOf: 1...3)
    #expect(probe.received == [1])
    #expect(probe.isFinished)
  }

  @Test("A cancelled subscriber is notified of no end")
  func noCompletion() {
    var event: Event<Int>? = Event()
    let probe = Probe()
    event?.publisher().subscribe(probe)
    probe.cancel()
    event = nil
    #expect(!probe.isFinished)
  }

  @Test("Cancelled or finished, nothing is kept: neither subscriber nor values")
  func captures() {
    let canaries = Canaries()
    var event: Event<Canary>? = Event()
    for isCancelled in [true, false] {
      let cancellable = event?.publisher(buffering: .unbounded).sink { [canary = canaries.make()] _ in canary.touch() }
      if isCancelled { cancellable?.cancel() } else { event = nil }
      #expect(canaries.alive == 0)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test("From several threads, and demanded from another: all in one order, one call at a time")
  func threads() {
    let (event, probe) = (Event<Int>(), Probe())
    let own = event.record()
    event.publisher().subscribe(probe)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      if thread == 3 {
        for _ in 0..<1_500 { probe.request(.max(1)) }
      } else {
        for value in 0..<500 { event.emit(thread * 500 + value) }
      }
    }
    #expect(probe.received == own.values)
    #expect(probe.received.count == 1_500)
    #expect(probe.deepest == 1)
  }

  @Test("Cancelled by another thread, no call begins afterwards")
  func cancellingElsewhere() {
    for _ in 0..<200 {
      let (event, probe, counts) = (Event<Int>(), Probe(), Recorder<Int>())
      event.publisher().subscribe(probe)
      probe.request(.unlimited)
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          for value in 1...50 { event.emit(value) }
        } else {
          probe.cancel()
          counts(probe.received.count)
        }
      }
      // One call may have been running, and noted its value since.
      #expect(probe.received.count <= counts.values[0] + 1)
    }
  }
}

/// A subscriber that demands when the test says so.
final class Probe: Subscriber, @unchecked Sendable {  // protected by a lock, except what a test sets up first
  private struct State {
    var received: [Int] = []
    var subscription: (any Demanding)?
    var isFinished = false
    var inside = 0
    /// More than 1 when calls nest or overlap.
    var deepest = 0
  }
  private let lock = NSLock()
  private var state = State()
  var atFirst = Subscribers.Demand.none
  var answer: (Int) -> Subscribers.Demand = { _ in .none }
  var during: (Int) -> Void = { _ in }

  var received: [Int] { lock.withLock { state.received } }
  var isFinished: Bool { lock.withLock { state.isFinished } }
  var deepest: Int { lock.withLock { state.deepest } }

  func request(_ demand: Subscribers.Demand) { lock.withLock { state.subscription }?.request(demand) }
  func cancel() { lock.withLock { state.subscription }?.cancel() }

  func receive(subscription: any Demanding) {
    lock.withLock { state.subscription = subscription }
    if atFirst > .none { subscription.request(atFirst) }
  }

  func receive(_ value: Int) -> Subscribers.Demand {
    lock.withLock {
      state.received.append(value)
      state.inside += 1
      state.deepest = max(state.deepest, state.inside)
    }
    defer { lock.withLock { state.inside -= 1 } }
    during(value)
    return answer(value)
  }

  func receive(completion: Subscribers.Completion<Never>) { lock.withLock { state.isFinished = true } }
}
#if canImport(Combine)
typealias Demanding = Combine.Subscription
#else
typealias Demanding = OpenCombine.Subscription
#endif
#endif
