/// The messages of a kept subject in their order. Positions count those that were removed too.
struct MemoryLog {
  /// How many were removed, and the position of the first that is left.
  private(set) var start = 0
  private var messages: [RemoteMessage] = []
  var end: Int { start + messages.count }

  subscript(_ range: Range<Int>) -> [RemoteMessage] {
    Array(messages[(range.lowerBound - start)..<(range.upperBound - start)])
  }
  mutating func append(_ message: RemoteMessage) { messages.append(message) }
  mutating func remove(before position: Int) {
    let count = min(max(start, position), end) - start
    messages.removeFirst(count)
    start += count
  }
}
