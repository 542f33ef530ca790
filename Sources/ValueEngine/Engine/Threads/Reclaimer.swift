import Synchronization

/// Memory that other threads may still be following: retired objects, which are reclaimed when every pin and every write section
/// that was running has ended (epoch-based reclamation; a batch is a limbo list).
///
/// An object is retired after nothing leads to it any more. A thread that can still hold its address announced a pin or a write
/// section before that, and the fence in `collect` orders the retirement before the look at these announcements.
struct Reclaimer: ~Copyable {
  struct Retired: BitwiseCopyable {
    let object: UnsafeMutableRawPointer
    let reclaim: @convention(c) (UnsafeMutableRawPointer) -> Void
  }
  /// An announcement that was running when a batch was closed. A word of 0 has ended.
  struct Awaited: BitwiseCopyable {
    let record: ThreadRecordPointer
    let pin: UInt
    let section: UInt
  }
  /// The objects retired since the last batch was closed.
  private var open = RawStack<Retired>()
  /// The closed batch, and the announcements that it waits for.
  private var closed = RawStack<Retired>()
  private var awaited = RawStack<Awaited>()
  private var isCollecting = false

  static var batch: Int { 64 }
  var count: Int { open.count + closed.count }

  /// Retires an object that nothing leads to any more.
  @inline(__always)
  static func retire(
    _ object: UnsafeMutableRawPointer, _ thread: ThreadPointer,
    reclaim: @escaping @convention(c) (UnsafeMutableRawPointer) -> Void
  ) {
    thread.pointee.reclaimer.open.push(Retired(object: object, reclaim: reclaim))
    if _slowPath(thread.pointee.reclaimer.open.count >= batch) { collect(thread) }
  }

  /// Reclaims the closed batch if it is free, and closes another. Static: what it reclaims may retire more.
  @inline(never)
  static func collect(_ thread: ThreadPointer) {
    if thread.pointee.reclaimer.isCollecting { return }
    thread.pointee.reclaimer.isCollecting = true
    if thread.pointee.reclaimer.isFree() {
      reclaimClosed(thread)
      Orphans.shared.adopt { thread.pointee.reclaimer.open.push($0) }
      thread.pointee.reclaimer.close()
      // Usually no announcement is running.
      if thread.pointee.reclaimer.awaited.isEmpty { reclaimClosed(thread) }
    }
    thread.pointee.reclaimer.isCollecting = false
  }
  private static func reclaimClosed(_ thread: ThreadPointer) {
    while !thread.pointee.reclaimer.closed.isEmpty {
      let retired = thread.pointee.reclaimer.closed.pop()
      retired.reclaim(retired.object)
    }
  }
  /// Whether every announcement that the batch waits for has ended.
  private mutating func isFree() -> Bool {
    while !awaited.isEmpty {
      let last = awaited[awaited.count - 1]
      let pin = Pin(last.record.pointee.pin.load(ordering: .acquiring))
      if last.pin != 0, pin.isRunning, pin.isSame(as: Pin(last.pin)) { return false }
      if last.section != 0, last.record.pointee.writeSection.load(ordering: .acquiring) == last.section { return false }
      _ = awaited.pop()
    }
    return true
  }
  private mutating func close() {
    swap(&open, &closed)
    fullFence()
    // Also the own announcements: a commit or a computation of this thread may be following links.
    ThreadRecord.forEach(but: nil) { record in
      let pin = record.pointee.pin.load(ordering: .acquiring)
      let section = record.pointee.writeSection.load(ordering: .acquiring)
      if pin != 0 || section != 0 { awaited.push(Awaited(record: record, pin: pin, section: section)) }
      return true
    }
  }

  // MARK: Threads that end

  /// Leaves the objects that cannot be reclaimed yet to the next thread that collects.
  static func leave(_ thread: ThreadPointer) {
    Orphans.shared.add { add in
      while !thread.pointee.reclaimer.open.isEmpty { add(thread.pointee.reclaimer.open.pop()) }
      while !thread.pointee.reclaimer.closed.isEmpty { add(thread.pointee.reclaimer.closed.pop()) }
      thread.pointee.reclaimer.awaited.truncate(to: 0)
    }
  }
  /// Retired objects of threads that have ended.
  private final class Orphans: @unchecked Sendable {  // `objects` is accessed under the lock
    static let shared = Orphans()
    private let lock = ParkingLockPointer.allocate(capacity: 1)
    private let count = Word(0)
    private var objects: [Retired] = []
    init() { lock.initialize(to: ParkingLock()) }

    func add(_ body: ((Retired) -> Void) -> Void) {
      let held = HeldLock(lock)
      body { objects.append($0) }
      count.store(UInt(objects.count), ordering: .relaxed)
      held.release()
    }
    func adopt(_ body: (Retired) -> Void) {
      // A stale count delays the adoption to the next collection.
      if count.load(ordering: .relaxed) == 0 { return }
      let held = HeldLock(lock)
      let all = objects
      objects = []
      count.store(0, ordering: .relaxed)
      held.release()
      for retired in all { body(retired) }
    }
  }
}
