/// The transactions of this thread.
@usableFromInline
enum Transaction {
  /// Where an inner one can be undone to.
  @usableFromInline
  static func begin() -> Int {
    let context = Context.current
    let journal: Journal
    if let open = context.pointee.journal {
      journal = open
    } else {
      journal = context.pointee.spareJournal ?? Journal()
      context.pointee.spareJournal = nil
      context.pointee.journal = journal
    }
    journal.level += 1
    return journal.log.count
  }

  /// Its body threw.
  @usableFromInline
  static func end(undoingTo mark: Int) {
    let context = Context.current
    let journal = context.pointee.journal!
    journal.level -= 1
    if journal.level > 0 { return journal.undo(to: mark) }
    close(journal, context, nil)
  }

  /// Gives back an error that came up at the end, if it is one that the transaction may throw; then nothing is written.
  @usableFromInline
  static func end(_ here: (any Actor)?, _ mayThrow: (any Error) -> Bool) -> (any Error)? {
    let context = Context.current
    let journal = context.pointee.journal!
    if journal.level > 1 {
      journal.level -= 1
      return nil
    }
    // Still open: transactions in updates that are applied again join it.
    let error = journal.hasWrites ? journal.commit(context, here, mayThrow) : nil
    journal.level = 0
    close(journal, context, here)
    return error
  }

  /// Of the one under way here; 0 where there is none.
  static var number: UInt32 {
    guard let context = Context.currentIfAny, context.pointee.isInTransaction else { return 0 }
    return context.pointee.journal.unsafelyUnwrapped.number
  }

  /// What was emitted elsewhere is no part of the transaction of the thread that happens to deliver it: until `resume` there
  /// is none.
  @inline(__always)
  static func pause(unlessIn number: UInt32 = 0) -> Journal? {
    guard let context = Context.currentIfAny, context.pointee.isInTransaction else { return nil }
    return pause(context, unlessIn: number)
  }
  @inline(never)
  private static func pause(_ context: ContextPointer, unlessIn number: UInt32) -> Journal? {
    let journal = context.pointee.journal.unsafelyUnwrapped
    // A report, or what the end of a value emits: the computation under way goes on with what was written.
    if (number != 0 && journal.knownNumber == number) || context.pointee.snapshot != 0 { return nil }
    context.pointee.journal = nil
    return journal
  }
  @inline(never)
  static func resume(_ journal: Journal) { Context.current.pointee.journal = journal }

  private static func close(_ journal: Journal, _ context: ContextPointer, _ here: (any Actor)?) {
    context.pointee.journal = nil
    if context.pointee.isPending { Context.drain(context, here) }
    journal.forget()
    context.pointee.spareJournal = journal
    if journal.hasLeftRemains || !context.pointee.graves.isEmpty {
      Bones.end(journal.collect(for: context), context)
    }
  }
}

/// Runs `body` without noting what it reads.
func withoutNoting<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
  guard let context = Context.currentIfAny, context.pointee.isTracking else { return try body() }
  return try Context.untracked(context, body)
}
