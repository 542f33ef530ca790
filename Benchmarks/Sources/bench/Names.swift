/// The names of the rows, for the rows themselves and for the thresholds.
enum RowName {
  static func emit(to handlers: Int) -> String {
    "emit to \(handlers) handler\(handlers == 1 ? "" : "s")"
  }

  static let dialects = "a dialect fires to 10 handlers"
  static let subjects = "four threads send to 10 observers"
  static let subscribe = "subscribe + cancel"
  static func emitEach(_ handlers: Int) -> String { "emit, per handler of \(grouped(handlers))" }
  static func subscribe(among handlers: Int) -> String { "subscribe + cancel among \(grouped(handlers))" }

  static func cancel(_ count: String, _ order: String) -> String { "cancel one of \(count), \(order)" }

  static let stream = "a stream's element, from another thread"
  static let streamAlone = "a stream's element, on one thread"
  static let streamOnMain = "a stream's element, consumer on the main actor"
  static func lastValue(of trials: Int) -> String { "last values never seen, of \(trials)" }
  static let threads = "two threads emit, 1 handler"
  static func cores(_ work: String) -> String { "cores: \(work)" }
  static let fairness = "two threads update one value"
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
  static func wideEach(_ count: Int) -> String { "a set, per value, wide \(grouped(count))" }
  static func deepEach(_ depth: Int) -> String { "a set, per value, deep \(grouped(depth))" }
  static func events(_ count: Int) -> String { "emit to one of \(grouped(count)) events in turn" }
  static func payload(_ bytes: Int) -> String { "emit \(grouped(bytes)) bytes to 1 handler" }
  static func churn(_ count: Int, _ what: String) -> String { "churn of \(grouped(count)), \(what)" }
  static let dynamic = "dynamic, one of 2 × 10 branches"
  static let ask = "ask a hook"

  static let readDerived = "read a derived value"

  /// 1,000,000.

  static func edit(_ kind: String, of elements: Int) -> String { "\(kind) in \(grouped(elements)) elements" }
  static func iterate(_ elements: Int) -> String { "iterate, per element of \(grouped(elements))" }
  static func setKey(of keys: Int) -> String { "set one of \(grouped(keys)) keys" }

  private static func grouped(_ count: Int) -> String {
    count < 1_000 ? "\(count)" : grouped(count / 1_000) + "," + "\(1_000 + count % 1_000)".dropFirst()
  }
}
