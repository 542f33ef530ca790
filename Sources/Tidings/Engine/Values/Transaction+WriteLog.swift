/// The transactions of this thread.
@usableFromInline
enum Transaction {
  /// Where an inner one can be undone to.
  @usableFromInline
  static func begin() -> Int {
    let context = Context.current
    let writeLog: WriteLog
    if let open = context.pointee.writeLog {
      writeLog = open
    } else {
      writeLog = context.pointee.spareWriteLog ?? WriteLog()
      context.pointee.spareWriteLog = nil
      context.pointee.writeLog = writeLog
    }
    writeLog.level += 1
    return writeLog.log.count
  }

  /// Its body threw.
  @usableFromInline
  static func end(undoingTo invalidate: Int) {
    let context = Context.current
    let writeLog = context.pointee.writeLog!
    writeLog.level -= 1
    if writeLog.level > 0 { return writeLog.undo(to: invalidate) }
    close(writeLog, context, nil)
  }

  /// Gives back an error that came up at the end, if it is one that the transaction may throw; then nothing is written.
  @usableFromInline
  static func end(_ here: (any Actor)?, _ mayThrow: (any Error) -> Bool) -> (any Error)? {
    let context = Context.current
    let writeLog = context.pointee.writeLog!
    if writeLog.level > 1 {
      writeLog.level -= 1
      return nil
    }
    // Still open: transactions in updates that are applied again join it.
    let error = writeLog.hasWrites ? writeLog.commit(context, here, mayThrow) : nil
    writeLog.level = 0
    close(writeLog, context, here)
    return error
  }

  /// Of the one under way here; 0 where there is none.
  static var number: UInt32 {
    guard let context = Context.currentIfAny, context.pointee.isInTransaction else { return 0 }
    return context.pointee.writeLog.unsafelyUnwrapped.number
  }

  /// What was emitted elsewhere is no part of the transaction of the thread that happens to deliver it: until `resume` there
  /// is none.
  @inline(__always)
  static func pause(unlessIn number: UInt32 = 0) -> WriteLog? {
    guard let context = Context.currentIfAny, context.pointee.isInTransaction else { return nil }
    return pause(context, unlessIn: number)
  }
  @inline(never)
  private static func pause(_ context: ContextPointer, unlessIn number: UInt32) -> WriteLog? {
    let writeLog = context.pointee.writeLog.unsafelyUnwrapped
    // A report, or what the end of a value emits: the computation under way sees what was written.
    if (number != 0 && writeLog.knownNumber == number) || context.pointee.snapshot != 0 { return nil }
    context.pointee.writeLog = nil
    return writeLog
  }
  @inline(never)
  static func resume(_ writeLog: WriteLog) { Context.current.pointee.writeLog = writeLog }

  private static func close(_ writeLog: WriteLog, _ context: ContextPointer, _ here: (any Actor)?) {
    context.pointee.writeLog = nil
    if context.pointee.isPending { Context.drain(context, here) }
    writeLog.forget()
    context.pointee.spareWriteLog = writeLog
    if writeLog.hasLeftRetired || !context.pointee.unreferenced.isEmpty {
      Retired.end(writeLog.collect(for: context), context)
    }
  }
}

/// Runs `body` without noting what it reads.
func withoutNoting<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
  guard let context = Context.currentIfAny, context.pointee.isTracking else { return try body() }
  return try Context.untracked(context, body)
}
