import Synchronization

/// How a value reaches its receiver.
enum DeliveryKind: String, CaseIterable {
  case inPlace = "event, in place"
  case immediate = "event .immediate, in place"
  case operators = "event, through operators"
  case failing = "event, a handler that throws"
  case owned = "event, with an owner"
  case mainActor = "event, main actor"
  case actor = "event, actor"
  case stallingActor = "event, actor that stalls"
  case queue = "event, dispatch queue"
  case asynchronous = "event, asynchronous handler"
  case bounded = "event, bounded asynchronous handler"
  case stream = "stream .unbounded"
  case newest = "stream .newest"
  case oldest = "stream .oldest"
  case batches = "stream, batches"
  case cancelled = "stream, cancelled consumer"
  case valueInPlace = "value, in place"
  case valueMainActor = "value, main actor"
  case valueActor = "value, actor"
  case derived = "derived value, in place"
  case every = "value, stream .every"
  case latest = "value, stream .latest"
  case effect = "effect"
}

/// Latencies in nanoseconds, in classes that are an eighth of a power of two wide.
struct Histogram: Sendable {
  private var counts: [Int] = Array(repeating: 0, count: 64 * 8)
  private(set) var count = 0
  private(set) var maximum: UInt64 = 0

  mutating func add(_ value: UInt64) {
    let value = max(8, value)
    let exponent = 63 - value.leadingZeroBitCount
    counts[exponent * 8 + Int(value >> UInt64(exponent - 3) & 7)] += 1
    count += 1
    maximum = max(maximum, value)
  }
  mutating func add(_ other: Histogram) {
    for index in counts.indices { counts[index] += other.counts[index] }
    count += other.count
    maximum = max(maximum, other.maximum)
  }
  /// The upper bound of the class in which that part of all is.
  func percentile(_ part: Double) -> UInt64 {
    var left = Int((Double(count) * part).rounded(.up))
    for index in counts.indices {
      left -= counts[index]
      if left <= 0 { return min(maximum, UInt64(8 + index % 8 + 1) << UInt64(max(0, index / 8 - 3))) }
    }
    return maximum
  }
}

/// The operations of all rounds, and the latencies of their deliveries.
final class Statistics: Sendable {
  private let latencies = Mutex<[DeliveryKind: Histogram]>([:])
  private let operations = Mutex<[String: Int]>([:])

  func add(_ kind: DeliveryKind, _ histogram: Histogram) {
    latencies.withLock { $0[kind, default: Histogram()].add(histogram) }
  }
  func count(_ operation: String, _ number: Int = 1) { operations.withLock { $0[operation, default: 0] += number } }

  func printAll() {
    say("\noperations")
    for (name, count) in operations.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      say("  \(Self.padded(name, 44)) \(Self.padded(count.description, -12))")
    }
    say("\nlatency in microseconds, from before the emit or set to the receiver")
    let head = ["received", "p50", "p99", "p99.9", "max"].map { Self.padded($0, -11) }.joined()
    say("  \(Self.padded("", 38))\(head)")
    let all = latencies.withLock { $0 }
    for kind in DeliveryKind.allCases {
      guard let histogram = all[kind], histogram.count > 0 else { continue }
      let times = [0.5, 0.99, 0.999].map(histogram.percentile) + [histogram.maximum]
      let texts = [histogram.count.description] + times.map(Self.microseconds)
      say("  \(Self.padded(kind.rawValue, 38))\(texts.map { Self.padded($0, -11) }.joined())")
    }
  }

  private static func microseconds(_ nanoseconds: UInt64) -> String {
    let tenths = nanoseconds / 100
    return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)" : (tenths / 10).description
  }
  /// To the left, or to the right with a negative width.
  private static func padded(_ text: String, _ width: Int) -> String {
    let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? blanks + text : text + blanks
  }
}
