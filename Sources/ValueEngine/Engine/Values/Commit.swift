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
    /// Its place in the order of the writes, in which handlers are notified.
    let place: Int
  }
  /// The next step of the caller, which holds no lock any more.
  enum Outcome {
    /// The source is not at the expected version: nothing is done.
    case overtaken
    case done
    /// The handlers of the source are to be called, see `Watch.Delivery`.
    case deliver(Watch.Delivery)
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
  /// Commits one value. Takes over the box, unless it is overtaken.
  @inline(__always)
  func commit(
    _ node: NodePointer, _ words: UnsafeMutablePointer<UInt>, expected: UInt = 0
  ) -> Commit.Outcome {
    let word = pointee.thread.nextCommitWord()
    // Relaxed: a link that is added now is found below, under the lock.
    var hasSubs = node.pointee.subs.load(ordering: .relaxed) != 0
    if hasSubs { WriteSection.begin(word, thread) }
    let lock = SourceLock(node, word)
    if expected != 0, node.pointee.number.load(ordering: .relaxed) != expected {
      lock.release()
      if hasSubs { WriteSection.end(thread) }
      return .overtaken
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
    let delivery = write(node, words, stamp(isConflict))
    lock.release()
    if hasSubs { WriteSection.end(thread) }
    pointee.commit.isUnderWay = false
    return _fastPath(delivery == nil) ? .done : .deliver(delivery.unsafelyUnwrapped)
  }
  /// Commits several values together. `writes` has one entry for each source; it is sorted here. Returns the deliveries that the caller
  /// is to make, in the order of the writes; nil if a source is not at the expected version.
  func commit(_ all: UnsafeMutableBufferPointer<Commit.Write>) -> [Watch.Delivery]? {
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
    var deliveries: [(place: Int, delivery: Watch.Delivery)] = []
    if !isMoved {
      for write in writes { invalidate(write.node.firstSub, word) }
      var isConflict = finishInvalidation(word)
      for write in writes where isRead(write.node) { isConflict = true }
      let stamp = stamp(isConflict)
      for index in writes.indices {
        let delivery = writes[index].words.withWords { write(writes[index].node, $0, stamp) }
        if let delivery { deliveries.append((writes[index].place, delivery)) }
      }
    }
    for write in writes { SourceLock.release(write.node) }
    if isMoved { return nil }
    deliveries.sort { $0.place < $1.place }
    return deliveries.map { $0.delivery }
  }
  /// Locks one of several sources. `SourceLock.release` unlocks them one by one: no value represents all these locks.
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
  /// Under the lock of the source, which orders the changes that its handlers are notified of.
  @inline(__always)
  private func write(
    _ node: NodePointer, _ words: UnsafeMutablePointer<UInt>, _ stamp: UInt
  ) -> Watch.Delivery? {
    let delivery = _slowPath(node.has(Node.isWatched)) ? acceptChange(of: node, to: words) : nil
    let isRetained =
      _slowPath(node.pointee.from.load(ordering: .relaxed) < stamp) && retainVersion(of: node, until: stamp)
    if _slowPath(node.has(Node.isBoxed)), !isRetained {
      destroyLater(box: node.pointee.value.load(ordering: .relaxed))
    }
    node.pointee.from.store(stamp, ordering: .relaxed)
    node.storeWords(words, number: node.pointee.number.load(ordering: .relaxed) &+ 1)
    return delivery
  }
}

extension SourceLock {
  /// The caller releases the lock by `release(_ node:)`.
  fileprivate consuming func forget() {}
}
