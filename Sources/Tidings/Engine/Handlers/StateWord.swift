import Synchronization

/// The delivery state, in one atomic word. Two protocols, by policy.
///
/// **Serial.** `delivering` belongs to one thread at a time. `more` (something waits for the delivering thread) and
/// `checkpoint` (look before the next call) are set under the lock, or by the delivering thread itself, and only while a thread
/// delivers; so leaving with one compare-exchange is possible exactly when nothing waits.
///
/// **Immediate.** Emits overlap, so they are counted, in two epochs: an emit enters the current one; what was retired is kept
/// until the readers of the previous epoch have left. With one count, emits that overlap without a gap would keep retired
/// objects for ever.
///
/// Every change by a writer is a read-modify-write, also when it writes back the same value: a delivery that starts later
/// reads from it, and so sees what was removed before. Acquire and release are enough; nothing here is `seq_cst`.
enum StateWord {
  static let delivering: UInt = 1
  static let more: UInt = 2
  static let checkpoint: UInt = 4

  static let epoch: UInt = 1
  /// Something is retired: the last emit of an epoch must reclaim.
  static let resting: UInt = 2
  /// Half of the word is for each epoch: 31 bits, and 15 where words have 32.
  private static let second = UInt(UInt.bitWidth / 2 + 1)
  static func reader(_ epoch: UInt) -> UInt { epoch == 0 ? 1 << 2 : 1 << second }
  static func readers(_ word: UInt, _ epoch: UInt) -> UInt {
    epoch == 0 ? (word >> 2) & (1 << (second - 2) - 1) : word >> second
  }
  static func hasReaders(_ word: UInt) -> Bool { word & ~(epoch | resting) != 0 }
}
