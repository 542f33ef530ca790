/// What was taken out and may only be let go outside the lock: the end of a capture is user code.
///
/// One word, nil while empty, which it mostly is: as four arrays it took half the time of a nested emit.
struct Trash {
  private final class Bag {
    var slots: [Unmanaged<Slot>] = []
    var tables: [Table] = []
    var waiters: [UnsafeContinuation<Void, Never>] = []
    var tickets: [Ticket] = []
    var endings: [Ending] = []
    var objects: [AnyObject] = []
    var others: [Trash] = []
  }
  private var bag: Bag?

  var isEmpty: Bool { bag == nil }
  private mutating func filled() -> Bag {
    if bag == nil { bag = Bag() }
    return bag!
  }
  mutating func add(slot: Unmanaged<Slot>) { filled().slots.append(slot) }
  mutating func add(table: Table) { filled().tables.append(table) }
  mutating func add(waiter: UnsafeContinuation<Void, Never>) { filled().waiters.append(waiter) }
  mutating func add(ticket: Ticket) { filled().tickets.append(ticket) }
  /// Of a handler whose owner may have gone. Asking is for outside, too: it may be what ends the owner.
  mutating func add(ending: Ending) { filled().endings.append(ending) }
  /// To be released.
  mutating func add(object: AnyObject) { filled().objects.append(object) }
  mutating func add(_ other: Trash) {
    if isEmpty { self = other } else if !other.isEmpty { filled().others.append(other) }
  }

  @inline(__always)
  mutating func take() -> Trash {
    if isEmpty { return Trash() }
    defer { self = Trash() }
    return self
  }
  /// Under the lock: an emit that still walks one of these tables does not call this slot any more.
  func silence(_ slot: Unmanaged<Slot>, from place: Int) {
    guard let bag else { return }
    for table in bag.tables { table.silence(slot, from: place) }
    for other in bag.others { other.silence(slot, from: place) }
  }

  /// What a deliverer may let go between two calls: everything but tables, of which it may walk one.
  mutating func takeAllButTables() -> Trash {
    guard let bag else { return Trash() }
    var all = Trash()
    let rest = all.filled()
    swap(&rest.slots, &bag.slots)
    swap(&rest.waiters, &bag.waiters)
    return all
  }

  @inline(__always)
  func dispose() { if let bag { dispose(bag) } }
  @inline(never)
  private func dispose(_ bag: Bag) {
    // Others may have cancelled it: what ends writes to no transaction of the thread that comes by.
    let scope = DetachedScope.ofTransaction()
    defer { scope.end() }
    for slot in bag.slots { slot.release() }
    bag.objects = []
    for table in bag.tables { table.free() }
    for waiter in bag.waiters { waiter.resume() }
    for ticket in bag.tickets { ticket.leave() }
    for ending in bag.endings where ending.isOrphaned { ending.cancel() }
    for other in bag.others { other.dispose() }
  }
}
