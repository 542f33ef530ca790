import Synchronization

/// Which gate of a relay a value came through: with it a relay that follows several sources finds what one of them has given it.
struct GateNumber: BitwiseCopyable {
  let bits: UInt32
  static var none: GateNumber { GateNumber(bits: 0) }
  /// In place of the number of a value whose source was cancelled: no handler is called with it.
  static var revoked: GateNumber { GateNumber(bits: .max) }

  // Not `Equatable`, which is metadata of every client.
  static func == (left: GateNumber, right: GateNumber) -> Bool { left.bits == right.bits }
  static func != (left: GateNumber, right: GateNumber) -> Bool { left.bits != right.bits }

  /// A number has 30 bits, for `CausalFrame.Role`, which are not all ones as those of `revoked`. The numbers begin anew: a gate
  /// that is as many gates older is confused with this one only if both lead to the same relay.
  private static let last = Atomic<UInt32>(firstCount)
  static func next() -> GateNumber {
    let number = GateNumber(bits: last.wrappingAdd(1, ordering: .relaxed).newValue & (1 << 30 - 1))
    return number == .none || number.bits == 1 << 30 - 1 ? next() : number
  }
}
