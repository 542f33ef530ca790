import Synchronization

/// The handlers in their order: [count, capacity, entry, entry, …] in raw memory.
///
/// An entry is the address of a slot with tags in its low bits. One test of the first two decides whether the handler may be
/// called directly, which is why a blank place is not 0.
struct Table {
  /// The slot needs the delivery context: it is isolated, or begins a chain of operators.
  static let routed: UInt = 1
  /// Not to be called: paused, or (alone) blank.
  static let paused: UInt = 2
  static let blank: UInt = paused
  /// With `routed`: an `IsolatedSlot`, which code that delivers on its actor calls on the fast path.
  static let isolated: UInt = 4
  static let tags = routed | paused | isolated

  @inline(__always)
  static func slot(of entry: UInt) -> UnsafeRawPointer {
    UnsafeRawPointer(bitPattern: entry & ~tags).unsafelyUnwrapped
  }

  private let base: UnsafeMutablePointer<UInt>

  init(capacity: Int) {
    base = .allocate(capacity: capacity + 2)
    base[0] = 0
    base[1] = UInt(Int32(capacity)) << 1  // a `Registration` has 32 bits for its place
  }
  init?(bits: UInt) {
    guard let base = UnsafeMutablePointer<UInt>(bitPattern: bits) else { return nil }
    self.base = base
  }
  func free() { base.deallocate() }

  var bits: UInt { UInt(bitPattern: base) }
  var capacity: Int { Int(bitPattern: cell(1).pointee.load(ordering: .relaxed) >> 1) }

  /// The low bit of the second word, below the capacity. An emit that may overlap others sets it before it calls the first
  /// handler: a table without it may still be changed, since no emit has begun with it.
  private static let walked: UInt = 1
  @inline(__always)
  func markWalked() {
    let bits = cell(1).pointee.load(ordering: .relaxed)
    // relaxed: a capacity and a bit, no address.
    if bits & Self.walked == 0 { cell(1).pointee.store(bits | Self.walked, ordering: .relaxed) }
  }
  var isWalked: Bool { cell(1).pointee.load(ordering: .relaxed) & Self.walked != 0 }

  @inline(__always)
  private func cell(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt>> {
    UnsafeMutableRawPointer(base + index).assumingMemoryBound(to: Atomic<UInt>.self)
  }

  /// Stored with release, loaded with acquire: a thread that sees the count sees the entries that it counts, and their slots.
  var count: Int {
    @inline(__always) get { Int(bitPattern: cell(0).pointee.load(ordering: .acquiring)) }
    nonmutating set { cell(0).pointee.store(UInt(bitPattern: newValue), ordering: .releasing) }
  }
  subscript(index: Int) -> UInt {
    @inline(__always) get { cell(index &+ 2).pointee.load(ordering: .relaxed) }
    // relaxed: the count, or the address of the table, is stored after a new entry, and releases it.
    nonmutating set { cell(index &+ 2).pointee.store(newValue, ordering: .relaxed) }
  }
  /// The index of a slot here is not below its index in a later table, which differs by the blank places that it left out.
  func markPaused(_ slot: Unmanaged<Slot>, from place: Int) {
    for index in min(place, count)..<count where self[index] & ~Self.tags == UInt(bitPattern: slot.toOpaque()) {
      self[index] |= Self.paused
      return
    }
  }
  /// Gives the entry its place; false if none is left.
  @inline(__always)
  func append(_ entry: UInt, for registration: borrowing Registration) -> Bool {
    let place = count
    if place == capacity { return false }
    self[place] = entry
    count = place &+ 1
    registration.place.store(Int32(truncatingIfNeeded: place), ordering: .relaxed)
    return true
  }
}
