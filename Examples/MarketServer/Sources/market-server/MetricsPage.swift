import Metrics
import Synchronization

/// A backend of swift-metrics that keeps the newest numbers in memory and shows them as text, in the format that Prometheus
/// reads. A real server uses a package for this.
final class MetricsPage: MetricsFactory {
  /// One time series: counter, gauge or timer.
  final class Series: CounterHandler, RecorderHandler, MeterHandler, TimerHandler {
    private struct Numbers {
      var value = 0.0
      var count = 0
      var largest = 0.0
    }
    private let numbers = Mutex(Numbers())

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { numbers.withLock { $0.value += amount } }
    func decrement(by amount: Double) { increment(by: -amount) }
    func reset() { numbers.withLock { $0 = Numbers() } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { numbers.withLock { $0.value = value } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func recordNanoseconds(_ duration: Int64) {
      let seconds = Double(duration) / 1e9
      numbers.withLock {
        $0.value += seconds
        $0.count += 1
        $0.largest = max($0.largest, seconds)
      }
    }
    var current: (value: Double, count: Int, largest: Double) {
      numbers.withLock { ($0.value, $0.count, $0.largest) }
    }
  }
  private enum Kind: String {
    case counter, gauge
    case timer = "summary"
  }
  private struct Key: Hashable {
    let name: String
    let dimensions: String
  }
  private struct Entry {
    let kind: Kind
    let series: Series
  }
  private let entries = Mutex<[Key: Entry]>([:])

  private func series(_ kind: Kind, _ label: String, _ dimensions: [(String, String)]) -> Series {
    let key = Key(
      name: Self.name(label),
      dimensions: dimensions.map { "\(Self.name($0))=\"\(Self.escaped($1))\"" }.joined(separator: ","))
    return entries.withLock { entries in
      if let entry = entries[key] { return entry.series }
      let series = Series()
      entries[key] = Entry(kind: kind, series: series)
      return series
    }
  }
  private static func name(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "\\", "\"": result += "\\\(character)"
      case "\n": result += "\\n"
      default: result.append(character)
      }
    }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(.counter, label, dimensions)
  }
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    series(.gauge, label, dimensions)
  }
  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(.gauge, label, dimensions)
  }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(.timer, label, dimensions)
  }
  /// A destroyed series is shown no longer.
  private func remove(_ handler: AnyObject) {
    entries.withLock { entries in entries = entries.filter { $0.value.series !== handler } }
  }
  func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
  func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
  func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
  func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

  /// All series, by name and dimensions.
  var text: String {
    let sorted = entries.withLock { $0 }.sorted { ($0.key.name, $0.key.dimensions) < ($1.key.name, $1.key.dimensions) }
    var (text, last) = ("", "")
    for (key, entry) in sorted {
      let dimensions = key.dimensions.isEmpty ? "" : "{\(key.dimensions)}"
      let (value, count, largest) = entry.series.current
      if key.name != last { text += "# TYPE \(key.name) \(entry.kind.rawValue)\n" }
      last = key.name
      if entry.kind == .timer {
        let quantile = key.dimensions.isEmpty ? "quantile=\"1\"" : "\(key.dimensions),quantile=\"1\""
        text += "\(key.name){\(quantile)} \(largest)\n"
        text += "\(key.name)_sum\(dimensions) \(value)\n\(key.name)_count\(dimensions) \(count)\n"
      } else {
        text += "\(key.name)\(dimensions) \(value == value.rounded() ? String(Int64(value)) : String(value))\n"
      }
    }
    return text
  }
}
