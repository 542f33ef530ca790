import Synchronization

/// A read mark: the thread whose computations read a node at the clock's present epoch, so that a commit of the node advances the clock.
///
/// A mark is the epoch (40 bits), the thread (12) and the generation of its pin (12). A second thread that is reading at the same epoch
/// makes it the mark of *several*. A commit looks at the pin of the thread that the mark names: only if that pin, or one of the
/// same generation, is running, the commit conflicts. Without the generation every object that wanders from one thread to another
/// advanced the clock. Epochs are compared for equality only, so 40 bits of them suffice.
struct ReadMark {
  let word: UInt

  @inline(__always)
  init(_ word: UInt) { self.word = word }
  @inline(__always)
  init(_ epoch: UInt, _ thread: UInt, _ generation: UInt) {
    word = epoch << 24 | thread << 12 | generation
  }

  static var several: UInt { 0xFFF }
  @inline(__always)
  var thread: UInt { word >> 12 & 0xFFF }
  @inline(__always)
  func isOf(_ epoch: UInt) -> Bool { word >> 24 == epoch & 0xFF_FFFF_FFFF }

  /// Whether the pin that left this mark, or one that may rely on it, is running. Call after a full fence: a pin that it misses is
  /// announced later, and finds what the caller has written before.
  @inline(__always)
  var isActive: Bool {
    if thread == ReadMark.several { return true }
    guard let record = ThreadRecord.of(thread) else { return false }
    let pin = Pin(record.pointee.pin.load(ordering: .acquiring))
    return pin.isRunning && isOf(pin.epoch) && pin.generation == word & 0xFFF
  }

  /// The marks of the running pin.
  struct Own {
    private(set) var mine: UInt = 0
    private(set) var several: UInt = 0
    /// The thread's number in marks. Threads beyond 4,094 have none, and always mark as several.
    let thread: UInt

    init(_ number: UInt) { thread = number < ReadMark.several ? number : .max }

    @inline(__always)
    mutating func begin(_ epoch: UInt, _ pins: UInt) {
      several = ReadMark(epoch, ReadMark.several, 0).word
      mine = _fastPath(thread != .max) ? ReadMark(epoch, thread, Pin.generation(ofNumber: pins)).word : several
    }
  }
}

extension ContextPointer {
  /// A commit of the node that comes after this is stamped later than the snapshot.
  @inline(__always)
  func mark(_ node: NodePointer) {
    // Relaxed: the compare-exchange that left this mark was earlier in this thread, and is ordered before later loads.
    let found = node.pointee.mark.load(ordering: .relaxed)
    if _fastPath(found == pointee.marks.mine || found == pointee.marks.several) { return }
    markSlowly(node)
  }
  @inline(never)
  private func markSlowly(_ node: NodePointer) {
    let (mine, several, snapshot) = (pointee.marks.mine, pointee.marks.several, pointee.thread.snapshot)
    while true {
      let word = node.pointee.mark.load(ordering: .acquiring)
      if word == mine || word == several { return }
      let found = ReadMark(word)
      if found.thread != pointee.marks.thread, word != 0, !node.has(Node.isShared) { node.add(Node.isShared) }
      if clockWord.pointee.load(ordering: .acquiring) != snapshot {
        // Every commit that has not loaded its stamp yet is stamped later already, and the others have invalidated before they
        // loaded it. The fence orders that for processors on which the acquiring load does not. The mark only says who reads the
        // node, for `Destruction`.
        if word == 0 || found.thread == pointee.marks.thread {
          let isDone = node.pointee.mark.compareExchange(
            expected: word, desired: mine, ordering: .sequentiallyConsistent
          ).exchanged
          if !isDone { continue }
        }
        fullFence()
        return
      }
      let isOthers = word != 0 && found.isOf(snapshot) && found.thread != pointee.marks.thread
      let new = isOthers && found.isActive ? several : mine
      let isDone = node.pointee.mark.compareExchange(
        expected: word, desired: new, ordering: .sequentiallyConsistent
      ).exchanged
      if !isDone { continue }
      // The mark, then the read: a commit invalidates, then looks at the mark.
      fullFenceAfterUpdate()
      // The other thread may have been pinned since, and have found its mark here.
      if new == mine, isOthers, found.isActive {
        _ = node.pointee.mark.compareExchange(expected: mine, desired: several, ordering: .sequentiallyConsistent)
      }
      return
    }
  }

  /// Whether a computation on another thread may have read what this commit is replacing. After the fence that follows the lock or
  /// the invalidation.
  @inline(__always)
  func isRead(_ node: NodePointer) -> Bool {
    let word = node.pointee.mark.load(ordering: .acquiring)
    if _fastPath(word == 0 || ReadMark(word).thread == pointee.marks.thread) { return false }
    return isReadElsewhere(ReadMark(word))
  }
  @inline(never)
  private func isReadElsewhere(_ mark: ReadMark) -> Bool {
    // The clock after the mark: if it has moved since the mark, this commit is stamped later than that pin.
    mark.isOf(clockWord.pointee.load(ordering: .acquiring)) && mark.isActive
  }
}
