/// The transactions of this thread.
@usableFromInline
enum Transaction {
  /// Pauses this thread's transaction until `resume`. A value that was emitted elsewhere is not part of the transaction of the
  /// thread that happens to deliver it.
  @inline(__always)
  static func pause(unlessIn number: UInt32 = 0) -> WriteLogPointer? {
    guard let context = Context.currentIfAny, context.pointee.seen.isInTransaction else { return nil }
    return pause(context, unlessIn: number)
  }
  @inline(never)
  private static func pause(_ context: ContextPointer, unlessIn number: UInt32) -> WriteLogPointer? {
    let writeLog = context.pointee.writeLog.unsafelyUnwrapped
    // A computation delivers reports, and events that the destruction of a value emits. It still sees the writes of the
    // transaction.
    if (number != 0 && writeLog.pointee.knownNumber == number) || context.pointee.seen.snapshot != 0 { return nil }
    context.pointee.writeLog = nil
    return writeLog
  }
  @inline(never)
  static func resume(_ writeLog: WriteLogPointer) { Context.current.pointee.writeLog = writeLog }
}

extension Transaction: PausableTransactions {
  static var number: UInt32 { Context.current.pointee.writeLog?.pointee.number ?? 0 }
  static func pause(unlessIn number: UInt32) -> UnsafeMutableRawPointer? {
    (pause(unlessIn: number) as WriteLogPointer?).map { UnsafeMutableRawPointer($0) }
  }
  static func resume(_ paused: UnsafeMutableRawPointer) { resume(paused.assumingMemoryBound(to: WriteLog.self)) }
}
