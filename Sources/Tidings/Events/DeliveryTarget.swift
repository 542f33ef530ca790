/// A place where handlers run in code without actors: a queue, a run loop, a thread of your own.
///
/// ```swift
/// subscription = traded.observe(on: .queue(.global())) { trade in post(trade) }
/// ```
///
/// A target is a closure that runs a job later, once. Each subscription schedules one job at a time, and that job calls the
/// handler with all queued values, first in first out. So calls of one handler never overlap, also on a concurrent queue.
///
/// A handler that belongs to an actor needs no target: it runs on its actor, see ``EventSource/observe(_:file:line:)``.
public struct DeliveryTarget: Sendable {
  let schedule: @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

  /// Makes a target of a closure that schedules jobs.
  ///
  /// - Parameter schedule: Runs each job that it is given, once, after it has returned. A job that is never run blocks the
  ///   queue of its own subscription, and no other.
  public init(_ schedule: @escaping @Sendable (_ job: @escaping @Sendable () -> Void) -> Void) {
    self.schedule = schedule
  }
}
