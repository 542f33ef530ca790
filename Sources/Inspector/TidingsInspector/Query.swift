#if Inspector
import Tidings
import TidingsRegistry

/// Which rows a page shows: it asks for a part, as there may be ten thousand.
struct Query: Codable, Sendable {
  enum Order: String, Codable, Sendable {
    case made, name, kind, rate, total, waiting, handlers, slowest
  }
  var text = ""
  var kind = ""
  var order = Order.made
  var isDescending = false
  var offset = 0
  var limit = 100
  /// The object whose details are shown; 0 for none.
  var selected: UInt = 0

  /// The rows that match, in order, all of them.
  func rows(of sample: Sample) -> [Sample.Row] {
    let text = text.lowercased()
    var rows = sample.rows
    if !text.isEmpty || !kind.isEmpty {
      rows = rows.filter { row in
        (kind.isEmpty || row.object.kind.rawValue == kind)
          && (text.isEmpty || Self.words(row.object).lowercased().contains(text))
      }
    }
    switch order {
    case .made: break
    case .name: sort(&rows) { $0.object.name }
    case .kind: sort(&rows) { $0.object.kind.rawValue }
    case .rate: sort(&rows) { $0.rate }
    case .total: sort(&rows) { $0.object.deliveries }
    case .waiting: sort(&rows) { $0.object.waiting }
    case .handlers: sort(&rows) { $0.object.handlers.count }
    case .slowest: sort(&rows) { $0.slowest }
    }
    return isDescending ? rows.reversed() : rows
  }
  private static func words(_ object: ObjectSnapshot) -> String {
    object.name + " " + object.kind.rawValue + " " + object.site + " " + typeName(object)
  }
  /// Equal ones in the order in which they were made.
  private func sort(_ rows: inout [Sample.Row], by key: (Sample.Row) -> some Comparable) {
    let keyed = rows.map { (key: key($0), row: $0) }
    rows = keyed.sorted { ($0.key, $0.row.object.number) < ($1.key, $1.row.object.number) }.map(\.row)
  }
}

/// The payload or the value, as Swift writes it; of a stream, nothing.
func typeName(_ object: ObjectSnapshot) -> String { object.type.map { String(describing: $0) } ?? "" }
#endif
