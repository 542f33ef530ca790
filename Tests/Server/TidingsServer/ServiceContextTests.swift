#if Server
import Dispatch
import ServiceContextModule
import Testing
import Tidings
import TidingsServer
import TidingsTesting

/// The value that a handler received, which names its request, and the request in whose context the handler ran.
private struct Sight: Sendable {
  let value: String
  let request = ServiceContext.request
  init(_ value: String) { self.value = value }
  var isWrong: Bool { value != request }
}

private actor Ledger {
  private(set) var sights: [Sight] = []
  func note(_ value: String) { sights.append(Sight(value)) }
  /// Occupies the actor until `released`.
  func hold(_ began: Recorder<Int>, until released: DispatchSemaphore) {
    began(1)
    released.wait()
  }
}

@Suite("The service context that each handler sees", .serialized, .timeLimit(.minutes(2)))
struct ServiceContextTests {
  init() { carryServiceContext() }

  /// Runs `body` while the ledger's actor is occupied, so that everything for it waits.
  private func whileBusy(_ ledger: Ledger, _ body: @Sendable () -> Void) async {
    let (began, released) = (Recorder<Int>(), DispatchSemaphore(value: 0))
    let busy = Task.detached { await ledger.hold(began, until: released) }
    _ = await began.values(atLeast: 1)
    body()
    released.signal()
    await busy.value
  }

  @Test("In place: the emitter's, also where a handler emits for another request")
  func inPlace() {
    let (outer, inner, seen) = (Event<String>(), Event<String>(), Recorder<Sight>())
    let tokens = [
      outer.observe { seen(Sight($0)) },
      outer.observe { value in ServiceContext.with("inner " + value) { inner.emit("inner " + value) } },
      inner.observe { seen(Sight($0)) },
    ]
    for request in ["A", "B"] { ServiceContext.with(request) { outer.emit(request) } }
    #expect(seen.values.map(\.request) == ["A", "inner A", "B", "inner B"])
    withExtendedLifetime(tokens) {}
  }

  @Test("On a busy actor, where the values of three requests wait: each its own")
  func busyActor() async {
    let (event, ledger) = (Event<String>(), Ledger())
    let token = event.observe(with: ledger) { ledger, value in ledger.note(value) }
    await whileBusy(ledger) {
      for request in ["A", "B", "C"] { ServiceContext.with(request) { event.emit(request, isolation: nil) } }
    }
    await token.drained()
    #expect(await ledger.sights.map(\.request) == ["A", "B", "C"])
  }

  @Test("A value on a busy actor: the context in which it was set")
  func value() async {
    let (value, ledger) = (Observed("none"), Ledger())
    let token = value.observe(with: ledger) { ledger, change in ledger.note(change.new) }
    await whileBusy(ledger) {
      for request in ["A", "B"] { ServiceContext.with(request) { value.set(request) } }
    }
    await token.drained()
    #expect(await ledger.sights.map(\.request) == ["A", "B"])
  }

  @Test(
    "Eight tasks with 500 requests each, twenty rounds: no handler, plain or on an actor, runs in another's context")
  func eightTasks() async {
    for _ in 0..<20 {
      let (event, ledger, seen) = (Event<String>(), Ledger(), Recorder<Sight>())
      let plain = event.observe { seen(Sight($0)) }
      let isolated = event.observe(with: ledger) { ledger, value in ledger.note(value) }
      await withTaskGroup { group in
        for task in 0..<8 {
          group.addTask {
            for number in 0..<500 {
              let request = "\(task)-\(number)"
              ServiceContext.with(request) { event.emit(request, isolation: nil) }
              if number.isMultiple(of: 7) { await Task.yield() }
            }
          }
        }
      }
      await event.drained()
      let sights = await ledger.sights
      #expect(sights.count == 4_000)
      #expect(sights.count { $0.isWrong } == 0)
      #expect(seen.values.count == 4_000)
      #expect(seen.values.count { $0.isWrong } == 0)
      withExtendedLifetime((plain, isolated)) {}
    }
  }

  @Test("A stream's consumer: its own")
  func stream() async {
    let event = Event<String>()
    let stream = event.stream()
    ServiceContext.with("A") { event.emit("A") }
    let seen = await ServiceContext.with("consumer") {
      var iterator = stream.makeAsyncIterator()
      return await iterator.next().map { Sight($0) }
    }
    #expect(seen?.value == "A")
    #expect(seen?.request == "consumer")
  }

  @Test("A hook's handler: that of the task that asks")
  func hook() async {
    let hook = Hook<Int, String, Never>()
    let token = hook.handle { _ in ServiceContext.request }
    #expect(await ServiceContext.with("asker") { await hook.first(0) } == "asker")
    withExtendedLifetime(token) {}
  }
}
#endif
