import Synchronization

typealias ThreadPointer = UnsafeMutablePointer<PinnedThread>

/// The private state of a thread that pins snapshots. No other thread accesses it.
struct PinnedThread: ~Copyable {
  let record: ThreadRecordPointer
  let number: UInt
  /// The epoch of the running pin; 0 for none.
  var snapshot: UInt = 0
  /// The number of the newest pin.
  var pins: UInt
  /// The number of the newest commit, for `nextCommitWord`.
  var commits: UInt
  var reclaimer = Reclaimer()

  init() {
    number = ThreadRecord.adopt()
    record = ThreadRecord.of(number)!
    // Numbers of pins and commits are never used again: they continue where an earlier thread with this record has stopped.
    pins = record.pointee.lastPin.load(ordering: .relaxed)
    commits = record.pointee.lastCommit.load(ordering: .relaxed)
  }

  /// Ends the state of a thread that ends.
  static func end(_ thread: ThreadPointer) {
    assert(thread.pointee.snapshot == 0 && thread.pointee.record.pointee.writeSection.load(ordering: .relaxed) == 0)
    Reclaimer.leave(thread)
    thread.pointee.record.pointee.lastPin.store(thread.pointee.pins, ordering: .relaxed)
    thread.pointee.record.pointee.lastCommit.store(thread.pointee.commits, ordering: .relaxed)
    ThreadRecord.leave(thread.pointee.number)
  }

  /// A word that no other commit has: the number of the thread, and a count.
  @inline(__always)
  mutating func nextCommitWord() -> UInt {
    commits &+= 1
    return number << 48 | commits & 0xFFFF_FFFF_FFFF
  }
  /// The number of the thread in a commit's word.
  @inline(__always)
  static func number(ofCommit word: UInt) -> UInt { word >> 48 }
}
