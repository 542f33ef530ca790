import Synchronization
import TestSupport
import Tidings
import TidingsTesting

/// Four threads, two of them of actors, do random things to events, a value and a hook; and so do their handlers.
///
/// Every action and every receipt is logged with its times. When all is over, `EventFuzzOracle` reports what the contract does not
/// allow, in any order of the threads' turns.
final class EventFuzz: Sendable {
  let seed: UInt64
  let clock = FuzzClock()
  let canaries = Canaries()
  let actors = [TestActor(), TestActor()]
  let emissions: FuzzEmissions
  let sources: [FuzzSource]
  let handlers = Locked<[FuzzHandler]>([])
  /// `cancelAll()` by source.
  let cancellations = Locked<[(source: Int, operation: FuzzOperation)]>([])
  let drains = Locked<[FuzzDrain]>([])
  /// The labels in reports that an event is finished.
  let reported = Locked<[String]>([])
  /// Threads and tasks that the run waits for.
  let pending = Atomic(0)
  let violations = Locked<[String]>([])
  /// How often handlers may still act. It bounds a run, not what they do.
  let budget = Atomic(150)
  private let reacting = Atomic(0)
  private static let stepsOfAThread = 40

  init(_ seed: UInt64) {
    self.seed = seed
    emissions = FuzzEmissions(clock)
    sources = FuzzSource.all(seed)
  }

  /// Runs the threads to their end, and returns the violations.
  func run() async -> [String] {
    let watching = Diagnostics.reports.observe { [reported] report in
      if report.message.hasPrefix("emitted after finish") { reported.withLock { $0 += report.labels } }
    }
    defer { watching.cancel() }
    addLasting()
    // Without it some sources are without a handler at times.
    if seed % 2 == 0 { for source in sources where !source.isExpendable { source.keepLastValues() } }
    for thread in 0..<2 { work(onThread: thread) }
    for index in actors.indices { inBackground { await self.work(on: index) } }
    await quiesce()
    await finalValues()
    await finishedSources()
    await allDrained()
    await released(atMost: living, "while the sources live")
    violations.withLock { $0 += EventFuzzOracle(self).violations }
    await end()
    return violations.current
  }

