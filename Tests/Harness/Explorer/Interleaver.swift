#if TIDINGS_EXPLORED
import Dispatch
@testable import Tidings
@testable import TidingsTesting

/// The thread that continues at a point: not the running thread although it could continue, or not the next one if the running
/// thread cannot.
struct Choice: Hashable, Sendable {
  let point: Int
  let thread: Int
  /// The choice of stores of the preempted thread that other threads do not see until it continues. It is the number of one of the
  /// ways that exist at the point; 0 for none.
  var delay = 0
}

/// The one that runs all scenarios: what an actor is made with.
let interleaver = Interleaver(threads: 3)

/// Runs a few threads one at a time, in an order that a schedule determines: a thread continues until it ends, has to wait, or is
/// preempted.
///
/// With `isWeak`, stores that a preempted thread has made since it last synchronized may become visible only when it continues.
/// These are either all of its stores from one on, as from a processor's store buffer, or a single store that no release store or
/// fence follows. A read-modify-write that releases, a sequentially consistent store or fence, and the release of a lock end the
/// delay. Executions in which a load is early, or a store is late for longer, are not explored.
///
/// The threads stay from run to run; what a run leaves in their thread-locals is the same for each. One of them runs at a time, and
/// passes what is stored here on by a semaphore: so it is `@unchecked`.
final class Interleaver: InterleavingScheduler, @unchecked Sendable {
  private enum Status: Equatable {
    case ready
    case blocked(on: UInt)
    /// An executor that has no job.
    case idle
    case ended
  }
  struct Outcome {
    /// For each point, which other threads could have continued: a bit each, and whether the running one could not.
    var points: [(others: UInt8, isForced: Bool, delays: Int)] = []
    /// Why the threads cannot end.
    var stuck: String?
  }

  /// A store that a thread has made since it last synchronized.
  private struct Store {
    let address: UInt
    let isRelease: Bool
    /// No later store is seen before it.
    var isOrdered = false
    let undo: () -> Void
    let redo: () -> Void
  }
  private static let mostStores = 6

  var isWeak = false
  private var stores: [[Store]] = []
  private var statuses: [Status] = []
  private var turns: [DispatchSemaphore] = []
  private var identities: [UInt] = []
  private var bodies: [(@Sendable () -> Void)?] = []
  private let isOver = DispatchSemaphore(value: 0)
  private var owners: [UInt: Int] = [:]
  private var current = 0
  /// The thread that runs; 0 while none does.
  private var running: UInt = 0
  private var schedule: [Choice] = []
  private var outcome = Outcome()
  private static let mostPoints = 200_000

  /// Runs the tasks that belong to no actor.
  let pool: JobQueue
  /// Runs the jobs of `TestActor`s under exploration.
  let actor: JobQueue
  var executor: any TaskExecutor { pool }
  private let bodyCount: Int

  init(threads: Int) {
    (pool, bodyCount) = (JobQueue(), threads)
    actor = JobQueue(ofActorsIn: pool)
    for _ in 0..<threads { add(nil) }
    for queue in [pool, actor] {
      queue.schedule(by: self, as: statuses.count)
      add(queue)
    }
    Seam.scheduler = self
  }

  /// Runs the bodies once, the first of `order` first.
  func run(_ bodies: [@Sendable () -> Void], from first: Int, _ schedule: [Choice]) -> Outcome {
    for index in 0..<bodyCount {
      self.bodies[index] = index < bodies.count ? bodies[index] : nil
      statuses[index] = index < bodies.count ? .ready : .ended
    }
    (self.schedule, outcome, current) = (schedule.reversed(), Outcome(), first)
    running = identities[first]
    turns[first].signal()
    isOver.wait()
    return outcome
  }

  // MARK: As the engine sees it

  func reach() {
    guard Threads.current == running else { return }
    let own = current
    guard let (next, delay) = choose(from: othersReady, isForced: false) else { return }
    let delayed = delayed(delay)
    for store in delayed.reversed() { store.undo() }
    stores[own] = []
    switchTo(next)
    for store in delayed { store.redo() }
  }
  func acquire(_ lock: UInt) {
    guard Threads.current == running else { return }
    reach()
    while owners[lock] != nil {
      statuses[current] = .blocked(on: lock)
      continueElsewhere()
    }
    owners[lock] = current
  }
  func release(_ lock: UInt) {
    guard Threads.current == running else { return }
    stores[current] = []
    owners[lock] = nil
    for index in statuses.indices where statuses[index] == .blocked(on: lock) { statuses[index] = .ready }
  }
  func spin() {
    guard Threads.current == running else { return }
    stores[current] = []
    if let next = nextReady { switchTo(next) }
  }

