import Synchronization

/// A question on its way through the handlers there were when it was asked.
///
/// It may wait for minutes, so it retains nothing but the closure of the handler that it is asking: it has left the table by
/// then, and holds the slots of the handlers that are yet to be asked. With one handler it allocates nothing.
///
/// The caller that asks ends it. No field is reference-counted: a question is copied freely on its way through inlined code.
@usableFromInline
struct HookCall: BitwiseCopyable {
  /// The number of handlers, and the closure of the handler whose call runs: the fields that clients' code uses. They are one
  /// property, because each property adds four functions to every client.
  @usableFromInline private(set) var seen: (count: Int, answer: Unmanaged<AnyObject>?, isPlain: Bool)
  private var slot: Unmanaged<HookSlot>?
  private var rest: Unmanaged<RemainingHandlers>?
  /// How many handlers there were.
  @_alwaysEmitIntoClient var count: Int { seen.count }

  /// The closure of the handler whose call runs; nil when all have been asked.
  @_alwaysEmitIntoClient var answer: Unmanaged<AnyObject>? { seen.answer }
  /// It is a `HookHandler`, to be called as it is.
  @_alwaysEmitIntoClient var isPlain: Bool { seen.isPlain }
  /// How often the handler had been paused when the call entered.
  private var turn: UInt
  /// When the call began; 0 where it is not timed.
  private var start: UInt64

  @inline(__always)
  init(to list: HandlerList) {
    (seen, turn, start) = ((0, nil, true), 0, 0)  // beside the declarations each is an exported function
    if list.hasNoHandlers { return }
    list.countOverlapping()
    let epoch = list.enter()
    if let table = Table(bits: list.table.load(ordering: .acquiring)) {
      table.markWalked()
      seen.count = table.count
      if count > 1 {
        rest = .passRetained(RemainingHandlers(table, count))
      } else if count == 1, let slot = HookSlot.of(table[0]) {
        begin(slot)
      }
    }
    if list.leaveLast(epoch) { list.reclaim() }
    if rest != nil { advance() }
  }

  /// The call is over; continues with the next handler that can be called.
  @usableFromInline
  mutating func next() {
    slot?._withUnsafeGuaranteedRef { $0.leave(start) }
    (slot, seen.answer) = (nil, nil)
    if rest != nil { advance() }
  }
  /// The call is over, if one runs, and so is the question.
  @usableFromInline
  func end() {
    slot?._withUnsafeGuaranteedRef { $0.leave(start) }
    rest?.release()
  }

  @inline(__always)
  private mutating func begin(_ slot: Unmanaged<HookSlot>, ifStill turn: UInt? = nil) {
    slot._withUnsafeGuaranteedRef {
      let running = $0.enter(ifStill: turn)
      if running == 0 { return }
      (self.slot, seen.answer) = (slot, $0.answer)
      seen.isPlain = !$0.isOwned && !$0.isIsolated && running <= HookCallChain.watch
      if $0.isIsolated { self.turn = turn ?? $0.turn }
      start = $0.start
    }
  }
  private mutating func advance() {
    while slot == nil, let place = rest.unsafelyUnwrapped._withUnsafeGuaranteedRef({ $0.next() }) {
      begin(place.slot, ifStill: place.turn)
      place.slot.release()  // a call that runs keeps it
    }
  }

  /// As many calls of the handler run simultaneously as a cycle would make.
  @usableFromInline var isWatched: Bool {
    slot.map { $0._withUnsafeGuaranteedRef { $0.waiting > HookCallChain.watch } } ?? false
  }
  /// The permit that a call checks on the handler's actor before it begins.
  @usableFromInline var permit: Permit { Permit(slot: slot?.takeUnretainedValue(), turn: turn) }
  @usableFromInline struct Permit: Sendable {
    fileprivate let slot: HookSlot?
    fileprivate let turn: UInt
    /// The handler may have cancelled or paused itself on its actor meanwhile.
    @usableFromInline var isOpen: Bool { slot.map { !$0.isIsolated || $0.isOpen(since: turn) } ?? false }
  }
  /// How the handler cancels itself, if it can: then it is an `OwnedHookHandler`.
  @usableFromInline var selfCancellation: SelfCancellation? {
    slot.flatMap { $0._withUnsafeGuaranteedRef { $0.selfCancellation } }
  }
}

/// The handlers that are yet to be asked.
private final class RemainingHandlers {
  struct Place: BitwiseCopyable {
    /// Retained.
    let slot: Unmanaged<HookSlot>
    let turn: UInt
  }
  private let places: UnsafeMutablePointer<Place>
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var asked = 0

  init(_ table: Table, _ capacity: Int) {
    places = .allocate(capacity: capacity)
    for index in 0..<capacity {
      guard let slot = HookSlot.of(table[index])?.retain() else { continue }
      (places + count).initialize(to: Place(slot: slot, turn: slot._withUnsafeGuaranteedRef { $0.turn }))
      count += 1
    }
  }
  deinit {
    while let place = next() { place.slot.release() }
    places.deallocate()
  }

  /// The caller releases its slot.
  func next() -> Place? {
    if asked == count { return nil }
    defer { asked += 1 }
    return places[asked]
  }
}

extension HookSlot {
  /// Nil if the entry, which may be blanked at any moment and so is read once, is not to be called.
  @inline(__always)
  static func of(_ entry: UInt) -> Unmanaged<HookSlot>? {
    if entry & Table.paused != 0 { return nil }
    return .fromOpaque(UnsafeRawPointer(bitPattern: entry).unsafelyUnwrapped)
  }
}
