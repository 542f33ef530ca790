public import Tidings

/// A queue whose jobs run when the test calls for it, on the test's thread.
///
/// ```swift
/// let queue = ManualQueue()
/// let subscription = traded.observe(on: .manual(queue)) { trade in ledger.add(trade) }
/// traded.emit(trade)
/// #expect(queue.count == 1)
/// queue.runAll()
/// ```
///
/// So a test controls the progress of a slow consumer. A subscription has one job in the queue at a time; the job calls its
/// handler with all values that have arrived until it runs.
public final class ManualQueue: Sendable {
  private let jobs = Locked<[@Sendable () -> Void]>([])

  /// Makes an empty queue.
  public init() {}

  /// The number of jobs that wait.
  public var count: Int { jobs.withLock { $0.count } }

  /// Runs the oldest job.
  ///
  /// - Returns: False if there was none.
  @discardableResult
  public func runNext() -> Bool {
    guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
    job()
    return true
  }

  /// Runs jobs until none waits, including those that are added meanwhile.
  ///
  /// - Returns: The number of jobs that ran.
  @discardableResult
  public func runAll() -> Int {
    var count = 0
    while runNext() { count += 1 }
    return count
  }

  func add(_ job: @escaping @Sendable () -> Void) { jobs.withLock { $0.append(job) } }
}

extension DeliveryTarget {
  /// A delivery target whose handlers run when the test runs the queue's jobs.
  ///
  /// - Parameter queue: The queue.
  /// - Returns: The target.
  public static func manual(_ queue: ManualQueue) -> DeliveryTarget { DeliveryTarget { queue.add($0) } }
}