  func store(at address: UInt, isRelease: Bool, undo: @escaping () -> Void, redo: @escaping () -> Void) {
    guard isWeak, Threads.current == running else { return }
    if stores[current].count == Self.mostStores { stores[current].removeFirst() }
    stores[current].append(Store(address: address, isRelease: isRelease, undo: undo, redo: redo))
  }
  func orderStores() {
    guard isWeak, Threads.current == running else { return }
    for index in stores[current].indices { stores[current][index].isOrdered = true }
  }
  func publishStores() { if isWeak, Threads.current == running { stores[current] = [] } }
  func publishStores(at address: UInt) {
    guard isWeak, Threads.current == running else { return }
    if stores[current].contains(where: { $0.address == address }) { stores[current] = [] }
  }
  /// How many ways there are to delay some of what the current thread has stored.
  private var delays: Int { 2 * stores[current].count }
  /// The stores of one of these ways: those from one on, or one alone; none where that may not be.
  private func delayed(_ delay: Int) -> [Store] {
    let own = stores[current]
    guard delay > 0, !own.isEmpty else { return [] }
    let index = (delay - 1) % (2 * own.count)
    if index < own.count { return Array(own[index...]) }
    let one = own[index - own.count]
    let later = own[(index - own.count + 1)...]
    let mayBeLater = !one.isOrdered && !later.contains { $0.isRelease || $0.address == one.address }
    return mayBeLater ? [one] : []
  }

  // MARK: Executors

  /// A job has come for the executor at `index`.
  func wake(_ index: Int) {
    // No thread runs while a round is dropped: what that wakes has been a violation.
    precondition(running == 0 || Threads.current == running, "a job from a thread that is not explored")
    if statuses[index] == .idle { statuses[index] = .ready }
    reach()
  }
  /// By an executor without a job.
  func rest() {
    statuses[current] = .idle
    continueElsewhere()
  }

  // MARK: Turns

  private var othersReady: UInt8 {
    statuses.indices.reduce(0) { $1 != current && statuses[$1] == .ready ? $0 | 1 << $1 : $0 }
  }
  /// The thread to run when the current one cannot continue: the next ready thread in cyclic order, unless the schedule chooses
  /// another.
  private var nextReady: Int? {
    let others = othersReady
    guard
      let next = (1...statuses.count).map({ (current + $0) % statuses.count }).first(where: { others & 1 << $0 != 0 })
    else { return nil }
    return choose(from: others & ~(1 << next), isForced: true)?.thread ?? next
  }
  private func choose(from others: UInt8, isForced: Bool) -> (thread: Int, delay: Int)? {
    outcome.points.append((others, isForced, isForced ? 0 : delays))
    if outcome.points.count > Self.mostPoints { stop("no end after \(Self.mostPoints) steps") }
    guard let next = schedule.last, next.point == outcome.points.count - 1 else { return nil }
    schedule.removeLast()
    return others & 1 << next.thread != 0 ? (next.thread, next.delay) : nil
  }
  private func switchTo(_ next: Int) {
    let own = current
    hand(to: next)
    turns[own].wait()
  }
  private func hand(to next: Int) {
    current = next
    running = identities[next]
    turns[next].signal()
  }
  /// The current thread can do nothing.
  private func continueElsewhere() {
    let own = current
    stores[own] = []
    if let next = nextReady {
      hand(to: next)
    } else {
      if statuses.contains(where: { if case .blocked = $0 { true } else { false } }) {
        return stop("deadlock")
      }
      running = 0
      isOver.signal()
    }
    turns[own].wait()
  }
  /// The threads cannot be brought to an end: the process is over after the report.
  private func stop(_ reason: String) {
    outcome.stuck = reason
    running = 0
    isOver.signal()
    DispatchSemaphore(value: 0).wait()
  }

  private func add(_ queue: JobQueue?) {
    let index = statuses.count
    statuses.append(queue == nil ? .ended : .idle)
    stores.append([])
    turns.append(DispatchSemaphore(value: 0))
    identities.append(0)
    bodies.append(nil)
    let isKnown = DispatchSemaphore(value: 0)
    Threads.start { [self] in
      identities[index] = Threads.current
      isKnown.signal()
      while true {
        turns[index].wait()
        // `rest` returns with the turn: a job has come.
        while let queue {
          queue.runAll()
          rest()
        }
        bodies[index]?()
        bodies[index] = nil
        statuses[index] = .ended
        end()
      }
    }
    isKnown.wait()
  }
  /// The current body has ended; its thread waits for the next run.
  private func end() {
    stores[current] = []
    if let next = nextReady { return hand(to: next) }
    if statuses.contains(where: { if case .blocked = $0 { true } else { false } }) { return stop("deadlock") }
    running = 0
    isOver.signal()
  }
}

/// The jobs of one executor of the explored threads.
final class JobQueue: SerialExecutor, TaskExecutor, @unchecked Sendable {  // as `Interleaver`
  private var jobs: [UnownedJob] = []
  private weak var interleaver: Interleaver?
  private var index = 0
  /// The executor that the tasks of an actor's jobs prefer. Without it a task would be enqueued again at each call within the
  /// actor.
  private var preferred: JobQueue?

  init(ofActorsIn preferred: JobQueue? = nil) { self.preferred = preferred }
  func schedule(by interleaver: Interleaver, as index: Int) { (self.interleaver, self.index) = (interleaver, index) }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.append(UnownedJob(job))
    interleaver?.wake(index)
  }
  func runAll() {
    while !jobs.isEmpty {
      let job = jobs.removeFirst()
      if let preferred {
        job.runSynchronously(
          isolatedTo: asUnownedSerialExecutor(), taskExecutor: preferred.asUnownedTaskExecutor())
      } else {
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }
}
#endif
