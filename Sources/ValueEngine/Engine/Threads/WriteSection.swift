import Synchronization

/// A commit announces its word while it follows links, as an RCU reader announces its section. Links and nodes that it may meet are
/// not reclaimed until it ends; and other commits see that what this one has invalidated may still have valid dependents.
enum WriteSection {
  /// The lock of a source, which the caller takes next, has the fence between this store and the first link.
  @inline(__always)
  static func begin(_ word: UInt, _ thread: ThreadPointer) {
    thread.pointee.record.pointee.writeSection.store(word, ordering: .relaxed)
  }
  @inline(__always)
  static func end(_ thread: ThreadPointer) {
    // All that the section stored is visible before it is over.
    thread.pointee.record.pointee.writeSection.store(0, ordering: .releasing)
  }
  /// Whether the commit with this word is following links on another thread.
  @inline(__always)
  static func isRunning(_ word: UInt, but own: UInt) -> Bool {
    let number = PinnedThread.number(ofCommit: word)
    if _fastPath(number == own || number == 0) { return false }
    return isRunning(word, on: number)
  }
  @inline(never)
  private static func isRunning(_ word: UInt, on number: UInt) -> Bool {
    ThreadRecord.of(number)!.pointee.writeSection.load(ordering: .acquiring) == word
  }
}
