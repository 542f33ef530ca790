/// The transactions of this thread.
enum Transaction {
  /// Where an inner one can be undone to.
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

  static func end(undoingTo mark: Int?, _ here: (any Actor)?) {
    let context = Context.current
    let journal = context.pointee.journal!
    journal.level -= 1
    if let mark, journal.level > 0 { journal.undo(to: mark) }
    if journal.level > 0 { return }
    context.pointee.journal = nil
    if mark != nil { journal.forget() } else if journal.hasWrites { journal.commit(context, here) }
    if !context.pointee.news.isEmpty { Context.drain(context, here) }
    journal.forget()
    context.pointee.spareJournal = journal
  }
}

/// Runs `body` without noting what it reads.
func withoutNoting<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
  guard let context = Context.currentIfAny, context.pointee.isTracking else { return try body() }
  return try Context.untracked(context, body)
}
