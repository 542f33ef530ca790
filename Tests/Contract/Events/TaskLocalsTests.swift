import Testing
import Tidings
import TidingsTesting

private enum Request {
  @TaskLocal static var number = -1
  /// This one is carried.
  @TaskLocal static var carried = -1

  static let carrying: Void = carry($carried)

  static func with<Result>(_ number: Int, _ body: () -> Result) -> Result {
    $number.withValue(number) { $carried.withValue(number, operation: body) }
  }
}

/// The values that a handler saw: the received value, which names its request, and the task-local values.
private struct Sight: Sendable {
  let value: Int
  let number = Request.number
  let carried = Request.carried

  init(_ value: Int) { self.value = value }
  var isStranger: Bool { number != value && number != -1 }
}

/// On a thread of its own, as a test holds it up: the pool has one for each processor, and the test itself needs one.
private actor Ledger {
  private let worker = Worker()
  private(set) var sights: [Sight] = []
  deinit { worker.end() }
  nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }
  func run(_ body: @Sendable (isolated Ledger) -> Void) { body(self) }
  func note(_ value: Int) { sights.append(Sight(value)) }
}

@Suite("Task-local values")
struct TaskLocalsTests {
  @Test(
    """
    27. A handler that the emitter calls in place sees the emitter's task-local values. Any other sees those that \
    `carry(_:)` propagates as they were where the value was emitted, and of the others the emitter's or none: never those of \
    another emitter.
    """, arguments: [DeliveryPolicy.serial, .immediate])
  func fourTasks(policy: DeliveryPolicy) async {
    Request.carrying
    let (event, seen, ledger) = (Event<Int>(policy: policy), Recorder<Sight>(), Ledger())
    let plain = event.observe { seen(Sight($0)) }
    let isolated = event.observe(with: ledger) { ledger, value in ledger.note(value) }
    let mapped = event.map { $0 }.merge(Event<Int>()).observe { seen(Sight($0)) }
    await withTaskGroup { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<1_000 {
            let request = task * 1_000 + number
            Request.with(request) { event.emit(request, isolation: nil) }
            if number.isMultiple(of: 50) { await Task.yield() }
          }
        }
      }
    }
    await event.drained()
    let sights = await seen.values + ledger.sights
    #expect(sights.count == 12_000)
    #expect(sights.count { $0.isStranger } == 0)
    #expect(sights.count { $0.carried != $0.value } == 0)
    withExtendedLifetime((plain, isolated, mapped)) {}
  }

  @Test("27. In place: the emitter's, also where a handler emits")
  func inPlace() {
    let (outer, inner, seen) = (Event<Int>(), Event<Int>(), Recorder<Sight>())
    let tokens = [
      outer.observe { seen(Sight($0)) },
      outer.observe { value in Request.with(value + 1) { inner.emit(value + 1) } },
      inner.observe { seen(Sight($0)) },
    ]
    Request.with(1) { outer.emit(1) }
    #expect(seen.values.map(\.number) == [1, 2])
    withExtendedLifetime(tokens) {}
  }

  @Test("27. On a busy actor, where the values of three requests wait, and are delivered in place by a fourth")
  func throughAQueue() async {
    Request.carrying
    let (event, value, ledger) = (Event<Int>(), Observed(0), Ledger())
    let tokens = [
      event.observe(with: ledger) { ledger, value in ledger.note(value) },
      value.observe(with: ledger) { ledger, change in ledger.note(change.new) },
    ]
    let (gate, isBusy) = (Gate(), Gate())
    async let busy: Void = ledger.run { ledger in
      isBusy.open()
      _ = gate.wait()
      Request.with(4) { event.emit(4, isolation: ledger) }
    }
    await Threads.elsewhere {
      _ = isBusy.wait()
      for request in 1...3 {
        Request.with(request) {
          event.emit(request)
          value.set(request)
        }
      }
    }
    gate.open()
    await busy
    for token in tokens { await token.drained() }
    let sights = await ledger.sights
    #expect(sights.map(\.value).sorted() == [1, 1, 2, 2, 3, 3, 4])
    #expect(sights.count { $0.isStranger } == 0)
    #expect(sights.count { $0.carried != $0.value } == 0)
    #expect(sights.first { $0.value == 4 }?.number == 4)
  }

  @Test("27. What an actor's handler emits into its own event, while another thread delivers another request there")
  func emittedOnAnActorBesideADelivery() async {
    Request.carrying
    let (event, ledger, seen) = (Event<Int>(), Ledger(), Recorder<Sight>())
    let (isDelivering, isEmitted) = (Gate(), Gate())
    let onActor = event.observe(with: ledger) { _, value in
      guard value == 1 else { return }
      _ = isDelivering.wait()
      event.emit(11, isolation: nil)
      isEmitted.open()
    }
    let inPlace = event.observe { value in
      seen(Sight(value))
      guard value == 2 else { return }
      isDelivering.open()
      _ = isEmitted.wait()
    }
    await Threads.elsewhere {
      Request.with(1) { event.emit(1) }
      Request.with(2) { event.emit(2) }
    }
    await onActor.drained()
    #expect(seen.values.map(\.value) == [1, 2, 11])
    #expect(seen.values.map(\.number) == [1, 2, -1], "the last is delivered by the thread of request 2")
    #expect(seen.values.map(\.carried) == [1, 2, 1])
    withExtendedLifetime(inPlace) {}
  }

  @Test("27. What a handler emits into its own event, while its thread delivers another emitter's value")
  func emittedWhileDeliveringForAnother() {
    Request.carrying
    let (event, seen) = (Event<Int>(), Recorder<Sight>())
    let (isInside, isEmitted) = (Gate(), Gate())
    let token = event.observe { value in
      seen(Sight(value))
      if value == 1 {
        isInside.open()
        _ = isEmitted.wait()
      }
      if value < 10 { event.emit(value + 10) }
    }
    Threads.together(2) { thread in
      if thread == 0 {
        Request.with(1) { event.emit(1) }
      } else {
        _ = isInside.wait()
        Request.with(2) { event.emit(2) }
        isEmitted.open()
      }
    }
    #expect(seen.values.map(\.value) == [1, 2, 11, 12])
    #expect(seen.values.map(\.carried) == [1, 2, 1, 2])
    withExtendedLifetime(token) {}
  }

  @Test("27. What one thread delivers for another, with no task on either side")
  func threads() {
    Request.carrying
    let (event, seen, isInside) = (Event<Int>(), Recorder<Sight>(), Gate())
    let emitted = Gate()
    let token = event.observe { value in
      seen(Sight(value))
      if value == 1 {
        isInside.open()
        _ = emitted.wait()
      }
    }
    Threads.together(2) { thread in
      if thread == 0 {
        Request.with(1) { event.emit(1) }
      } else {
        _ = isInside.wait()
        Request.with(2) { event.emit(2) }
        emitted.open()
      }
    }
    #expect(seen.values.map(\.value) == [1, 2])
    #expect(seen.values.map(\.number) == [1, -1])
    #expect(seen.values.map(\.carried) == [1, 2])
    withExtendedLifetime(token) {}
  }

  @Test("27. A stream's consumer sees its own, and a hook's handler those of the task that asks")
  func streamsAndHooks() async {
    let (event, hook) = (Event<Int>(), Hook<Int, Int, Never>())
    let stream = event.stream()
    let token = hook.handle { _ in Request.number }
    Request.with(1) { event.emit(1) }
    var iterator = stream.makeAsyncIterator()
    await Request.$number.withValue(2) {
      #expect(await iterator.next() == 1)
      #expect(Request.number == 2)
      #expect(await hook.first(0) == 2)
    }
    withExtendedLifetime(token) {}
  }
}
