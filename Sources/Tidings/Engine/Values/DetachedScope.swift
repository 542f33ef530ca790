/// What this thread leaves while it delivers what another cause has queued: its open transaction and its notification of
/// values.
///
/// What waited in a queue carries its own causal depth and may be another thread's, so what it causes belongs neither to the
/// transaction nor to the notification that is under way here. This is all that events know of the values.
struct DetachedScope {
  private let transaction: WriteLogPointer?
  private let notificationDepth: Int

  /// Leaves both, except the transaction with this number, which is the one that the value was emitted in.
  @inline(__always)
  init(unlessIn transaction: UInt32 = 0) {
    self.transaction = Transaction.pause(unlessIn: transaction)
    notificationDepth = Context.leaveBatch()
  }
  /// Leaves the transaction alone.
  @inline(__always)
  static func ofTransaction() -> DetachedScope { DetachedScope(transaction: Transaction.pause()) }
  @inline(__always)
  private init(transaction: WriteLogPointer?) {
    self.transaction = transaction
    notificationDepth = 0
  }

  /// Comes back to what was left.
  @inline(__always)
  func end() {
    Context.enterBatch(notificationDepth)
    if let transaction { Transaction.resume(transaction) }
  }

  /// The number of the transaction under way on this thread; 0 where there is none.
  static var transactionNumber: UInt32 { Transaction.number }
  /// The causal depth of the notification of values under way on this thread; 0 where there is none.
  @inline(__always)
  static var notificationDepth: Int { Context.currentIfAny?.pointee.resolving ?? 0 }
}
