import Synchronization

/// The number of a relay's subscription to one of its sources. It travels with a value, so that a relay that follows several
/// sources finds the values of one of them.
struct UpstreamNumber: BitwiseCopyable {
  let bits: UInt32
  static var none: UpstreamNumber { UpstreamNumber(bits: 0) }
  /// In place of the number of a value whose source was cancelled: no handler is called with it.
  static var revoked: UpstreamNumber { UpstreamNumber(bits: .max) }

  // Not `Equatable`, which is metadata of every client.
  static func == (left: UpstreamNumber, right: UpstreamNumber) -> Bool { left.bits == right.bits }
  static func != (left: UpstreamNumber, right: UpstreamNumber) -> Bool { left.bits != right.bits }

  /// A number has 30 bits, for `CausalFrame.Role`, which are not all ones as those of `revoked`. The numbers start over:
  /// two subscriptions with the same number are confused only if both lead to the same relay.
  private static let last = Atomic<UInt32>(firstCount)
  static func next() -> UpstreamNumber {
    let number = UpstreamNumber(bits: last.wrappingAdd(1, ordering: .relaxed).newValue & (1 << 30 - 1))
    return number == .none || number.bits == 1 << 30 - 1 ? next() : number
  }
}
