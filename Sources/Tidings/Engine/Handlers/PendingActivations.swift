/// Handlers that were added or resumed while values were queued: each is activated when those have been delivered.
///
/// They are activated in the order of their turns, so a delivery looks at those whose turn it is and at no other: a scan for
/// each value took 2.7 s with 16,000 of them.
struct PendingActivations {
  /// Its place in the order, kept in its `Registration` in 27 bits, in which numbers may repeat.
  typealias Number = UInt32
  private static let numbers = 1 << 27

  struct Activation {
    /// Retained; nil once the handler has ended or was paused again.
    var slot: Unmanaged<Slot>?
    /// Its turn: the number of queued values that must have been delivered before.
    let turn: Int
    /// Added, not resumed: it has no place yet.
    let isNew: Bool
  }
  private var waiting: [Activation] = []
  /// How many of `waiting` are done, and how many were done in all.
  private var head = 0
  private var over = 0

  var isEmpty: Bool { head == waiting.count }

  mutating func append(_ slot: Unmanaged<Slot>, turn: Int, isNew: Bool) -> Number {
    waiting.appendUnspecialized(Activation(slot: slot, turn: turn, isNew: isNew))
    return Number((over + waiting.count - head - 1) % Self.numbers)
  }

  /// Takes one out before its turn. It was retained.
  mutating func take(_ number: Number) -> Unmanaged<Slot>? {
    let index = head + (Int(number) - over % Self.numbers + Self.numbers) % Self.numbers
    defer { waiting[index].slot = nil }
    return waiting[index].slot
  }

  /// The next whose turn it is when `delivered` values have been delivered.
  mutating func next(after delivered: Int) -> Activation? {
    while head < waiting.count, waiting[head].turn <= delivered {
      defer {
        head += 1
        over += 1
        if head == waiting.count { (waiting, head) = ([], 0) }
      }
      if waiting[head].slot != nil { return waiting[head] }
    }
    return nil
  }

  /// The handlers that are to be added, in their order.
  var newSlots: [Unmanaged<Slot>] {
    waiting[head...].compactMap { $0.isNew ? $0.slot : nil }
  }
  #if DEBUG
  /// The same, of the last places.
  var lastNewSlots: [Unmanaged<Slot>] {
    waiting[max(head, waiting.count - 64)...].compactMap { $0.isNew ? $0.slot : nil }
  }
  #endif
}
