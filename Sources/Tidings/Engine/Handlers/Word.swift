import Synchronization

/// Who delivers, in one atomic word. Two protocols, by policy.
///
/// **Serial.** `delivering` belongs to one deliverer at a time. `more` (something waits for the deliverer) and `attend`
/// (look before the next call) are set under the lock only, and only while somebody delivers; so leaving with one
/// compare-exchange is possible exactly when nothing waits.
///
/// **Immediate.** Emits overlap, so they are counted, in two epochs: an emit enters the current one; what was taken out
/// rests until the epoch before it has run empty. With one count, emits that overlap without a gap would keep what was
/// taken out for ever.
///
/// Every change by a writer is a read-modify-write, also when it writes back what was there: a deliverer that starts later
/// reads from it, and so sees what was taken out before. Acquire and release are enough; nothing here is `seq_cst`.
enum Word {
  static let delivering: UInt = 1
  static let more: UInt = 2
  static let attend: UInt = 4

  static let epoch: UInt = 1
  /// Something rests: the last emit of an epoch must look.
  static let resting: UInt = 2
  /// Half of the word is for each epoch: 31 bits, and 15 where words have 32.
  private static let second = UInt(UInt.bitWidth / 2 + 1)
  static func reader(_ epoch: UInt) -> UInt { epoch == 0 ? 1 << 2 : 1 << second }
  static func readers(_ word: UInt, _ epoch: UInt) -> UInt {
    epoch == 0 ? (word >> 2) & (1 << (second - 2) - 1) : word >> second
  }
  static func hasReaders(_ word: UInt) -> Bool { word & ~(epoch | resting) != 0 }
}
