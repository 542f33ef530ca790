/// The notification of values and the transaction in progress on this thread. The engine of values writes it; it is the first
/// part of what that engine keeps for each thread.
struct CausalScope {
  /// The causal depth of the notification under way, if any. What is caused meanwhile is deeper, also by handlers of reports and by
  /// the destruction of a value.
  var notificationDepth = 0
  var isInTransaction = false
  /// The number of the propagation that this thread is in, once something has asked for it; else 0. See `Propagation`.
  var propagation: UInt = 0
  /// The number that came with the value of the call under way, if the value was queued: the call is part of that propagation.
  /// Else 0.
  var carriedPropagation: UInt = 0
  let transactions: any PausableTransactions.Type

  /// The scope of this thread, if it has one.
  @inline(__always)
  static var current: UnsafeMutablePointer<CausalScope>? {
    keptContext()?.assumingMemoryBound(to: CausalScope.self)
  }
}

/// The transactions of a thread, as far as deliveries know of them.
protocol PausableTransactions {
  /// The number of the transaction in progress here; 0 where there is none.
  static var number: UInt32 { get }
  /// Until `resume` there is none here, unless it has this number. Nil if there was none.
  static func pause(unlessIn number: UInt32) -> UnsafeMutableRawPointer?
  static func resume(_ paused: UnsafeMutableRawPointer)
}
