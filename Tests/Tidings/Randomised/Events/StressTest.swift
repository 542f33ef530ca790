import Tidings
import TidingsTesting

/// Several threads that do random things to several events, and what must hold afterwards.
///
/// Values are unique: the emitter times a million, plus a count. The oracle is the sequence that the first handler of
/// an event received: that of every other handler is the same, or a part of it that the rules name.
final class StressTest: @unchecked Sendable {
  let canaries = Canaries()
  private let seed: UInt64
  private let threads = 3
  private let steps = 120
  private var events: [Event<Int>] = (0..<3).map { Event("stress \($0)") }
  /// What each event's lasting handlers received.
  private var lasting: [[Recorder<Int>]] = []
  private var tokens: Set<Subscription> = []
  private let randomHandlers = Locked<[RandomHandler]>([])
  private let finishing = Locked<[Task<Void, Never>]>([])
  private let emitted = Locked<[Int]>([0, 0, 0])

  init(_ seed: UInt64) { self.seed = seed }

  /// Returns what is wrong.
  func run() async -> [String] {
    let listeners = events.map { _ in Listener() }
    for index in events.indices { addLasting(index, listeners[index]) }
    await Threads.together(threads) { thread in
      var worker = Worker(self, thread)
      worker.work()
    }
    for task in finishing.current { await task.value }
    finishing.current = []
    // What a handler emits to the next event is under way until that one has been waited for as well.
    for _ in 0..<2 { for index in events.indices { await events[index].emitAndWait(-1) } }
    var differences: [String] = []
    for index in events.indices {
      differences += checkLasting(index, await listeners[index].received)
      for randomHandler in randomHandlers.current where randomHandler.event == index {
        differences += randomHandler.differences(from: lasting[index][0].values)
      }
    }
    randomHandlers.current = []
    tokens = []
    events = []
    return differences
  }

  /// Handlers that stay: a plain one first and last, one on an actor, and one that emits to the next event.
  private func addLasting(_ index: Int, _ listener: Listener) {
    let logs = [Recorder<Int>(), Recorder<Int>()]
    lasting.append(logs)
    let (event, next) = (events[index], events[(index + 1) % events.count])
    event.observe { [canary = canaries.make()] value in
      canary.touch()
      logs[0](value)
    }.store(in: &tokens)
    event.observe(with: listener) { [canary = canaries.make()] listener, value in
      canary.touch()
      listener.note(value)
    }
    event.observe { [weak next] value in
      if value >= 0, value < 100_000_000, value % 7 == 0 { next?.emit(value + 100_000_000) }
    }.store(in: &tokens)
    event.map { $0 }.observe { [canary = canaries.make()] value in
      canary.touch()
      logs[1](value)
    }.store(in: &tokens)
  }

  private func checkLasting(_ index: Int, _ onActor: [Int]) -> [String] {
    var differences: [String] = []
    let first = lasting[index][0].values
    if lasting[index][1].values != first {
      differences.append("event \(index): the first and the last received another order")
    }
    if onActor != first { differences.append("event \(index): the actor received another order than the first") }
    let before = lasting[(index + events.count - 1) % events.count][0].values
    let relayed = before.filter { $0 >= 0 && $0 < 100_000_000 && $0 % 7 == 0 }.map { $0 + 100_000_000 }
    if first.filter({ $0 >= 100_000_000 }) != relayed {
      differences.append("event \(index): what a handler of one event emits here is lost or out of order")
    }
    let direct = first.filter { $0 >= 0 && $0 < 100_000_000 }
    if direct.count != emitted.current[index] {
      differences.append("event \(index): \(emitted.current[index]) were emitted, \(direct.count) received")
    }
    for thread in 0..<threads {
      let own = direct.filter { $0 / 1_000_000 == thread }
      if own != own.sorted() { differences.append("event \(index): thread \(thread)'s values are out of order") }
    }
    return differences
  }

  /// One thread's random operations.
  private struct Worker {
    let stress: StressTest
    let thread: Int
    var random: SplitMix64
    var randomHandlers: [RandomHandler] = []
    var last = [0, 0, 0]
    var number = 0

    init(_ stress: StressTest, _ thread: Int) {
      self.stress = stress
      self.thread = thread
      random = SplitMix64(stress.seed, thread)
    }

    mutating func work() {
      for _ in 0..<stress.steps {
        let event = random.number(below: stress.events.count)
        switch random.number(below: 100) {
        case 0..<40: emit(event)
        case 40..<65: receive(event)
        case 65..<75: anyHandler()?.cancel()
        case 75..<80:
          guard let randomHandler = anyHandler() else { continue }
          stress.finishing.withLock { $0.append(Task { await randomHandler.finish() }) }
        case 80..<88: anyHandler()?.pauseOrResume()
        case 88..<92: anyHandler()?.endOwner()
        case 92..<96: stress.events[event].once { [canary = stress.canaries.make()] _ in canary.touch() }
        default: _ = stress.events[event].diagnostics
        }
      }
      stress.randomHandlers.withLock { $0 += randomHandlers }
    }

    mutating func emit(_ event: Int) {
      number += 1
      let value = thread * 1_000_000 + number
      stress.emitted.withLock { $0[event] += 1 }
      stress.events[event].emit(value)
      for randomHandler in randomHandlers where randomHandler.event == event { randomHandler.noteOwn(value) }
      last[event] = value
    }

    mutating func receive(_ event: Int) {
      let kind = RandomHandler.Kind.allCases[random.number(below: RandomHandler.Kind.allCases.count)]
      randomHandlers.append(
        RandomHandler(kind, stress.events[event], event, thread: thread, since: last[event], stress.canaries))
    }

    mutating func anyHandler() -> RandomHandler? {
      randomHandlers.isEmpty ? nil : randomHandlers[random.number(below: randomHandlers.count)]
    }
  }
}
