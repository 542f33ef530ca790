/// Where the handlers of code without actors run: a queue, a run loop, a thread of your own.
///
/// ```swift
/// subscription = traded.observe(on: .queue(.global())) { trade in post(trade) }
/// ```
///
/// A target is one closure that runs a job later, once. Each subscription hands it one job at a time, which calls the
/// handler with all that has come, first in first out; so calls of one handler never overlap, also on a concurrent queue.
public struct DeliveryTarget: Sendable {
  let schedule: @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

  /// - Parameter schedule: Runs each job that it is given, once, after it has returned. A job that is never run holds up
  ///   its subscription's queue, and no other.
  public init(_ schedule: @escaping @Sendable (_ job: @escaping @Sendable () -> Void) -> Void) {
    self.schedule = schedule
  }
}
