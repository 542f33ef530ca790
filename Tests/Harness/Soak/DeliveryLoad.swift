import Dispatch
import Synchronization
import Tidings
import TidingsDispatch

/// Two events that live as long as the program, under both policies, with handlers of every delivery kind. Threads, tasks, an
/// actor and the main actor emit simultaneously.
final class DeliveryLoad: Sendable {
  private let serial = Event<Payload>("soak.serial")
  private let immediate = Event<Payload>("soak.immediate", policy: .immediate)
  private let queue = DispatchQueue(label: "soak.queue")
  private let receiver = Receiver()
  private let stalling = Receiver()
  private let statistics: Statistics

  init(_ statistics: Statistics) { self.statistics = statistics }

  struct Failure: Error { let payload: Payload }
  private final class Owner: Sendable {
    let reception: Reception
    init(_ reception: Reception) { self.reception = reception }
  }

  /// A handler on each path, and what must have arrived there.
  private struct Receivers {
    var complete: [Reception] = []
    var bounded: [(Reception, Subscription)] = []
    var tokens: [Subscription] = []
    var owners: [AnyObject] = []
  }

  private func attach(to event: Event<Payload>, _ plain: DeliveryKind, seed: Random) -> Receivers {
    var receivers = Receivers()
    func complete(_ kind: DeliveryKind) -> Reception {
      let reception = Reception(kind)
      receivers.complete.append(reception)
      return reception
    }
    let inPlace = complete(plain)
    receivers.tokens.append(event.observe { inPlace.receive($0) })
    let operators = complete(.operators)
    receivers.tokens.append(
      event.map { $0 }.filter { $0.number >= 0 }.merge(Event<Payload>()).observe { operators.receive($0) })
    let failing = complete(.failing)
    let caught: @Sendable (Failure) -> Void = { failing.receive($0.payload) }
    receivers.tokens.append(
      event.observe(onError: caught) { payload throws(Failure) in
        if payload.number % 7 == 0 { throw Failure(payload: payload) }
        failing.receive(payload)
      })
    let owner = Owner(complete(.owned))
    receivers.owners.append(owner)
    event.observe(with: owner) { owner, payload in owner.reception.receive(payload) }
    let main = complete(.mainActor)
    receivers.tokens.append(event.observe { @MainActor payload in main.receive(payload) })
    let onActor = complete(.actor)
    receivers.tokens.append(event.observe(with: receiver) { _, payload in onActor.receive(payload) })
    let slow = complete(.stallingActor)
    let random = Mutex(seed)
    receivers.tokens.append(
      event.observe(with: stalling) { _, payload in
        slow.receive(payload)
        let pause = random.withLock { $0.isOne(in: 2_000) ? $0.number(below: 20_000) : 0 }
        if pause > 0 { stall(microseconds: pause) }
      })
    let onQueue = complete(.queue)
    receivers.tokens.append(event.observe(on: .queue(queue)) { onQueue.receive($0) })
    let awaiting = complete(.asynchronous)
    receivers.tokens.append(
      event.observe { payload async in
        if payload.number % 64 == 0 { await Task.yield() }
        awaiting.receive(payload)
      })
    for policy in [BufferingPolicy.newest(32), .oldest(32)] {
      let reception = Reception(.bounded, allowsGaps: true)
      let token = event.observe(buffering: policy) { payload async in
        reception.receive(payload)
        if payload.number % 64 == 0 { await Task.yield() }
      }
      receivers.bounded.append((reception, token))
    }
    return receivers
  }

