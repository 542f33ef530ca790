extension Transaction {
  /// Begins a transaction. Returns the savepoint to which an inner transaction can be undone.
  @usableFromInline
  static func begin() -> Int {
    let context = Context.current
    if context.pointee.writeLog == nil { context.pointee.writeLog = context.pointee.memory.takeWriteLog() }
    let writeLog = context.pointee.writeLog.unsafelyUnwrapped
    writeLog.pointee.level += 1
    return writeLog.pointee.inner.count
  }

  /// Ends a transaction whose body threw.
  @usableFromInline
  static func end(undoingTo savepoint: Int) {
    let context = Context.current
    let writeLog = context.pointee.writeLog!
    writeLog.pointee.level -= 1
    if writeLog.pointee.level > 0 { return writeLog.undo(to: savepoint, context) }
    close(writeLog, context, nil)
  }

  /// Ends a transaction. Returns an error that came up at the end, if the transaction may throw it; then nothing is written.
  @usableFromInline
  static func end(_ here: (any Actor)?, _ mayThrow: (any Error) -> Bool) -> (any Error)? {
    let context = Context.current
    let writeLog = context.pointee.writeLog!
    if writeLog.pointee.level > 1 {
      writeLog.pointee.level -= 1
      return nil
    }
    // The transaction is still open, so transactions in updates that are applied again join it.
    let error = writeLog.pointee.hasWrites ? writeLog.commit(context, here, mayThrow) : nil
    writeLog.pointee.level = 0
    close(writeLog, context, here)
    return error
  }

  private static func close(_ writeLog: WriteLogPointer, _ context: ContextPointer, _ here: (any Actor)?) {
    context.pointee.writeLog = nil
    if context.pointee.notifications.isPending { Context.drain(context, here) }
    writeLog.forget(context)
    let retired = writeLog.pointee.hasLeftRetired ? writeLog.pointee.collect(for: context) : nil
    context.pointee.memory.giveBack(writeLog)
    if retired != nil || !context.pointee.destruction.isEmpty { Retired.destroy(retired, context) }
  }
}
