import Synchronization

/// A pin as other threads see it: the snapshot's epoch, the number of the pin, and whether retained versions belong to it.
struct Pin: Equatable {
  let word: UInt

  @inline(__always)
  init(_ word: UInt) { self.word = word }
  @inline(__always)
  init(epoch: UInt, number: UInt) { word = epoch << 16 | (number & 0x7FFF) << 1 }

  static var retains: UInt { 1 }
  var isRunning: Bool { @inline(__always) get { word != 0 } }
  var epoch: UInt { @inline(__always) get { word >> 16 } }
  /// Pins of a thread in groups of 64, see `ReadMark`.
  var generation: UInt { @inline(__always) get { Pin.generation(ofNumber: word >> 1) } }
  var hasRetained: Bool { @inline(__always) get { word & Pin.retains != 0 } }
  @inline(__always)
  static func generation(ofNumber number: UInt) -> UInt { (number & 0x7FFF) >> 6 }
  /// The same pin: the bit may have been set since.
  @inline(__always)
  func isSame(as other: Pin) -> Bool { (word ^ other.word) & ~Pin.retains == 0 }
}

extension ThreadPointer {
  /// Pins the state of all values at the clock's epoch. All reads until `unpin` are of this snapshot.
  @inline(__always)
  func pin() {
    assert(pointee.snapshot == 0)
    pointee.pins &+= 1
    var epoch = clockWord.pointee.load(ordering: .relaxed)
    pointee.record.pointee.pin.store(Pin(epoch: epoch, number: pointee.pins).word, ordering: .relaxed)
    // Store, then load: a commit that advances the clock finds this pin, or this thread finds the later epoch.
    fullFence()
    while true {
      // Acquires what the commits stamped with this epoch or less have written.
      let now = clockWord.pointee.load(ordering: .acquiring)
      if _fastPath(now == epoch) { break }
      epoch = now
      renew(to: epoch)
    }
    pointee.snapshot = epoch
  }
  @inline(never)
  private func renew(to epoch: UInt) {
    let old = pointee.record.pointee.pin.exchange(
      Pin(epoch: epoch, number: pointee.pins).word, ordering: .sequentiallyConsistent)
    // A commit may have taken the first announcement for a pin, and left a version.
    if Pin(old).hasRetained { passOnRetained() }
  }

  @inline(__always)
  func unpin() {
    // An exchange, so that no version is left with a pin that has ended: its thread sees the bit, or the other thread's
    // compare-exchange fails.
    let old = pointee.record.pointee.pin.exchange(0, ordering: .sequentiallyConsistent)
    pointee.snapshot = 0
    if _slowPath(Pin(old).hasRetained) { passOnRetained() }
  }
}

extension ThreadRecord {
  /// Whether some thread but `own` has a pin at an epoch in `from ..< until`. Call after a full fence.
  ///
  /// Once the pins before `until` have all ended, none can begin: `settled` says so to later callers.
  static func isPinned(from: UInt, until: UInt, but own: ThreadRecordPointer) -> Bool {
    if settledWord.pointee.load(ordering: .acquiring) >= until { return false }
    var (isPinned, isSettled) = (false, true)
    forEach(but: nil) { record in
      let pin = Pin(record.pointee.pin.load(ordering: .acquiring))
      if !pin.isRunning || pin.epoch >= until { return true }
      isSettled = false
      if record != own, pin.epoch >= from { isPinned = true }
      return true
    }
    if isSettled { settledWord.pointee.max(until, ordering: .sequentiallyConsistent) }
    return isPinned
  }
}
