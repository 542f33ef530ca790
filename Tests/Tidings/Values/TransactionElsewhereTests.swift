import Testing
import Tidings
import TidingsTesting

/// Effects caused elsewhere that happen on a thread in a transaction.
@Suite("Transactions and what others cause", .timeLimit(.minutes(20)))
struct TransactionElsewhereTests {
  private struct Fault: Error {}

  private let sum = Observed(0)
  private let other = InterruptedEvent()
  private var event: Event<Int> { other.event }

  /// Emits 1 in a transaction that throws, while another thread emits 20.
  private func emitInATransactionThatThrows() {
    other.arm()
    try? transaction {
      event.emit(1)
      throw Fault()
    }
  }

  @Test(
    "A value that another thread has replaced is destroyed outside the transaction, and its `deinit` writes outside it")
  func endsOutside() async {
    let source = Observed(0)
    let replaced = Observed<DeinitCallback?>(DeinitCallback { [sum] in sum.update { $0 += 1 } })
    let (entered, proceed, ended) = (Gate(), Gate(), Gate())
    let slow = Derived {
      _ = replaced.value
      entered.open()
      proceed.wait()
      return source.value
    }
    Threads.start {
      try? transaction {
        // Until it is computed this thread may read what `replaced` was, so that cannot end yet.
        _ = slow.value
        throw Fault()
      }
      ended.open()
    }
    #expect(entered.wait())
    replaced.set(nil)
    proceed.open()
    #expect(ended.wait())
    #expect(await eventually { sum.value == 1 })
  }

  @Test(
    "A value of another thread is no part of the transaction of the thread that delivers it", arguments: [false, true])
  func deliversForOthers(isUndone: Bool) {
    let token = event.observe { [sum, other] number in
      sum.update { $0 += number }
      if number == 1 { other.waitForTheOther() }
    }
    other.arm()
    try? transaction {
      event.emit(1)
      if isUndone { throw Fault() }
    }
    #expect(sum.value == (isUndone ? 20 : 21))
    token.cancel()
  }

  @Test("A value that a handler emits while it receives another thread's value is no part of the transaction")
  func deliversWhatOthersCause() {
    let token = event.observe { [sum, other, event] number in
      sum.update { $0 += number }
      if number == 1 {
        event.emit(4_000)
        other.waitForTheOther()
      }
      if number == 20 {
        event.emit(300)
        transaction { event.emit(50_000) }
      }
    }
    emitInATransactionThatThrows()
    #expect(sum.value == 50_320)
    token.cancel()
  }

  @Test("A value that a handler on an actor emits to its own event is no part of the delivering thread's transaction")
  func deliversForAnActor() async {
    let (event, sum, entered, queued) = (event, sum, Gate(), Gate())
    let tokens = [
      event.observe { @MainActor number in
        if number != 5 { return }
        entered.wait()
        event.emit(20)
        queued.open()
      },
      event.observe { number in
        if number == 5 { return }
        sum.update { $0 += number }
        if number == 1 {
          entered.open()
          queued.wait()
        }
      },
    ]
    event.emit(5)
    await Threads.elsewhere {
      try? transaction {
        event.emit(1)
        throw Fault()
      }
    }
    #expect(sum.value == 20)
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "Captures of a handler that another thread has cancelled are destroyed outside the delivering thread's transaction")
  func cancelledByAnother() {
    let (entered, cancelled, second) = (Gate(), Gate(), Locked<Subscription?>(nil))
    let first = event.observe { _ in
      entered.open()
      cancelled.wait()
    }
    do {
      let callback = DeinitCallback { [sum] in sum.update { $0 += 1 } }
      second.current = event.observe { _ in callback.touch() }
    }
    Threads.start {
      entered.wait()
      second.withLock { $0 }?.cancel()
      cancelled.open()
    }
    try? transaction {
      event.emit(1)
      throw Fault()
    }
    #expect(sum.value == 1)
    first.cancel()
  }

  @Test("A local event's value that a delivery for another thread queued is no part of the transaction")
  @MainActor
  func deliversToALocalEvent() {
    let (local, event, sum) = (LocalEvent<Int>(), event, sum)
    let localToken = local.observe { number in
      if number == 1 { event.emit(1) }
      sum.update { $0 += number }
    }
    let token = event.observe { [other] number in
      if number == 1 { other.waitForTheOther() } else { MainActor.assumeIsolated { local.emit(number) } }
    }
    other.arm()
    try? transaction {
      local.emit(1)
      throw Fault()
    }
    #expect(sum.value == 20)
    withExtendedLifetime((localToken, token)) {}
  }

  @Test("A value that an earlier transaction has left to a job is no part of the transaction that runs the job")
  func runsAJob() {
    let jobs = Locked<[@Sendable () -> Void]>([])
    let token = event.keep(unchecked: { [sum] number in sum.update { $0 += number } })
    let target = DeliveryTarget { job in jobs.withLock { $0.append(job) } }
    transaction { event.post(20, to: target) }
    try? transaction {
      for job in jobs.current { job() }
      throw Fault()
    }
    #expect(sum.value == 20)
    token.cancel()
  }

  @Test("A value emitted to an actor before the transaction is no part of it, though the transaction delivers it first")
  @MainActor
  func deliversWhatWasOnItsWay() {
    let (event, sum) = (event, sum)
    let token = event.observe { @MainActor number in sum.update { $0 += number } }
    Threads.elsewhere { event.emit(20) }
    #expect(sum.value == 0)
    try? transaction {
      event.emit(1)
      throw Fault()
    }
    #expect(sum.value == 20)
    token.cancel()
  }
}
