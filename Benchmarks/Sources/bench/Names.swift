/// The names of the rows, for the rows themselves and for the thresholds.
enum RowName {
  static func emit(to handlers: Int) -> String {
    "emit to \(handlers) handler\(handlers == 1 ? "" : "s")"
  }

  static let dialects = "a dialect fires to 10 handlers"
  static let subjects = "four threads send to 10 observers"
  static let subscribe = "subscribe + cancel"

  static func cancel(_ count: String, _ order: String) -> String { "cancel one of \(count), \(order)" }

  static let stream = "a stream's element, from another thread"
  static let streamOnMain = "a stream's element, consumer on the main actor"
  static func lastValue(of trials: Int) -> String { "last values never seen, of \(trials)" }
  static let threads = "two threads emit, 1 handler"
  static let memory = "heap for a subscription and its token"
  static let memoryObserved = "heap for an observed value"
  static let memoryDerived = "heap for a derived value"

  static func set(_ handlers: Int) -> String { "set with \(handlers) handler\(handlers == 1 ? "" : "s")" }

  static let update = "update with 1 handler"
  static let read = "read a value"
  static let setFour = "set four values in a transaction"

  static let diamond = "diamond 1-2-1"
  static func wide(_ count: Int) -> String { "wide 1-\(count)" }
  static func deep(_ depth: String) -> String { "deep \(depth)" }
  static func cellx(_ layers: Int) -> String { "cellx \(layers) layers" }
  static let dynamic = "dynamic, one of 2 × 10 branches"
  static let ask = "ask a hook"

  static let readDerived = "read a derived value"
}
