public import Tidings

/// A queue whose jobs run when the test says so, on the test's thread.
///
/// ```swift
/// let queue = ManualQueue()
/// let subscription = traded.observe(on: .manual(queue)) { trade in ledger.add(trade) }
/// traded.emit(trade)
/// #expect(queue.count == 1)
/// queue.runAll()
/// ```
///
/// So a test decides how far a slow consumer has come. A subscription has one job in the queue at a time, which calls its
/// handler with all values that have come until it runs.
public final class ManualQueue: Sendable {
  private let jobs = Locked<[@Sendable () -> Void]>([])

  public init() {}

  /// How many jobs wait.
  public var count: Int { jobs.withLock { $0.count } }

  /// Runs the job that has waited longest. False when there is none.
  @discardableResult
  public func runNext() -> Bool {
    guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
    job()
    return true
  }

  /// Runs jobs until none waits, those that come meanwhile included, and tells how many there were.
  @discardableResult
  public func runAll() -> Int {
    var count = 0
    while runNext() { count += 1 }
    return count
  }

  func add(_ job: @escaping @Sendable () -> Void) { jobs.withLock { $0.append(job) } }
}

extension DeliveryTarget {
  /// Handlers run when the test runs the queue's jobs.
  public static func manual(_ queue: ManualQueue) -> DeliveryTarget { DeliveryTarget { queue.add($0) } }
}
