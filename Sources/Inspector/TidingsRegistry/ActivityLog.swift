import Tidings

/// The latest calls of handlers and computations, in the order in which they ended.
package final class ActivityLog: Sendable {
  package enum Activity: Sendable {
    /// A call of a handler of the list at `of`. `cause` is the list whose delivery, further out on the stack, caused it, or 0.
    case call(handler: UInt, of: ObjectAddress, cause: ObjectAddress)
    case computation(of: UInt, isChanged: Bool)
  }
  package struct Entry: Sendable {
    package let activity: Activity
    package let start: ContinuousClock.Instant
    package let nanoseconds: Int64
    /// Counts all entries, those that were overwritten included.
    package let number: Int
  }
  private struct Ring {
    var entries: [Entry] = []
    var count = 0
  }
  private let ring = Lock(Ring())
  private static let capacity = 256

  init() {}

  func add(_ activity: Activity, at start: ContinuousClock.Instant, taking nanoseconds: Int64) {
    ring.withLock { ring in
      let entry = Entry(activity: activity, start: start, nanoseconds: nanoseconds, number: ring.count)
      if ring.entries.count < Self.capacity {
        ring.entries.append(entry)
      } else {
        ring.entries[ring.count % Self.capacity] = entry
      }
      ring.count += 1
    }
  }

  /// The latest, newest first.
  package func latest(_ limit: Int) -> [Entry] {
    let (entries, count) = ring.withLock { ($0.entries, $0.count) }
    return (0..<min(limit, entries.count)).map { entries[(count - 1 - $0) % Self.capacity] }
  }
}
