import Synchronization

typealias ParkingLockPointer = UnsafeMutablePointer<ParkingLock>

/// A lock of four bytes for regions of a few instructions. No user code runs while it is held.
///
/// A thread that finds it taken spins briefly and then parks, so that a real-time thread cannot starve the holder.
struct ParkingLock: ~Copyable {
  private let taken = Atomic<UInt32>(0)

  /// Takes the lock. Static, because a thread that parks must not borrow the value meanwhile.
  ///
  /// Acquires what was written under the lock. No caller relies on it as a fence.
  @inline(__always)
  static func take(_ lock: ParkingLockPointer) {
    let isFree = lock.pointee.taken.compareExchange(
      expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
    if _slowPath(!isFree) { wait(for: lock) }
  }
  @inline(__always)
  static func release(_ lock: ParkingLockPointer) {
    // All that was written under the lock becomes visible before the lock is free.
    lock.pointee.taken.store(0, ordering: .releasing)
    unparkWaiting(on: lock)
  }
  /// For assertions alone.
  static func isTaken(_ lock: ParkingLockPointer) -> Bool { lock.pointee.taken.load(ordering: .relaxed) != 0 }

  @inline(never)
  private static func wait(for lock: ParkingLockPointer) {
    while true {
      for _ in 0..<100 {
        // The plain load keeps the line shared while the holder works.
        if lock.pointee.taken.load(ordering: .relaxed) == 0,
          lock.pointee.taken.compareExchange(
            expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed
          ).exchanged
        {
          return
        }
        spinPause()
      }
      park(on: lock, while: 1)
    }
  }
}

/// The caller holds the lock. The compiler sees that each is released once.
struct HeldLock: ~Copyable {
  private let lock: ParkingLockPointer

  @inline(__always)
  init(_ lock: ParkingLockPointer) {
    ParkingLock.take(lock)
    self.lock = lock
  }
  @inline(__always)
  consuming func release() { ParkingLock.release(lock) }
}
