#if Inspector
import TidingsRegistry

/// The objects as lines of text.
struct Table {
  let text: String

  init(_ sample: Sample, matching text: String, limit: Int, values monitor: Monitor) {
    let query = Query(text: text, order: .rate, isDescending: true)
    let rows = query.rows(of: sample)
    let shown = rows.prefix(max(0, limit))
    let texts = monitor.texts(of: Set(shown.map(\.object.number)))
    var lines = ["\(sample.rows.count) objects" + (rows.count == shown.count ? "" : ", \(shown.count) shown")]
    lines.append(
      Self.line("kind", "name", "/s", "total", "waiting", "dropped", "handlers", "mean µs", "slowest µs", "value"))
    for row in shown {
      let object = row.object
      lines.append(
        Self.line(
          object.kind.rawValue, object.name, "\(Int(row.rate.rounded()))", "\(object.deliveries)", "\(object.waiting)",
          "\(object.dropped)", "\(object.handlers.count)", Self.micros(row.mean), Self.micros(Double(row.slowest)),
          object.isStale && object.kind == .derived ? "not computed" : texts[object.number] ?? ""))
    }
    for warning in sample.warnings { lines.append("! " + warning.title + ": " + warning.detail) }
    self.text = lines.joined(separator: "\n")
  }

  private static func line(
    _ kind: String, _ name: String, _ rate: String, _ total: String, _ waiting: String, _ dropped: String,
    _ handlers: String, _ mean: String, _ slowest: String, _ value: String
  ) -> String {
    let numbers = zip([rate, total, waiting, dropped, handlers, mean, slowest], [7, 9, 8, 8, 9, 9, 11])
    let line = left(kind, 9) + left(name, 30) + numbers.map { right($0, $1) }.joined() + "  " + value.prefix(60)
    return line.replacing("\n", with: " ")
  }
  private static func left(_ text: String, _ width: Int) -> String {
    let text = text.count >= width ? text.prefix(width - 2) + "…" : text[...]
    return text + String(repeating: " ", count: width - text.count)
  }
  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
  private static func micros(_ nanoseconds: Double) -> String {
    nanoseconds == 0 ? "" : "\((nanoseconds / 100).rounded() / 10)"
  }
}
#endif
