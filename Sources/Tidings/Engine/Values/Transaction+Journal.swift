/// The transactions of this thread.
enum Transaction {
  /// Where an inner one can be undone to.
  static func begin() -> Int {
    let context = Context.current
    let journal: Journal
    if let open = context.pointee.journal {
      journal = open
    } else {
      journal = Journal()
      context.pointee.journal = journal
    }
    journal.level += 1
    return journal.log.count
  }

  static func end(undoingTo mark: Int?, _ here: (any Actor)?) {
    let context = Context.current
    let journal = context.pointee.journal!
    if let mark { journal.undo(to: mark) }
    journal.level -= 1
    if journal.level > 0 { return }
    context.pointee.journal = nil
    if journal.hasWrites {
      journal.commit(context, here)
    } else if !context.pointee.news.isEmpty {
      Context.drain(context, here)
    }
  }
}

/// Runs `body` without noting what it reads.
func withoutNoting<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
  guard let context = Context.currentIfAny, context.pointee.isTracking else { return try body() }
  return try Context.untracked(context, body)
}
