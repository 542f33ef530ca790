import Synchronization

typealias SourceVersionPointer = UnsafeMutablePointer<SourceVersion>

/// An old version of a source, which pins at the epochs `from ..< until` see. It belongs to one of them, see `RetainedVersion`, and
/// is in the source's list, where the others find it.
struct SourceVersion: ~Copyable {
  let node: NodePointer
  let words: WordBuffer
  let number: UInt
  let from: UInt
  let until: UInt
  /// Under the link lock of the node.
  let next = Word(0)
}

extension ContextPointer {
  /// The source is being replaced at `stamp`, under its lock. If a pin sees the newest version, it is retained for that pin. False if
  /// none does: then the caller destroys what it replaces.
  @inline(never)
  func retainVersion(of node: NodePointer, until stamp: UInt) -> Bool {
    let from = node.pointee.from.load(ordering: .relaxed)
    // The clock had reached the stamp before this look at the pins.
    fullFence()
    if !ThreadRecord.isPinned(from: from, until: stamp, but: pointee.thread.record) { return false }
    let version = SourceVersionPointer.allocate(capacity: 1)
    version.initialize(
      to: SourceVersion(
        node: node, words: currentWords(of: node), number: node.pointee.number.load(ordering: .relaxed), from: from,
        until: stamp))
    node.retain()
    // First where pins find it, then with the pin that is to destroy it.
    let held = HeldLock(node.linkLock)
    // relaxed: under the lock, as each access is.
    version.pointee.next.store(node.pointee.retained.load(ordering: .relaxed), ordering: .relaxed)
    node.pointee.retained.store(UInt(bitPattern: version), ordering: .releasing)
    held.release()
    let retained = RetainedVersion(from: from, until: stamp, version) {
      SourceVersion.destroy($0.assumingMemoryBound(to: SourceVersion.self))
    }
    if !thread.leaveToPin(retained) {
      // The pins have ended meanwhile. The caller still destroys the value.
      SourceVersion.remove(version)
      releaseLater(node)
      version.deinitialize(count: 1)
      version.deallocate()
      return false
    }
    return true
  }

  /// The version at the snapshot: not the newest.
  func retainedVersion(of node: NodePointer) -> Known {
    let snapshot = pointee.thread.snapshot
    // Under the lock, because other versions of the list may be destroyed. This one is not: its pin is this thread's, or passes it on.
    let held = HeldLock(node.linkLock)
    var next = SourceVersionPointer(bitPattern: node.pointee.retained.load(ordering: .acquiring))
    while let version = next, snapshot < version.pointee.from || snapshot >= version.pointee.until {
      next = SourceVersionPointer(bitPattern: version.pointee.next.load(ordering: .relaxed))
    }
    guard let version = next else { fatalError("no version of a value at epoch \(snapshot)") }
    var words = version.pointee.words
    held.release()
    pointee.computation.more = (words.words.1, words.words.2, words.words.3)
    return Known(private: words.withWords { $0.pointee })
  }
}

extension SourceVersion {
  fileprivate static func remove(_ version: SourceVersionPointer) {
    let node = version.pointee.node
    let held = HeldLock(node.linkLock)
    let next = version.pointee.next.load(ordering: .relaxed)
    var previous: SourceVersionPointer?
    var at = SourceVersionPointer(bitPattern: node.pointee.retained.load(ordering: .relaxed))
    while let other = at, other != version {
      previous = other
      at = SourceVersionPointer(bitPattern: other.pointee.next.load(ordering: .relaxed))
    }
    if let previous {
      // relaxed: `next` was in the list before, and each access is under the lock.
      previous.pointee.next.store(next, ordering: .relaxed)
    } else {
      // relaxed: for the same reasons.
      node.pointee.retained.store(next, ordering: .relaxed)
    }
    held.release()
  }
  /// Its last pin has ended.
  fileprivate static func destroy(_ version: SourceVersionPointer) {
    let context = Context.current
    remove(version)
    let node = version.pointee.node
    if node.has(Node.isBoxed) { context.destroyLater(box: version.pointee.words.words.0) }
    context.releaseLater(node)
    version.deinitialize(count: 1)
    version.deallocate()
  }
}
