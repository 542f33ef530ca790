#if NATS
import Foundation
import TidingsRemote

/// The facts by which a reader recognizes that a stream is a different or an older one than before.
struct StreamExtent: Sendable {
  let created: String
  let last: UInt64
  /// The number of the first message that it still has, or of the next one if it has none.
  var first: UInt64 = 0
  /// Whether it keeps messages of one subject alone. Then every number that a reader is not given is one of a message of the
  /// subject that was removed.
  var isOfOneSubject = false

  /// The revision of a value in the stream of a bucket. The numbers of a stream that is made again begin with 1: so the time at
  /// which it was made, in microseconds, is added.
  func revision(_ sequence: UInt64) -> UInt64 { min(sequence, UInt64(StoreNumber.largest)) + base }
  /// Nil for a revision of another stream.
  func sequence(_ revision: UInt64) -> UInt64? { revision == 0 ? 0 : revision > base ? revision - base : nil }
  private var base: UInt64 { Self.microseconds(created) ?? 0 }

  /// A time as Go writes it, with up to nine digits of a second (`2026-01-31T09:30:00.123456789Z`), in microseconds since 1970.
  static func microseconds(_ time: String) -> UInt64? {
    let words = time.split(separator: ".", maxSplits: 1)
    guard let first = words.first, let date = try? Date(first + (words.count > 1 ? "Z" : ""), strategy: .iso8601)
    else { return nil }
    let digits = words.count > 1 ? words[1].prefix(6).prefix { $0.isASCII && $0.isNumber } : ""
    let fraction = UInt64(digits + String(repeating: "0", count: 6 - digits.count)) ?? 0
    return UInt64(min(max(date.timeIntervalSince1970, 0), 1e10)) * 1_000_000 + fraction
  }
}
#endif