  private func work(onThread thread: Int) {
    pending.add(1, ordering: .sequentiallyConsistent)
    Threads.start { [self] in
      var random = SplitMix64(seed, thread)
      for _ in 0..<Self.stepsOfAThread { act(&random, isolation: nil) }
      pending.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  /// Between the chunks the actor takes what its handlers' queues have for it.
  private func work(on index: Int) async {
    var random = SplitMix64(seed, 2 + index)
    var left = Self.stepsOfAThread
    while left > 0 {
      let count = min(left, random.number(below: 8) + 1)
      let chunk = SplitMix64(random.next())
      await actors[index].run { [self] actor in
        var random = chunk
        for _ in 0..<count { act(&random, isolation: actor) }
      }
      left -= count
    }
  }

  /// Logs a call of a handler, and does what the handler does in it.
  func receive(_ handler: FuzzHandler, _ item: FuzzItem, isolation: isolated (any Actor)?) {
    let call = handler.begin(item)
    react(handler, item, call, isolation: isolation)
    handler.end(call)
  }

  /// The same for an asynchronous handler, whose calls are suspended for some turns of the task pool.
  func receiveSuspending(_ handler: FuzzHandler, _ item: FuzzItem, isolation: isolated (any Actor)?) async {
    let call = handler.begin(item)
    react(handler, item, call, isolation: isolation)
    for _ in 0..<call % 4 { await Task.yield() }
    handler.end(call)
  }

  private func react(_ handler: FuzzHandler, _ item: FuzzItem, _ call: Int, isolation: isolated (any Actor)?) {
    reacting.add(1, ordering: .sequentiallyConsistent)
    var random = SplitMix64(seed, 100 + handler.number, call)
    if random.isOne(in: 3), !handler.isLasting, takeFromBudget() {
      let generation = item.value < 0 ? 0 : emissions[item.value].generation
      act(&random, inside: handler, generation: generation + 1, isolation: isolation)
    }
    reacting.subtract(1, ordering: .sequentiallyConsistent)
  }

  private func takeFromBudget() -> Bool {
    if budget.subtract(1, ordering: .sequentiallyConsistent).newValue >= 0 { return true }
    budget.add(1, ordering: .sequentiallyConsistent)
    return false
  }

  /// The threads have done their steps, handlers do nothing from now on, and what they had begun is done.
  private func quiesce() async {
    await quiescent("threads, `finish()`, `emitAndWait` and questions return")
    budget.store(-1_000_000, ordering: .sequentiallyConsistent)
    await quiescent("handlers return")
  }

  func quiescent(_ what: String) async {
    await expect(what) {
      self.reacting.load(ordering: .sequentiallyConsistent) == 0
        && self.pending.load(ordering: .sequentiallyConsistent) == 0
    }
  }

  /// Every handler that was not cancelled receives what is emitted once it has been resumed for the last time.
  private func finalValues() async {
    let handlers = handlers.current
    for handler in handlers where handler.token.current != nil { handler.perform(.resume, by: nil, inside: nil) }
    await receiveOneMore()
    for handler in handlers where handler.route == .once && !handler.chain.has(.zip) {
      await expect("\(handler) ends with its call") { handler.token.current?.isActive != true }
    }
    // The last value may have found the owner in a call. That it was deinitialized is noticed at the next one.
    for _ in 0..<100 {
      let bereft = handlers.filter { $0.hasLostItsOwner && !$0.chain.has(.zip) && $0.token.current?.isActive == true }
      if bereft.isEmpty { break }
      for source in sources where bereft.contains(where: { $0.sources.contains { $0 === source } }) {
        emitPassing(on: source)
      }
      for _ in 0..<100 { await Task.yield() }
    }
    // The values emitted for that purpose have arrived when a later value has.
    await receiveOneMore()
    for handler in handlers where handler.hasLostItsOwner && !handler.chain.has(.zip) {
      await expect("\(handler) ends with its owner") { handler.token.current?.isActive != true }
    }
    for handler in handlers {
      await expect("\(handler) hands every error to `onError` (13)") {
        handler.failures.thrown.total == handler.failures.received.total
      }
    }
    // The last calls may not have noted their ends.
    await expect("calls are noted") { handlers.allSatisfy { $0.calls.withLock { $0.allSatisfy { $0.end != .max } } } }
  }

  /// Every source emits once more, and all that must receive it do.
  private func receiveOneMore() async {
    let final = sources.map { emitPassing(on: $0) }
    await quiescent("the last questions are answered")
    for handler in handlers.current where handler.mustReceiveFinalValues {
      for source in handler.sources where !source.finish.isFinished {
        if handler.other != nil, source.isExpendable { continue }
        await expect("after the last `resume()` \(handler) receives \(final[source.number])") {
          !handler.mustReceiveFinalValues || handler.calls.withLock { $0.contains { $0.value == final[source.number] } }
        }
      }
    }
  }

  /// Emits a value that every filter passes.
  @discardableResult
  private func emitPassing(on source: FuzzSource) -> Int {
    while true {
      if let value = emit(on: source, isolation: nil), FuzzChain.passes(value) { return value }
    }
  }

  /// How many handlers may keep their captures.
  private var living: Int {
    handlers.current.count { $0.route != .stream && ($0.token.current?.isActive == true) }
  }

  private func released(atMost count: Int, _ when: String) async {
    await expect("\(when), captures of \(count) handlers at most are kept, not \(canaries.alive)") {
      self.canaries.alive <= count
    }
  }

  private func end() async {
    let handlers = handlers.current
    // Half of the runs end with `finish()`, which ends streams, and the others with the last reference.
    if seed % 4 < 2 {
      for source in sources where source.event != nil { source.finish(clock) }
      await finishedSources()
    }
    for handler in handlers where handler.route == .stream { handler.token.current?.cancel() }
    for handler in handlers where handler.route == .stream && handler.addedAt != .max {
      await expect("the stream of \(handler) ends") { handler.hasEnded.load(ordering: .acquiring) }
    }
    for source in sources { source.end() }
    await released(atMost: 0, "when the sources are deinitialized")
  }

  /// Notes a violation when it never comes true. After a first one it waits for a thousand turns: a broken library breaks more.
  func expect(_ what: @autoclosure () -> String, _ condition: () -> Bool) async {
    if violations.current.isEmpty {
      if await eventually(condition) { return }
    } else {
      for _ in 0..<1_000 {
        if condition() { return }
        await Task.detached {}.value
      }
    }
    let what = what()
    violations.withLock { $0.append("never: " + what) }
  }
}
