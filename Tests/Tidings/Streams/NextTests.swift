import Testing
import Tidings
import TidingsTesting

@Suite("next and first(where:)", .timeLimit(.minutes(20)))
struct NextTests {
  /// Asks on an actor of its own, so that one may know when it waits.
  private actor Asker {
    private let worker = Worker()
    private(set) var answers: [Int?] = []
    private var task: Task<Void, Never>?
    deinit { worker.end() }
    nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }

    func ask(_ event: Event<Int>, where predicate: (@Sendable (Int) -> Bool)? = nil) async {
      task = Task {
        if let predicate {
          answers.append(await event.first { predicate($0) })
        } else {
          answers.append(await event.next())
        }
      }
      await Task.yield()  // it waits when this continues: the worker's jobs run in their order
      preconditionIsolated()  // or the compiler lets this continue elsewhere, and immediately
    }
    func cancel() { task?.cancel() }
    func finish() async { await task?.value }
  }

  @Test("next gives the first value that is emitted after the call, and leave nothing")
  func next() async {
    let (event, asker) = (Event<Int>(), Asker())
    event.emit(1)
    await asker.ask(event)
    #expect(await asker.answers == [])
    #expect(event.diagnostics.count == 1)
    event.emit(2)
    event.emit(3)
    await asker.finish()
    #expect(await asker.answers == [2])
    #expect(event.diagnostics.count == 0)
  }

  @Test("next gives nil when its task is cancelled, before or while it waits, and when all subscriptions are")
  func nothing() async {
    let event = Event<Int>()
    for number in 0..<3 {
      let asker = Asker()
      if number == 0 {
        let task = Task { @MainActor in await event.next() }
        task.cancel()
        #expect(await task.value == nil)
      }
      await asker.ask(event)
      #expect(await asker.answers == [])
      if number == 1 { await asker.cancel() } else { event.cancelAll() }
      await asker.finish()
      #expect(await asker.answers == [nil])
      #expect(event.diagnostics.count == 0)
    }
  }

  @Test(
    "`finish()` ends next and first with nil, whether they wait already or ask afterwards; what it had taken on still counts"
  )
  func finished() async {
    for isFirst in [false, true] {
      let (event, waiting, late) = (Event<Int>("finished while \(isFirst ? "first" : "next") waits"), Asker(), Asker())
      let isEnough: @Sendable (Int) -> Bool = { $0 > 10 }
      await waiting.ask(event, where: isFirst ? isEnough : nil)
      if isFirst { event.emit(1) }
      event.finish()
      await waiting.finish()
      #expect(await waiting.answers == [nil])
      await late.ask(event, where: isFirst ? isEnough : nil)
      await late.finish()
      #expect(await late.answers == [nil])
      #expect(event.diagnostics.count == 0)
    }
    // A value that was emitted before the end is not lost, though the end comes before it is taken.
    let (event, asker) = (Event<Int>(), Asker())
    await asker.ask(event)
    event.emit(7)
    event.finish()
    await asker.finish()
    #expect(await asker.answers == [7])
  }

  @Test("first passes over no value from the call on until one satisfies")
  func first() async {
    let (event, asker) = (Event<Int>(), Asker())
    event.emit(10)
    await asker.ask(event) { $0.isMultiple(of: 10) }
    #expect(await asker.answers == [])
    event.emit(contentsOf: 1...9)
    event.emit(contentsOf: 15...35)
    await asker.finish()
    #expect(await asker.answers == [20])
    #expect(event.diagnostics.count == 0)
  }

  @Test("the predicate of first may use its surroundings, which it runs in")
  @MainActor
  func inItsSurroundings() async {
    let event = Event<Int>()
    var seen: [Int] = []
    let task = Task { for value in 1...3 { event.emit(value) } }
    let found = await event.first { value in
      seen.append(value)
      return value == 3
    }
    await task.value
    #expect(found == 3)
    #expect(seen == [1, 2, 3])
  }
}
