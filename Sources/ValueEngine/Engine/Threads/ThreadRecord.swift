import Synchronization

typealias ThreadRecordPointer = UnsafeMutablePointer<ThreadRecord>

/// The part of a thread that others read. A record of its own, in lines of its own: its thread writes it for each pin and for each
/// commit that follows links. All else that belongs to a thread is private, see `PinnedThread`.
///
/// Every field is atomic or constant. A record is never freed: a thread that ends leaves it to the next one.
struct ThreadRecord: ~Copyable {
  /// The running pin: the snapshot's epoch (48 bits), the number of the pin (15), and whether retained versions belong to it (1).
  /// 0 while the thread is not pinned. See `Pin`.
  let pin = Word(0)
  /// The word of the commit that is following links; 0 for none. See `WriteSection`.
  let writeSection = Word(0)
  /// The first of the retained versions that belong to the pin. Under `retainedLock`.
  let retained = Word(0)
  /// The numbers of the last pin and the last commit of a thread that has ended. Ordered by the lock that hands the record on.
  let lastPin = Word(0)
  let lastCommit = Word(1)

  /// The lock is after the record in its memory, where it has an address to park on.
  @inline(__always)
  static func retainedLock(of record: ThreadRecordPointer) -> ParkingLockPointer {
    UnsafeMutableRawPointer(record + 1).assumingMemoryBound(to: ParkingLock.self)
  }

  @inline(__always)
  static func of(_ number: UInt) -> ThreadRecordPointer? {
    recordMemory(of: number)?.assumingMemoryBound(to: ThreadRecord.self)
  }
  /// Calls `body` with the record of every thread but one, until it returns false.
  @inline(__always)
  static func forEach(but own: ThreadRecordPointer?, _ body: (ThreadRecordPointer) -> Bool) {
    // A thread that is not counted yet has not announced a pin that the caller's fence could have missed: it is counted before.
    let count = threadsWord.pointee.load(ordering: .acquiring)
    var number: UInt = 1
    while number <= count {
      if let record = of(number), record != own, !body(record) { return }
      number &+= 1
    }
  }
  // MARK: Numbers

  /// The records that threads have left, under a lock. Rare: once for each thread.
  private static let left = Left()
  private final class Left: @unchecked Sendable {  // every access is under the lock
    let lock = ParkingLockPointer.allocate(capacity: 1)
    var numbers: [UInt] = []
    init() { lock.initialize(to: ParkingLock()) }
  }

  /// A record for a thread that begins, with the thread's number.
  static func adopt() -> UInt {
    let held = HeldLock(left.lock)
    let number = left.numbers.popLast() ?? make()
    held.release()
    return number
  }
  private static func make() -> UInt {
    let number = threadsWord.pointee.load(ordering: .relaxed) + 1
    precondition(number < threadCapacity, "more than \(threadCapacity - 1) threads use values simultaneously")
    // Two lines, so that no other record shares the prefetcher's pair.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
    memory.bindMemory(to: ThreadRecord.self, capacity: 1).initialize(to: ThreadRecord())
    retainedLock(of: memory.assumingMemoryBound(to: ThreadRecord.self)).initialize(to: ParkingLock())
    setRecordMemory(memory, of: number)
    // The record is complete before a scan counts it; and it is counted before the thread's first pin.
    threadsWord.pointee.store(number, ordering: .sequentiallyConsistent)
    return number
  }
  static func leave(_ number: UInt) {
    let held = HeldLock(left.lock)
    left.numbers.append(number)
    held.release()
  }
}
