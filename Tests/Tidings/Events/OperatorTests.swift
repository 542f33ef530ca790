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

  @Test("scan loses no value of several threads", arguments: [DeliveryPolicy.serial, .immediate])
  func scanningAcrossThreads(_ policy: DeliveryPolicy) {
    let (event, sums) = (Event<Int>(policy: policy), Recorder<Int>())
    let token = event.scan(0) { $0 + $1 }.observe { sums($0) }
    Threads.together(3) { _ in for _ in 0..<50 { event.emit(1) } }
    #expect(sums.values.count == 150)
    #expect(sums.values.max() == 150)
    #expect(Set(sums.values).count == 150)
    token.cancel()
  }

  @Test("Nested emits reach a scan of an immediate event one at a time")
  func scanningNestedValues() {
    let (event, sums) = (Event<Int>(policy: .immediate), Recorder<[Int]>())
    let token = event.scan([]) { $0 + [$1] }.observe { values in
      sums(values)
      if values.count < 3 { event.emit(values.count + 10) }
    }
    event.emit(1)
    #expect(sums.values == [[1], [1, 11], [1, 11, 12]])
    token.cancel()
  }

  @Test("Operators follow each other, and follow each other's subscriptions")
  func chains() {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let view = event.filter { $0 > 0 }.map { $0 * 10 }.removeDuplicates().scan(0) { $0 + $1 }.compactMap { $0 }
    let token = view.observe { received($0) }
    event.emit(contentsOf: [-1, 1, 1, 2, -1, 2, 3])
    #expect(received.values == [10, 30, 60])
    token.cancel()
    event.emit(4)
    #expect(received.values == [10, 30, 60])
    #expect(event.diagnostics.count == 0)
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

  @Test("Owners after operators end their handlers")
  func ownersAfterOperators() {
    let (event, received, canaries) = (Event<Int>(), Recorder<Int>(), Canaries())
    do {
      let owner = Owner()
      event.map { $0 + 1 }.observe(with: owner) { [canary = canaries.make()] _, value in
        canary.touch()
        received(value)
      }
      event.emit(1)
      withExtendedLifetime(owner) {}
    }
    event.emit(2)
    #expect(received.values == [2])
    #expect(canaries.alive == 0 && event.diagnostics.count == 0)
  }

  @Test("Handlers after operators run on their actor: in place, and through their queue")
  @MainActor
  func isolatedAfterOperators() async {
    let event = Event<Int>()
    let screen = Screen()
    let token = event.map { $0 * 10 }.filter { $0 > 10 }.observe { value in
      MainActor.preconditionIsolated()
      screen.shown.append(value)
    }
    event.emit(contentsOf: 1...3)
    #expect(screen.shown == [20, 30])
    Threads.meanwhile { event.emit(contentsOf: 4...5) }
    #expect(screen.shown == [20, 30], "the main actor is busy with this test")
    event.emit(6)
    #expect(screen.shown == [20, 30, 40, 50, 60])
    token.cancel()
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

  @Test("pause, resume, finish and isActive after operators are those of any subscription")
  func subscriptionsAfterOperators() async {
    let (event, received) = (Event<Int>(), Recorder<Int>())
    let token = event.map { $0 }.filter { _ in true }.observe { received($0) }
    event.emit(1)
    token.pause()
    event.emit(2)
    token.resume()
    event.emit(3)
    #expect(token.isActive)
    await token.finish()
    event.emit(4)
    #expect(received.values == [1, 3])
    #expect(!token.isActive)
  }
}

@MainActor
final class Screen {
  var shown: [Int] = []
}
