/// The transactions of this thread.
@usableFromInline
enum Transaction {
  /// What was emitted elsewhere is no part of the transaction of the thread that happens to deliver it: until `resume` there
  /// is none.
  @inline(__always)
  static func pause(unlessIn number: UInt32 = 0) -> WriteLogPointer? {
    guard let context = Context.currentIfAny, context.pointee.seen.isInTransaction else { return nil }
    return pause(context, unlessIn: number)
  }
  @inline(never)
  private static func pause(_ context: ContextPointer, unlessIn number: UInt32) -> WriteLogPointer? {
    let writeLog = context.pointee.writeLog.unsafelyUnwrapped
    // A report, or what the destruction of a value emits: the computation under way sees what was written.
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
