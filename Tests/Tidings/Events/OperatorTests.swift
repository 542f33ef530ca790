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
