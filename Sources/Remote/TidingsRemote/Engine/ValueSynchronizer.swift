/// One process's knowledge of a value that several share, and what it has to send: a pure value, without clock, task or lock.
///
/// The value is shared by its state, not by its changes: a write is due while `local` differs from `remote`. The store
/// accepts a write only on the revision that the writer expects (compare-and-set), and every stored value carries the
/// number of the latest write of each writer that went into it (`seen`). So a writer whose answer was lost knows from any
/// later value whether its write was applied: the origin of the newest value alone does not show it, because another process
/// may have built on it.
///
/// A write in flight is kept unchanged, and repeated, until a newer revision shows that it was applied or never can be.
struct ValueSynchronizer<Value: Equatable & Sendable>: Sendable {
  /// One write, as it is sent and sent again.
  struct Write: Sendable {
    let value: Value
    let number: UInt64
    /// The revision on which the store accepts it.
    let expected: UInt64
    let seen: WriterNumbers
  }

  /// A value as the store holds it.
  struct Stored: Sendable {
    let value: Value
    let writer: String
    let seen: WriterNumbers
    let revision: UInt64
  }

  /// Unique among all writers of the value: each object that relays the value is a separate writer.
  let writer: String
  /// The value that this process reads and writes.
  private(set) var local: Value
  /// The store's value when this process last received it; the initial value while the store holds none.
  private(set) var remote: Value
  private(set) var revision: UInt64 = 0
  /// False until the store has said what it holds: before that no revision is known to write on.
  private(set) var isInformed = false
  private(set) var inFlight: Write?
  /// The store seems to hold an older value than this process knows, or none: a write asks it.
  private(set) var isDoubtful = false
  /// The value while the store holds none.
  private let initial: Value
  private var seen = WriterNumbers()
  private var number: UInt64 = 0

  init(_ initial: Value, writer: String) {
    (self.initial, local, remote) = (initial, initial, initial)
    self.writer = writer
  }

  var isSettled: Bool { isInformed && !isAhead }
  var needsWrite: Bool { isInformed && isAhead }
  /// Whether this process has written what the store is not known to hold.
  var isAhead: Bool { inFlight != nil || local != remote || isDoubtful }

  /// Changes the local value; it is readable from then on, whatever the store does.
  mutating func edit<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R { try body(&local) }

  /// The write to send now: the one in flight, or a new one of the local value; nil if the store is up to date.
  mutating func nextWrite() -> Write? {
    guard needsWrite else { return nil }
    if let inFlight { return inFlight }
    number += 1
    let write = Write(value: local, number: number, expected: revision, seen: seen.adding(number, of: writer))
    inFlight = write
    return write
  }

  /// The store has reported that it holds no value. The report may be older than a write of this process.
  mutating func receiveAbsence() {
    isInformed = true
    isDoubtful = revision > 0
  }

  /// The store has answered a write that it holds another value than the write expected, or none.
  ///
  /// - Returns: Whether that is older than what this process knows: the store was emptied or restored. Then this process begins
  ///   anew, and the rule decides between its value and that of the store.
  mutating func receiveConflict(_ stored: Stored?, _ rule: ConflictRule<Value>) -> Bool {
    if let stored, stored.revision > revision {
      receive(stored, rule)
      return false
    }
    guard revision > 0 else { return false }
    let theirs = stored?.value ?? initial
    if theirs != local { local = rule.resolve(remote, local, theirs) }
    (remote, revision, seen) = (theirs, stored?.revision ?? 0, stored?.seen ?? WriterNumbers())
    (inFlight, isDoubtful) = (nil, false)
    return true
  }

  /// The store holds this value, however the process came to know it: an answer, a conflict, a notification.
  ///
  /// Older and repeated revisions change nothing, so the value never returns to an older one.
  mutating func receive(_ stored: Stored, _ rule: ConflictRule<Value>) {
    isInformed = true
    guard stored.revision > revision else {
      // A report that is late, or of a store that is older than this process knows. One of the known revision after it shows that
      // it was late.
      isDoubtful = stored.revision < revision
      return
    }
    isDoubtful = false
    var base = remote
    if let write = inFlight {
      // Applied, and perhaps built upon by others: what they changed is the difference to it.
      if stored.seen[writer] >= write.number { base = write.value }
      // Applied or not, it cannot be applied any more: it expected an older revision.
      inFlight = nil
    }
    (remote, revision, seen) = (stored.value, stored.revision, stored.seen)
    // The newest write is this writer's own: no other process has changed anything.
    if stored.writer == writer { return }
    if local == base {
      local = stored.value
    } else if stored.value != base {
      local = rule.resolve(base, local, stored.value)
    }
  }
}
