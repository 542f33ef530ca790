/// The names of the rows, for the rows themselves and for the thresholds.
enum RowName {
  static func emit(to handlers: Int) -> String {
    "emit to \(handlers) handler\(handlers == 1 ? "" : "s")"
  }

  static let dialects = "a dialect fires to 10 handlers"
  static let subjects = "four threads send to 10 observers"
  static let subscribe = "subscribe + cancel"

  static func cancel(_ count: String, _ order: String) -> String { "cancel one of \(count), \(order)" }

  static let threads = "two threads emit, 1 handler"
  static let memory = "heap for a subscription and its token"
}
