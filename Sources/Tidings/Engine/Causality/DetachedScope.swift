/// Leaves this thread's open transaction and its notification of values while the thread delivers what another cause has queued.
///
/// A queued value carries its own causal depth and may be another thread's. So what it causes belongs neither to the transaction
/// nor to the notification that is in progress here.
struct DetachedScope {
  private let transaction: UnsafeMutableRawPointer?
  private let notificationDepth: Int

  /// Leaves both, except the transaction with this number, which is the one that the value was emitted in.
  @inline(__always)
  init(unlessIn transaction: UInt32 = 0) {
    let scope = CausalScope.current
    self.transaction = Self.pause(scope, unlessIn: transaction)
    notificationDepth = scope?.pointee.notificationDepth ?? 0
    if notificationDepth != 0 { scope?.pointee.notificationDepth = 0 }
  }
  /// Leaves the transaction alone.
  @inline(__always)
  static func ofTransaction() -> DetachedScope { DetachedScope(transaction: pause(CausalScope.current, unlessIn: 0)) }
  @inline(__always)
  private init(transaction: UnsafeMutableRawPointer?) {
    self.transaction = transaction
    notificationDepth = 0
  }
  @inline(__always)
  private static func pause(
    _ scope: UnsafeMutablePointer<CausalScope>?, unlessIn number: UInt32
  ) -> UnsafeMutableRawPointer? {
    guard let scope, scope.pointee.isInTransaction else { return nil }
    return scope.pointee.transactions.pause(unlessIn: number)
  }

  /// Comes back to what was left.
  @inline(__always)
  func end() {
    if notificationDepth != 0 { CausalScope.current?.pointee.notificationDepth = notificationDepth }
    if let transaction { CausalScope.current?.pointee.transactions.resume(transaction) }
  }

  /// The number of the transaction under way on this thread; 0 where there is none.
  static var transactionNumber: UInt32 {
    guard let scope = CausalScope.current, scope.pointee.isInTransaction else { return 0 }
    return scope.pointee.transactions.number
  }
  /// The causal depth of the notification of values under way on this thread; 0 where there is none.
  @inline(__always)
  static var notificationDepth: Int { CausalScope.current?.pointee.notificationDepth ?? 0 }
}
