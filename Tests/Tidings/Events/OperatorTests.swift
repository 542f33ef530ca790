import Testing
import Tidings
import TidingsTesting

@Suite("Operators")
struct OperatorTests {
  @Test("map, compactMap and filter pass on what they make, in order")
  func transforming() {
    let (event, received) = (Event<Int>(), Recorder<String>())
    let tokens = [
      event.map { "map \($0 * 2)" }.observe { received($0) },
      event.compactMap { $0 % 2 == 0 ? "compactMap \($0)" : nil }.observe { received($0) },
      event.filter { $0 > 1 }.map { "filter \($0)" }.observe { received($0) },
    ]
    event.emit(contentsOf: 1...2)
    #expect(received.values == ["map 2", "map 4", "compactMap 2", "filter 2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("A closure is called once a value and subscription, on the thread that delivers")
  func closuresAreCalledOnce() async {
    let (event, calls, listener) = (Event<Int>(), Recorder<Int>(), Listener())
    let viaOperator = event.map { value in
      calls(value)
      return value
    }
    event.emit(1)
    #expect(calls.values == [], "there is no handler")
    let token = viaOperator.observe { _ in }
    viaOperator.observe(with: listener) { listener, value in listener.note(value) }
    event.emit(2)
    #expect(calls.values == [2, 2], "before `emit` returns, also for a handler on an actor")
    await event.emitAndWait(3)
    #expect(await listener.received == [2, 3])
    token.cancel()
  }

  @Test("removeDuplicates compares with the value that passed last, each subscription for itself")
  func removingDuplicates() {
    let (event, received) = (Event<Int>(), Recorder<String>())
    let distinct = event.removeDuplicates()
    let first = distinct.observe { received("first \($0)") }
    event.emit(contentsOf: [1, 1])
    let second = distinct.observe { received("second \($0)") }
    event.emit(contentsOf: [1, 2, 2, 1])
    #expect(received.values == ["first 1", "second 1", "first 2", "second 2", "first 1", "second 1"])
    let rounded = event.removeDuplicates { $0 / 10 == $1 / 10 }.observe { received("rounded \($0)") }
    event.emit(contentsOf: [30, 34, 41, 39])
    #expect(received.values.filter { $0.hasPrefix("rounded") } == ["rounded 30", "rounded 41", "rounded 39"])
    withExtendedLifetime((first, second, rounded)) {}
  }

  @Test("scan begins again with each subscription")
  func scanning() {
    let (event, received) = (Event<Int>(), Recorder<String>())
    let sum = event.scan(100) { $0 + $1 }
    let first = sum.observe { received("first \($0)") }
    event.emit(1)
    let second = sum.observe { received("second \($0)") }
    event.emit(2)
    #expect(received.values == ["first 101", "first 103", "second 102"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("once after operators takes the first value that passes")
  func onceAfterOperators() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    event.filter { $0 > 2 }.once { received($0) }
    event.removeDuplicates().scan(0) { $0 + $1 }.once { received($0 * 100) }
    event.emit(contentsOf: 1...5)
    #expect(received.values == [100, 3])
    #expect(event.diagnostics.count == 0)
  }

  @Test("prefix(until:) ends at the first value of the other source, not with it, and drop(while:) begins once")
  func untilAndWhile() {
    let (numbers, closed, other) = (Event<Int>(), Event<Void>(), Event<Void>())
    let until = numbers.prefix(until: closed).record()
    let untilEnd = numbers.prefix(until: other).record()
    let dropped = numbers.drop { $0 < 3 }.record()
    other.finish()
    numbers.emit(contentsOf: [1, 3, 2])
    closed.emit()
    closed.emit()
    numbers.emit(4)
    #expect(until.values == [1, 3, 2] && untilEnd.values == [1, 3, 2, 4] && dropped.values == [3, 2, 4])
    #expect(numbers.subscriptionCount == 2 && closed.subscriptionCount == 0)
    numbers.finish()
    #expect(numbers.isFinished && numbers.subscriptionCount == 0 && !closed.isFinished)
    withExtendedLifetime((until, untilEnd, dropped)) {}
  }

  @Test("flatMap follows a number of sources at a time, in the order of the values, and ends with the last")
  func flatMap() {
    let (outer, inner) = (Event<Int>(), (0..<3).map { _ in Event<Int>() })
    let (all, one) = (Recorder<Int>(), Recorder<Int>())
    let tokens = [
      outer.flatMap { inner[$0] }.observe { all($0) },
      outer.flatMap(maximum: 1) { inner[$0].startWith(-$0) }.observe { one($0) },
    ]
    outer.emit(contentsOf: 0..<3)
    for number in 0..<3 { inner[number].emit(number) }
    #expect(all.values == [0, 1, 2] && one.values == [0, 0])
    inner[0].finish()
    inner[1].emit(11)
    inner[1].finish()
    outer.finish()
    inner[2].emit(22)
    #expect(all.values == [0, 1, 2, 11, 22] && one.values == [0, 0, -1, 11, -2, 22])
    #expect(tokens.map(\.isActive) == [true, true])
    inner[2].finish()
    #expect(tokens.map(\.isActive) == [false, false])
  }

  @Test("flatMap goes on with the next source after a pause that has withheld an end")
  func flatMapPaused() {
    let (outer, first, second) = (Event<Event<Int>>(), Event<Int>(), Event<Int>())
    let received = Recorder<Int>()
    let token = outer.flatMap(maximum: 1) { $0 }.observe { received($0) }
    outer.emit(contentsOf: [first, second])
    outer.finish()
    token.pause()
    first.finish()
    second.emit(1)
    token.resume()
    second.emit(2)
    #expect(received.values == [2] && token.isActive)
    second.finish()
    #expect(!token.isActive)
  }

  @Test("flatMap of many sources that have ended takes no stack, and a cancelled one follows none")
  func flatMapEnded() {
    let (outer, ended, live) = (Event<Event<Int>>(), Event<Int>(), Event<Int>())
    ended.finish()
    let token = outer.flatMap(maximum: 1) { $0 }.observe { _ in }
    let canaries = Canaries()
    let other = outer.flatMap { [canary = canaries.make()] event in
      canary.touch()
      return event
    }.observe { _ in }
    outer.emit(live)
    for _ in 0..<100_000 { outer.emit(ended) }
    #expect(live.subscriptionCount == 2)
    live.finish()
    #expect(outer.subscriptionCount == 2 && token.isActive)
    let last = Event<Int>()
    outer.emit(last)
    #expect(last.subscriptionCount == 2)
    token.cancel()
    other.cancel()
    #expect(last.subscriptionCount == 0 && outer.subscriptionCount == 0 && canaries.alive == 0)
  }

  @Test("catch makes a value of a failure, or drops it; assign sets a value to each")
  func catchAndAssign() {
    struct Failure: Error { let code: Int }
    let (results, value) = (Event<Result<Int, Failure>>(), Observed(0))
    let token = results.catch { $0.code == 7 ? nil : -$0.code }.assign(to: value)
    let seen = value.record()
    results.emit(contentsOf: [.success(1), .failure(Failure(code: 2)), .failure(Failure(code: 7)), .success(3)])
    #expect(seen.values.map(\.new) == [1, -2, 3])
    token.cancel()
    results.emit(.success(4))
    #expect(value.value == 3)
  }

  @Test("AnyEventSource of an event is the event, which it retains, without emit")
  func anyEventSource() {
    var event: Event<Int>? = Event(policy: .immediate)
    let source = AnyEventSource(event!)
    let received = source.record()
    event?.emit(1)
    weak let released = event
    event = nil
    #expect(received.values == [1] && released != nil)
    withExtendedLifetime(source) {}
  }

  @Test("A value that a filter drops wakes no actor")
  @MainActor
  func droppedValuesWakeNoActor() async {
    let (event, jobs) = (Event<Int>(), Locked(0))
    let screen = Screen()
    let onMain = event.filter { $0 > 10 }.observe { screen.shown.append($0) }
    let target = DeliveryTarget { job in
      jobs.withLock { $0 += 1 }
      Task { job() }
    }
    let onTarget = event.compactMap { $0 > 10 ? $0 : nil }.removeDuplicates().observe(on: target) { _ in }
    Threads.meanwhile { event.emit(contentsOf: 1...10) }
    #expect(event.diagnostics.subscriptions.map(\.queued) == [0, 0])
    #expect(jobs.current == 0)
    Threads.meanwhile { event.emit(11) }
    #expect(event.diagnostics.subscriptions[0].queued == 1, "on its way to the main actor")
    #expect(jobs.current == 1)
    await event.emitAndWait(12)
    #expect(screen.shown == [11, 12])
    await onTarget.finish()
    onMain.cancel()
  }
}

@MainActor
final class Screen {
  var shown: [Int] = []
}
