import Synchronization

typealias RetainedPointer = UnsafeMutablePointer<RetainedVersion>

/// An old version that the pins at the epochs `from ..< until` may read. It belongs to one of them. When that pin ends, the version
/// passes to another such pin, or is destroyed.
///
/// So each version is destroyed once, by the last pin that sees it, and no commit looks for versions that are over.
struct RetainedVersion {
  let from: UInt
  let until: UInt
  let object: UnsafeMutableRawPointer
  /// Destroys the object. It runs outside pins and locks, because destroying a value runs user code.
  let destroy: @convention(c) (UnsafeMutableRawPointer) -> Void
  fileprivate var next: RetainedPointer?

  init(
    from: UInt, until: UInt, _ object: UnsafeMutableRawPointer,
    destroy: @escaping @convention(c) (UnsafeMutableRawPointer) -> Void
  ) {
    (self.from, self.until, self.object, self.destroy, next) = (from, until, object, destroy, nil)
  }
}

extension ThreadPointer {
  /// Leaves a version to a pin of another thread that sees it. False if there is none: then the caller destroys it.
  ///
  /// Readers must be able to find the version before this is called, because such a pin may end immediately.
  @inline(never)
  func leaveToPin(_ version: RetainedVersion) -> Bool {
    let entry = RetainedPointer.allocate(capacity: 1)
    entry.initialize(to: version)
    if give(entry) { return true }
    entry.deallocate()
    return false
  }
  private func give(_ entry: RetainedPointer) -> Bool {
    let (from, until) = (entry.pointee.from, entry.pointee.until)
    // The caller's writes, the clock's epoch included, come before the look at the pins: a pin that is missed begins later.
    fullFence()
    var isGiven = false
    ThreadRecord.forEach(but: pointee.record) { record in
      while true {
        let pin = record.pointee.pin.load(ordering: .acquiring)
        if pin == 0 || Pin(pin).epoch < from || Pin(pin).epoch >= until { return true }
        let held = HeldLock(ThreadRecord.retainedLock(of: record))
        // Under the lock, so that the pin's thread finds the entry when it has found the bit.
        isGiven =
          record.pointee.pin.compareExchange(
            expected: pin, desired: pin | Pin.retains, ordering: .sequentiallyConsistent
          ).exchanged
        if isGiven {
          entry.pointee.next = RetainedPointer(bitPattern: record.pointee.retained.load(ordering: .relaxed))
          // relaxed: under the lock, as each access is.
          record.pointee.retained.store(UInt(bitPattern: entry), ordering: .relaxed)
        }
        held.release()
        if isGiven { return false }
      }
    }
    return isGiven
  }

  /// The pin has ended: passes its versions on, and destroys those that no pin sees.
  @inline(never)
  func passOnRetained() {
    let record = pointee.record
    let held = HeldLock(ThreadRecord.retainedLock(of: record))
    var next = RetainedPointer(bitPattern: record.pointee.retained.exchange(0, ordering: .relaxed))
    held.release()
    while let entry = next {
      next = entry.pointee.next
      if give(entry) { continue }
      let version = entry.move()
      entry.deallocate()
      version.destroy(version.object)
    }
  }
}
