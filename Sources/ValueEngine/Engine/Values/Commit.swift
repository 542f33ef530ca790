import Synchronization

/// The commit of new values to one or several sources: lock the sources, invalidate, stamp, write, unlock.
///
/// Commits that share a source wait for each other. Commits that meet in a computed value do not.
struct Commit: ~Copyable {
  /// A source and its new words. `expected` is the number of the version that the words were computed from; 0 for any.
  struct Write: BitwiseCopyable {
    let node: NodePointer
    var words: WordBuffer
    var expected: UInt
  }
  fileprivate(set) var isUnderWay = false
  var invalidation = Invalidation()
}

/// The lock of a source is held: its `staledAt` is the word of the commit.
struct SourceLock: ~Copyable {
  private let node: NodePointer

  /// With a full fence: the announced section comes before the first look at links, and the lock before the look at marks.
  @inline(__always)
  init(_ node: NodePointer, _ word: UInt) {
    self.node = node
    let isFree = node.pointee.staledAt.compareExchange(
      expected: 0, desired: word, successOrdering: .sequentiallyConsistent, failureOrdering: .relaxed
    ).exchanged
    if _slowPath(!isFree) { SourceLock.wait(node, word) }
    fullFenceAfterUpdate()
  }
  @inline(never)
  private static func wait(_ node: NodePointer, _ word: UInt) {
    var spins = 0
    while true {
      node.awaitUnlocked(&spins)
      if node.pointee.staledAt.load(ordering: .relaxed) == 0,
        node.pointee.staledAt.compareExchange(
          expected: 0, desired: word, successOrdering: .sequentiallyConsistent, failureOrdering: .relaxed
        ).exchanged
      {
        return
      }
    }
  }
  /// The value is visible before the lock is free.
  @inline(__always)
  consuming func release() { SourceLock.release(node) }
  @inline(__always)
  fileprivate static func release(_ node: NodePointer) {
    node.pointee.staledAt.store(0, ordering: .releasing)
    unparkWaiting(on: node.lockAddress)
  }
}

extension ContextPointer {
  /// Commits one value. Takes over the box. False if the source is not at the expected version any more: then nothing is done.
  @inline(__always)
  func commit(_ node: NodePointer, _ words: UnsafeMutablePointer<UInt>, expected: UInt = 0) -> Bool {
    let word = pointee.thread.nextCommitWord()
    // Relaxed: a link that is added now is found below, under the lock.
    var hasSubs = node.pointee.subs.load(ordering: .relaxed) != 0
    if hasSubs { WriteSection.begin(word, thread) }
    let lock = SourceLock(node, word)
    if expected != 0, node.pointee.number.load(ordering: .relaxed) != expected {
      lock.release()
      if hasSubs { WriteSection.end(thread) }
      return false
    }
    if !hasSubs, _slowPath(node.pointee.subs.load(ordering: .relaxed) != 0) {
      hasSubs = true
      WriteSection.begin(word, thread)
      fullFence()
    }
    pointee.commit.isUnderWay = true
    var isConflict = false
    if hasSubs {
      invalidate(node.firstSub, word)
      isConflict = finishInvalidation(word)
    }
    // After the lock, which is a fence, or the one that follows the invalidation.
    if isRead(node) { isConflict = true }
    write(node, words, stamp(isConflict))
    lock.release()
    if hasSubs { WriteSection.end(thread) }
    pointee.commit.isUnderWay = false
    return true
  }
  /// Commits several values together. `writes` has one entry for each source; it is sorted here.
  func commit(_ all: UnsafeMutableBufferPointer<Commit.Write>) -> Bool {
    var writes = all
    // In one order, so that two commits do not wait for each other.
    writes.sort { $0.node < $1.node }
    let word = pointee.thread.nextCommitWord()
    WriteSection.begin(word, thread)
    pointee.commit.isUnderWay = true
    defer {
      WriteSection.end(thread)
      pointee.commit.isUnderWay = false
    }
    for write in writes { lockForCommit(write.node, word) }
    let isMoved = writes.contains {
      $0.expected != 0 && $0.node.pointee.number.load(ordering: .relaxed) != $0.expected
    }
    if !isMoved {
      for write in writes { invalidate(write.node.firstSub, word) }
      var isConflict = finishInvalidation(word)
      for write in writes where isRead(write.node) { isConflict = true }
      let stamp = stamp(isConflict)
      for index in writes.indices { writes[index].words.withWords { self.write(writes[index].node, $0, stamp) } }
    }
    for write in writes { SourceLock.release(write.node) }
    return !isMoved
  }
  /// The locks of several sources are released together, one by one, and no value stands for all of them.
  private func lockForCommit(_ node: NodePointer, _ word: UInt) {
    let lock = SourceLock(node, word)
    lock.forget()
  }

  /// The epoch of the commit. The clock is loaded after the marks, and after the fence that follows the invalidation: a pin that left
  /// no mark because the clock had moved is stamped earlier.
  @inline(__always)
  private func stamp(_ isConflict: Bool) -> UInt {
    _fastPath(!isConflict) ? clockWord.pointee.load(ordering: .acquiring) : advanceClock()
  }
  @inline(never)
  private func advanceClock() -> UInt {
    clockWord.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
  }
  /// Under the lock of the source.
  @inline(__always)
  private func write(_ node: NodePointer, _ words: UnsafeMutablePointer<UInt>, _ stamp: UInt) {
    let isRetained =
      _slowPath(node.pointee.from.load(ordering: .relaxed) < stamp) && retainVersion(of: node, until: stamp)
    if _slowPath(node.has(Node.isBoxed)), !isRetained {
      destroyLater(box: node.pointee.value.load(ordering: .relaxed))
    }
    node.pointee.from.store(stamp, ordering: .relaxed)
    node.storeWords(words, number: node.pointee.number.load(ordering: .relaxed) &+ 1)
  }
}

extension SourceLock {
  /// Somebody else releases the lock.
  fileprivate consuming func forget() {}
}
