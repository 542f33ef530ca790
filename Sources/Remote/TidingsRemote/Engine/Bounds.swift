import Foundation

// Input from other processes and callers is brought within these bounds where it is taken in, so that no computation with it
// overflows.

extension RemoteMessage {
  /// Numbers up to this one can be added by the thousand.
  package static let largestNumber: UInt64 = 1 << 48
  private static let longestName = 4_096

  /// Why the message is not one that a relay has sent; nil if it may be. A transport gives every message to the relay, which
  /// rejects those with a violation before it uses any other field.
  ///
  /// A transport whose message has a field of another type, or one that its own type cannot represent, passes a field that is
  /// out of bounds.
  var violation: String? {
    if !(0...(Hops.limit + 1)).contains(hops) { return "\(hops) hops, at most \(Hops.limit + 1) are possible" }
    if number > Self.largestNumber { return "the number \(number)" }
    if sequence > UInt64(StoreNumber.largest) { return "the sequence \(sequence)" }
    if [origin, schema, id].contains(where: { $0.utf8.count > Self.longestName }) {
      return "a name of more than \(Self.longestName) bytes"
    }
    return nil
  }

  struct Violation: Error, CustomStringConvertible { let description: String }
  /// - Throws: `Violation`.
  func check() throws {
    if let violation { throw Violation(description: "not a message of a relay: \(violation)") }
  }
}

/// Positions, sequences and revisions of a store.
package enum StoreNumber {
  /// Some may be added to it.
  package static let largest: Int64 = 1 << 60

  /// The number, if it is one that a store gives.
  package static func checked(_ number: some BinaryInteger) -> UInt64? {
    (0...largest).contains(Int64(clamping: number)) ? UInt64(number) : nil
  }
}

extension Duration {
  /// From zero to a billion seconds, so that it can be counted in nanoseconds and added to a time.
  package var bounded: Duration { min(max(self, .zero), .seconds(1_000_000_000)) }
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = bounded.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
  package var microseconds: Int64 { nanoseconds / 1_000 }
  package var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