  /// - Parameter values: What each of the five emitters emits on each event.
  func round(values: Int, seed: UInt64) async {
    let random = Random(seed, 1)
    let all = attach(to: serial, .inPlace, seed: random)
    let others = attach(to: immediate, .immediate, seed: random)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<2 {
        group.addTask {
          await onThread { [self] in
            var random = Random(seed, 10 + number)
            for value in 0..<values {
              emit(Payload(number, value))
              if random.isOne(in: 40) { stall(microseconds: random.number(below: 2_000)) }
            }
          }
        }
      }
      group.addTask { [self] in
        var random = Random(seed, 12)
        for value in 0..<values {
          let payload = Payload(2, value)
          if random.isOne(in: 500) {
            await serial.emitAndWait(payload)
            await immediate.emitAndWait(payload)
          } else {
            emit(payload)
          }
          if random.isOne(in: 40) { await Task.yield() }
        }
      }
      group.addTask { [self] in
        for start in stride(from: 0, to: values, by: 50) {
          await receiver.emit(start..<min(values, start + 50), as: 3, on: [serial, immediate])
        }
      }
      group.addTask { [self] in
        for start in stride(from: 0, to: values, by: 50) {
          await emitOnMainActor(start..<min(values, start + 50), as: 4)
        }
      }
      for number in 0..<2 {
        group.addTask { [self] in await churn(number == 0 ? serial : immediate, as: 5 + number, seed: seed) }
      }
    }
    await serial.drained()
    await immediate.drained()
    let expected = Dictionary(uniqueKeysWithValues: (0..<5).map { ($0, values) })
    for receivers in [all, others] {
      let total = receivers.complete[0].count
      for reception in receivers.complete {
        let next = reception.next.filter { $0.key < 5 }
        check(next == expected, "a handler received \(next) of \(expected): \(reception.kind.rawValue)")
        // With those of the handlers that come and end.
        check(
          reception.count == total && (0..<5).allSatisfy { reception.range(of: $0).lowerBound == 0 },
          "a handler received \(reception.count) of \(total) values: \(reception.kind.rawValue)")
        reception.report(to: statistics)
      }
      for (reception, token) in receivers.bounded {
        let dropped = token.droppedCount
        check(
          reception.count + dropped == total,
          "a bounded handler received \(reception.count) and dropped \(dropped) of \(total)")
        reception.report(to: statistics)
        statistics.count("values dropped by bounded handlers", dropped)
      }
    }
    statistics.count("values emitted", 2 * 5 * values)
    statistics.count("handlers called", (all.complete + others.complete).reduce(0) { $0 + $1.count })
    for token in all.tokens + others.tokens { token.cancel() }
    withExtendedLifetime((all.owners, others.owners)) {}
  }

  private func emit(_ payload: Payload) {
    serial.emit(payload)
    immediate.emit(payload)
  }
  @MainActor private func emitOnMainActor(_ numbers: Range<Int>, as emitter: Int) {
    for number in numbers {
      let payload = Payload(emitter, number)
      serial.emit(payload)
      immediate.emit(payload)
    }
  }

  /// After the handlers of a round have been released the events have none.
  func checkEmpty() {
    // Handlers with an owner are noticed when the event is next used.
    emit(Payload(0, 0))
    check(serial.diagnostics.count == 0, "handlers are left: \(serial)")
    check(immediate.diagnostics.count == 0, "handlers are left: \(immediate)")
  }

  // MARK: Handlers that come and end while others are called

  /// Adds handlers, emits between, and ends them in every way: each received exactly what was emitted while it could.
  private func churn(_ event: Event<Payload>, as emitter: Int, seed: UInt64) async {
    var random = Random(seed, 20 + emitter)
    var number = 0
    func emit() {
      event.emit(Payload(emitter, number))
      number += 1
    }
    let ballast = Ballast(.handler)
    for turn in 0..<60 {
      emit()
      let (first, reception) = (number, Reception(.owned))
      let call: @Sendable (Payload) -> Void = { payload in
        check(ballast.isIntact, "a handler was called after its captures were destroyed")
        reception.receive(payload)
      }
      // A binding that can be released, and a subscription that cancels when it is.
      var owner: Owner? = Owner(reception)
      var token: Subscription?
      switch turn % 4 {
      case 0: token = event.observe(call)
      case 1: token = event.observe(with: receiver) { _, payload in call(payload) }
      case 2: token = event.observe(on: .queue(queue), call)
      default:
        token = event.observe(with: owner!) { owner, payload in
          check(owner.reception === reception, "a handler was called with another owner")
          call(payload)
        }
      }
      emit()
      await token?.drained()
      var expected = number
      if random.isOne(in: 3), let token {
        token.pause()
        emit()
        await event.drained()
        check(reception.range(of: emitter).upperBound == expected, "a paused handler received a value")
        token.cancel()
      } else if random.isOne(in: 2) {
        emit()
        await token?.drained()
        expected = number
      }
      let received = reception.range(of: emitter)
      check(received == first..<expected, "a handler received \(received), not \(first..<expected)")
      // Each way to end: from `finish()` on no call is running, so one that comes is a violation.
      let end = random.number(below: 3)
      switch end {
      case 0:
        await token?.finish()
        reception.close()
      case 1:
        // The subscription of an actor lives as long as the actor, and not as its token.
        if turn % 4 == 1 { token?.cancel() }
        token = nil
      default:
        weak let ended = owner
        owner = nil
        if turn % 4 != 3 { token?.cancel() }
        // A call that another thread has begun holds the owner, and under `.immediate` an emit beside it still finds the handler.
        while ended != nil { await Task.yield() }
      }
      emit()
      // A handler with an owner does not end with its token.
      if random.isOne(in: 4), turn % 4 != 3 || end != 1 {
        await event.drained()
        let late = reception.range(of: emitter)
        check(late == received, "a handler received \(late), and had ended after \(received)")
      }
      if turn % 10 == 0 { await Task.yield() }
      withExtendedLifetime((owner, token)) {}
    }
    statistics.count("handlers added and ended during deliveries", 60)
  }
}

/// An actor whose handlers take values, and whose method emits some: those its handlers receive in place.
actor Receiver {
  func emit(_ numbers: Range<Int>, as emitter: Int, on events: [Event<Payload>]) {
    for number in numbers {
      let payload = Payload(emitter, number)
      for event in events { event.emit(payload) }
    }
  }
}
