import Synchronization
import Tidings
import TidingsTesting

/// The library in the course of one cell.
final class World: Sendable {
  private let cell: Cell
  let journal = Journal()
  private let subject: Subject
  private let second = Box(Event<Int>("second"))
  private let chain: Box<any EventSource<Int>>
  private let attached = [Box<Attached>(nil), Box<Attached>(nil), Box<Attached>(nil)]
  private let queue = ManualQueue()
  private let owners = Mutex<[VirtualExecutor]>([])
  private let canaries = Atomic(0)
  private let emissions = Atomic(0)
  private let secondEmissions = Atomic(1_000)
  private let waits = Atomic(0)

  init(_ cell: Cell) {
    self.cell = cell
    subject = cell.source.make()
    var source = subject.source.value
    let other = second.value!
    for next in cell.chain { source = source.map { next.over($0, other) } }
    chain = Box(source)
    subject.source.value = nil
    // A hook asks another handler before that on which the script acts.
    if cell.source.family == .hook { subscribe(1) }
    subscribe(0)
  }

  private func subscribe(_ number: Int) {
    canaries.add(1, ordering: .relaxed)
    let canary = Canary { self.canaries.subtract(1, ordering: .relaxed) }
    let receiver = Receiver(number: number, journal: journal, canary: canary)
    let added =
      chain.value.map { cell.handler.attach(to: $0, receiver, queue) } ?? subject.attach(cell.handler, receiver)
    // So that a call finds what it acts on.
    guard let made = added else { return }
    if let actor = made.owner as? VirtualActor { owners.withLock { $0.append(actor.executor) } }
    attached[number].value = made
  }

  /// The number of a handler that is added in the script.
  private var late: Int { attached[1].value == nil ? 1 : 2 }

  // MARK: Steps

  func emit(isolation: isolated (any Actor)?) {
    let number = emissions.add(1, ordering: .relaxed).newValue
    journal.addEmission(number)
    Locals.$carried.withValue(number) {
      Locals.$plain.withValue(number) { subject.emit(number, isolation) }
    }
  }
  func emitSecond() {
    let number = secondEmissions.add(1, ordering: .relaxed).newValue
    Locals.$carried.withValue(number) {
      Locals.$plain.withValue(number) { second.value?.emit(number, isolation: nil) }
    }
  }
  private func wait(_ body: @escaping @Sendable () async -> Void) {
    let number = waits.add(1, ordering: .relaxed).newValue - 1
    Task.immediateDetached { [journal] in
      await body()
      journal.addReturn(of: number)
    }
  }
  func perform(_ act: Act) {
    let token = attached[0].value?.token
    switch act {
    case .cancel: token?.cancel()
    case .drop:
      let owner = attached[0].value?.owner
      token?.cancel()
      attached[0].value = Attached(token: nil, owner: owner)
    case .pause: token?.pause()
    case .pauseResume:
      token?.pause()
      token?.resume()
    case .cancelAll: subject.cancelAll()
    case .finish: subject.finish()
    case .drained:
      let event = subject.event()
      wait { await event?.drained() }
    case .subscriptionDrained: wait { await (token as? Subscription)?.drained() }
    case .subscriptionFinish: wait { await (token as? Subscription)?.finish() }
    case .emitAndWait:
      let number = emissions.add(1, ordering: .relaxed).newValue
      journal.addEmission(number)
      Locals.$carried.withValue(number) {
        Locals.$plain.withValue(number) {
          let number = number
          let wait = waits.add(1, ordering: .relaxed).newValue - 1
          Task.immediate { [journal, subject] in
            await subject.emitAndWait(number)
            journal.addReturn(of: wait)
          }
        }
      }
    case .subscribe: subscribe(late)
    case .finishAndSubscribe:
      subject.finish()
      subscribe(late)
    case .releaseOwner: attached[0].value?.owner = nil
    case .releaseSource:
      chain.value = nil
      subject.drop()
    case .emit: emit(isolation: nil)
    case .cancelAllAndSubscribe:
      subject.cancelAll()
      subscribe(late)
    case .emitAndFinish:
      emit(isolation: nil)
      subject.finish()
    case .finishAndEmit:
      subject.finish()
      emit(isolation: nil)
    case .emitAndSubscribe:
      emit(isolation: nil)
      subscribe(late)
    }
  }
  func resume() { attached[0].value?.token?.resume() }
  func arm(_ act: Act) { journal.arm { self.perform(act) } }

  /// Runs a job of the handler's actor, before the others that wait there.
  func runOnActor(_ body: @escaping @Sendable (isolated VirtualActor) -> Void) {
    let actor = attached[0].value?.owner as? VirtualActor ?? HandlerActor.shared
    Task.immediateDetached { await actor.run(body) }
    actor.executor.runNext(newest: true)
  }

  private var executors: [VirtualExecutor] { [HandlerActor.shared.executor] + owners.withLock { $0 } }
  func run() {
    var hasRun = true
    while hasRun {
      hasRun = VirtualPool.runNext() || queue.runNext()
      for executor in executors { if executor.runNext() { hasRun = true } }
    }
  }
  func runPool() { while VirtualPool.runNext() {} }
  func release() -> Bool {
    let hasReleased = journal.release()
    run()
    return hasReleased
  }

  func isActive(_ number: Int) -> Bool? { attached[number].value?.token?.isActive }

  /// Releases everything, and returns how many handlers' captures are still kept.
  func end() -> Int {
    for each in attached { each.value?.token?.cancel() }
    for each in attached { each.value = nil }
    chain.value = nil
    subject.drop()
    second.value = nil
    repeat { run() } while release()
    return canaries.load(ordering: .relaxed)
  }
}
