import Synchronization

// The stamps of a graph's commits, and the pins of threads at its snapshots.
extension Graph {
  // MARK: Time

  /// Begins a commit. Its values are right from its stamp on, which is later than every pin in this graph.
  @inline(__always)
  mutating func advance() {
    let now = VersionClock.now
    if let newestPin, newestPin.pointee.seen.snapshot >= now { epoch = VersionClock.tick() } else { epoch = now }
  }
  /// The end of the snapshots for which a value computed at `snapshot` is right. `isLate` says that an input may have changed
  /// since.
  @inline(__always)
  mutating func validUntil(at snapshot: UInt, isLate: Bool) -> UInt {
    isLate ? lateValidUntil(at: snapshot) : Version.open
  }
  @inline(never)
  private mutating func lateValidUntil(at snapshot: UInt) -> UInt {
    // No later commit may be stamped with the snapshot: the value would count as right after it.
    leave(snapshot)
    return snapshot &+ 1
  }
  /// Ensures that the next pin has a later snapshot.
  mutating func leave(_ snapshot: UInt) {
    if VersionClock.now <= snapshot { epoch = VersionClock.tick() }
  }

  // MARK: Pins

  @inline(__always)
  mutating func pin(_ context: ContextPointer) {
    context.pointee.seen.graph = address
    thread = UInt(bitPattern: context)
    context.pointee.seen.snapshot = Announcement.snapshot(context.pointee.announcement, in: &self)
    append(context)
  }
  /// Adds a pin, which has the latest snapshot.
  @inline(__always)
  private mutating func append(_ context: ContextPointer) {
    pins &+= 1
    pinned &+= 1
    context.pointee.pin.number = pins
    context.pointee.pin.previous = newestPin
    context.pointee.pin.next = nil
    if let newestPin { newestPin.pointee.pin.next = context } else { oldestPin = context }
    newestPin = context
  }

  /// Removes a pin. True if a copy may have been kept for it, see `KeptCopies`.
  @inline(__always)
  mutating func removePin(_ context: ContextPointer) -> Bool {
    let (previous, next) = (context.pointee.pin.previous, context.pointee.pin.next)
    if let previous { previous.pointee.pin.next = next } else { oldestPin = next }
    if let next { next.pointee.pin.previous = previous } else { newestPin = previous }
    context.pointee.seen.snapshot = 0
    pinned &-= 1
    return Announcement.retract(context.pointee.announcement)
  }

  /// Merges the pins of two graphs, in the order of their snapshots.
  mutating func takePins(of other: GraphPointer) {
    var (one, two) = (oldestPin, other.pointee.oldestPin)
    pins = max(pins, other.pointee.pins)
    (oldestPin, newestPin, pinned) = (nil, nil, 0)
    (other.pointee.oldestPin, other.pointee.newestPin, other.pointee.pinned) = (nil, nil, 0)
    while let next = one ?? two {
      var chosen = next
      if let one, let two, two.pointee.seen.snapshot < one.pointee.seen.snapshot { chosen = two }
      if chosen == one { one = chosen.pointee.pin.next } else { two = chosen.pointee.pin.next }
      append(chosen)
    }
  }

  /// Whether the calling thread, which is pinned in this graph, is the only pinned one.
  var isAlone: Bool { @inline(__always) get { pinned == 1 } }

  /// Whether a pin other than this thread's sees the value of a version that has been replaced.
  func isSeen(_ version: VersionPointer, except own: ContextPointer?) -> Bool {
    let (from, until) = (version.pointee.validFrom, version.pointee.validUntil.load(ordering: .relaxed))
    var next = newestPin
    while let pin = next, pin.pointee.seen.snapshot >= from {
      if pin != own, pin.pointee.seen.snapshot < until { return true }
      next = pin.pointee.pin.previous
    }
    return false
  }

  /// Whether a pin in another graph may come to see the value of a version, from its `validFrom` to before `until`. For sources
  /// only, because derived values can be recomputed.
  @inline(__always)
  func isSeenElsewhere(_ version: VersionPointer, until: UInt) -> Bool {
    version.pointee.validFrom < until && Announcement.isPinned(from: version.pointee.validFrom, until: until)
  }

  /// Requests a recheck of the kept copies when the pin under way ends, or earlier.
  mutating func recheckKeptCopies() { unseen = Retired.chain(Retired.makeRecheck(), before: unseen) }
}
