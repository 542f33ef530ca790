/// The transactions of this thread.
@usableFromInline
enum Transaction {
  /// Where an inner one can be undone to.
  @usableFromInline
  static func begin() -> Int {
    let context = Context.current
    if context.pointee.writeLog == nil { context.pointee.writeLog = context.pointee.takeWriteLog() }
    let writeLog = context.pointee.writeLog.unsafelyUnwrapped
    writeLog.pointee.level += 1
    return writeLog.pointee.inner.count
  }

  /// Its body threw.
  @usableFromInline
  static func end(undoingTo savepoint: Int) {
    let context = Context.current
    let writeLog = context.pointee.writeLog!
    writeLog.pointee.level -= 1
    if writeLog.pointee.level > 0 { return writeLog.undo(to: savepoint, context) }
    close(writeLog, context, nil)
  }

  /// Gives back an error that came up at the end, if it is one that the transaction may throw; then nothing is written.
  @usableFromInline
  static func end(_ here: (any Actor)?, _ mayThrow: (any Error) -> Bool) -> (any Error)? {
    let context = Context.current
    let writeLog = context.pointee.writeLog!
    if writeLog.pointee.level > 1 {
      writeLog.pointee.level -= 1
      return nil
    }
    // Still open: transactions in updates that are applied again join it.
    let error = writeLog.pointee.hasWrites ? writeLog.commit(context, here, mayThrow) : nil
    writeLog.pointee.level = 0
    close(writeLog, context, here)
    return error
  }

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

  private static func close(_ writeLog: WriteLogPointer, _ context: ContextPointer, _ here: (any Actor)?) {
    context.pointee.writeLog = nil
    if context.pointee.isPending { Context.drain(context, here) }
    writeLog.forget(context)
    let retired = writeLog.pointee.hasLeftRetired ? writeLog.pointee.collect(for: context) : nil
    Context.giveBack(writeLog, context)
    if retired != nil || !context.pointee.unreferenced.isEmpty { Retired.destroy(retired, context) }
  }
}

extension Transaction: PausableTransactions {
  static var number: UInt32 { Context.current.pointee.writeLog?.pointee.number ?? 0 }
  static func pause(unlessIn number: UInt32) -> UnsafeMutableRawPointer? {
    (pause(unlessIn: number) as WriteLogPointer?).map { UnsafeMutableRawPointer($0) }
  }
  static func resume(_ paused: UnsafeMutableRawPointer) { resume(paused.assumingMemoryBound(to: WriteLog.self)) }
}

/// Runs `body` without noting what it reads.
func withoutNoting<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
  guard let context = Context.currentIfAny, context.pointee.isTracking else { return try body() }
  return try Context.untracked(context, body)
}
