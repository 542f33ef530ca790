import Dispatch
public import Tidings

extension DeliveryTarget {
  /// A delivery target that runs handlers on a dispatch queue.
  ///
  /// ```swift
  /// import TidingsDispatch
  /// subscription = traded.observe(on: .queue(.global())) { trade in post(trade) }
  /// ```
  ///
  /// The calls of one handler run one after another in the order of the values, also on a concurrent queue.
  ///
  /// - Parameter queue: The queue.
  /// - Returns: The target.
  public static func queue(_ queue: DispatchQueue) -> DeliveryTarget {
    DeliveryTarget { job in queue.async(execute: job) }
  }
}
