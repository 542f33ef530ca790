/// Retired objects: what was removed under a lock and is destroyed outside, since destroying a capture runs user code.
///
/// One word, nil while empty, which is the usual case: as four arrays it took half the time of a nested emit.
struct RetiredObjects {
  private final class Bag {
    var slots: [Unmanaged<Slot>] = []
    var tables: [Table] = []
    var waiters: [UnsafeContinuation<Void, Never>] = []
    var counters: [CompletionCounter] = []
    var selfCancellations: [SelfCancellation] = []
    var objects: [AnyObject] = []
    var others: [RetiredObjects] = []
    var revoked: [RevokedUpstream] = []
  }
  private var bag: Bag?

  var isEmpty: Bool { bag == nil }
  private mutating func filled() -> Bag {
    if bag == nil { bag = Bag() }
    return bag!
  }
  mutating func add(slot: Unmanaged<Slot>) { filled().slots.append(slot) }
  mutating func add(table: Table) { filled().tables.appendUnspecialized(table) }
  mutating func add(waiter: UnsafeContinuation<Void, Never>) { filled().waiters.appendUnspecialized(waiter) }
  mutating func add(counter: CompletionCounter) { filled().counters.appendUnspecialized(counter) }
  /// Adds the self-cancellation of a handler whose owner may have been deinitialized. That is also checked outside the lock: the
  /// check may release the owner.
  mutating func add(selfCancellation: SelfCancellation) {
    filled().selfCancellations.appendUnspecialized(selfCancellation)
  }
  /// To be released.
  mutating func add(object: AnyObject) { filled().objects.appendUnspecialized(object) }
  /// Adds an upstream subscription; values that came through it are not delivered any further.
  mutating func add(revoked origin: UpstreamNumber) { filled().revoked.appendUnspecialized(RevokedUpstream(origin)) }
  func hasRevoked(_ origin: UpstreamNumber) -> Bool {
    guard origin != .none, let bag else { return false }
    for revoked in bag.revoked where revoked.number == origin { return true }
    return false
  }
  mutating func add(_ other: RetiredObjects) {
    if isEmpty { self = other } else if !other.isEmpty { filled().others.appendUnspecialized(other) }
  }

  @inline(__always)
  mutating func take() -> RetiredObjects {
    if isEmpty { return RetiredObjects() }
    defer { self = RetiredObjects() }
    return self
  }
  /// Under the lock: an emit that still walks one of these tables does not call this slot any more.
  func markPaused(_ slot: Unmanaged<Slot>, from place: Int) {
    guard let bag else { return }
    for table in bag.tables { table.markPaused(slot, from: place) }
    for other in bag.others { other.markPaused(slot, from: place) }
  }

  /// Takes the objects that a delivering thread may destroy between two calls: everything but tables, of which it may walk one.
  mutating func takeAllButTables() -> RetiredObjects {
    guard let bag else { return RetiredObjects() }
    var all = RetiredObjects()
    let rest = all.filled()
    swap(&rest.slots, &bag.slots)
    swap(&rest.waiters, &bag.waiters)
    return all
  }

  @inline(__always)
  func dispose() { if let bag { dispose(bag) } }
  @inline(never)
  @_optimize(size)
  private func dispose(_ bag: Bag) {
    // Another thread may have cancelled it: what is destroyed writes to no transaction of this thread.
    let scope = DetachedScope.ofTransaction()
    defer { scope.end() }
    for slot in bag.slots { Destruction.release(slot) }
    bag.objects = []
    for table in bag.tables { table.free() }
    for waiter in bag.waiters { waiter.resume() }
    for counter in bag.counters { counter.leave() }
    for selfCancellation in bag.selfCancellations where selfCancellation.isOrphaned { selfCancellation.cancel() }
    for other in bag.others { other.dispose() }
  }
}

/// A class, as arrays of references are specialized code already.
private final class RevokedUpstream {
  let number: UpstreamNumber
  init(_ number: UpstreamNumber) { self.number = number }
}
