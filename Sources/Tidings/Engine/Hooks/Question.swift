import Synchronization

/// A question on its way from handler to handler: those there were when it was put.
///
/// It may wait for minutes, so it keeps nothing from being let go but the closure of the handler that it is asking: no longer
/// a reader of the table by then, it holds the slots of those who are yet to be asked. With one handler it allocates
/// nothing.
///
/// Whoever puts it ends it. No field is counted: a question is copied freely on its way through inlined code.
@usableFromInline
struct Question: BitwiseCopyable {
  /// Of the handler whose call runs.
  private var slot: Unmanaged<AnsweringSlot>?
  private var rest: Unmanaged<Rest>?
  /// How many handlers there were.
  @usableFromInline private(set) var count = 0

  /// The closure of the handler whose call runs; nil when all have been asked.
  @usableFromInline private(set) var answer: Unmanaged<AnyObject>?
  /// It is an `Answer`, to be called as it is.
  @usableFromInline private(set) var isPlain = true
  /// How often the handler had been muted when the call entered.
  private var turn: UInt = 0

  @inline(__always)
  init(to list: HandlerList) {
    if list.isUnheard { return }
    let epoch = list.enter()
    if let table = Table(bits: list.table.load(ordering: .acquiring)) {
      table.markWalked()
      count = table.count
      if count > 1 {
        rest = .passRetained(Rest(table, count))
      } else if count == 1, let slot = AnsweringSlot.of(table[0]) {
        begin(slot)
      }
    }
    if list.leaveLast(epoch) { list.reclaim() }
    if rest != nil { advance() }
  }

  /// The call is over; goes on to the next handler that can be called.
  @usableFromInline
  mutating func next() {
    slot?._withUnsafeGuaranteedRef { $0.leave() }
    (slot, answer) = (nil, nil)
    if rest != nil { advance() }
  }
  /// The call is over, if one runs, and so is the question.
  @usableFromInline
  func end() {
    slot?._withUnsafeGuaranteedRef { $0.leave() }
    rest?.release()
  }

  @inline(__always)
  private mutating func begin(_ slot: Unmanaged<AnsweringSlot>, ifStill turn: UInt? = nil) {
    slot._withUnsafeGuaranteedRef {
      let running = $0.enter(ifStill: turn)
      if running == 0 { return }
      (self.slot, answer) = (slot, $0.answer)
      isPlain = !$0.isOwned && !$0.isIsolated && running <= Chain.watch
      if $0.isIsolated { self.turn = turn ?? $0.turn }
    }
  }
  private mutating func advance() {
    while slot == nil, let place = rest.unsafelyUnwrapped._withUnsafeGuaranteedRef({ $0.next() }) {
      begin(place.slot, ifStill: place.turn)
      place.slot.release()  // a call that runs keeps it
    }
  }

  /// So many calls of the handler run that they may be a circle.
  var isWatched: Bool { slot.map { $0._withUnsafeGuaranteedRef { $0.waiting > Chain.watch } } ?? false }
  /// What a call asks on the handler's actor before it begins.
  var permit: Permit { Permit(slot: slot?.takeUnretainedValue(), turn: turn) }
  struct Permit: Sendable {
    fileprivate let slot: AnsweringSlot?
    fileprivate let turn: UInt
    /// The handler may have cancelled or paused itself on its actor meanwhile.
    var isOpen: Bool { slot.map { !$0.isIsolated || $0.isOpen(since: turn) } ?? false }
  }
  /// How the handler ends itself, if it can: then its answer is an `OwnedAnswer`.
  var ending: Ending? { slot.flatMap { $0._withUnsafeGuaranteedRef { $0.ending } } }
}

/// The handlers that are yet to be asked.
private final class Rest {
  struct Place: BitwiseCopyable {
    /// Retained.
    let slot: Unmanaged<AnsweringSlot>
    let turn: UInt
  }
  private let places: UnsafeMutablePointer<Place>
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var asked = 0

  init(_ table: Table, _ room: Int) {
    places = .allocate(capacity: room)
    for index in 0..<room {
      guard let slot = AnsweringSlot.of(table[index])?.retain() else { continue }
      (places + count).initialize(to: Place(slot: slot, turn: slot._withUnsafeGuaranteedRef { $0.turn }))
      count += 1
    }
  }
  deinit {
    while let place = next() { place.slot.release() }
    places.deallocate()
  }

  /// The caller lets go of its slot.
  func next() -> Place? {
    if asked == count { return nil }
    defer { asked += 1 }
    return places[asked]
  }
}

extension AnsweringSlot {
  /// Nil if the entry, which may be blanked at any moment and so is read once, is not to be called.
  @inline(__always)
  static func of(_ entry: UInt) -> Unmanaged<AnsweringSlot>? {
    if entry & Table.silent != 0 { return nil }
    return .fromOpaque(UnsafeRawPointer(bitPattern: entry).unsafelyUnwrapped)
  }
}
