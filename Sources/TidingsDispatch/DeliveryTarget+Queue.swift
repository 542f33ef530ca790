import Dispatch
public import Tidings

extension DeliveryTarget {
  /// Handlers run on a dispatch queue.
  ///
  /// ```swift
  /// import TidingsDispatch
  /// subscription = traded.observe(on: .queue(.global())) { trade in post(trade) }
  /// ```
  ///
  /// The calls of one handler come one after another in the order of the values, also on a concurrent queue.
  public static func queue(_ queue: DispatchQueue) -> DeliveryTarget {
    DeliveryTarget { job in queue.async(execute: job) }
  }
}
