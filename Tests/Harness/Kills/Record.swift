#if SQLite && NATS && os(Linux)
/// The contents of one process's log.
final class Record {
  let name: String
  let kind: Role.Kind
  let log: LogReader
  var isRead = false
  /// Whether it ran until everything was sent.
  var isLast = false
  var ready: Moment?
  var closing: Moment?
  var closed: Moment?
  /// When the harness killed it, and when it had ended in any way.
  var killed: Moment?
  var ended: Moment?

  var reports: [String: Int] = [:]
  /// When it reported that the store is not the one that it knew.
  var told: [Moment] = []

  // An observer.
  var firstSeen: Moment?
  var seen: Set<String> = []
  /// The last number of each writer, of kept messages and of the others.
  var last: [String: Int] = [:]
  var lastLive: [String: Int] = [:]
  var repeats = 0
  var disorder: [String] = []
  var gaps = 0
  var missed = 0

  // A value.
  var adds: [Moment] = []
  var settled: [(count: Int, at: Moment)] = []
  /// The sum and the label when both were settled last, since it is quiet.
  var value: String?

  init(_ name: String, _ kind: Role.Kind, _ log: LogReader) { (self.name, self.kind, self.log) = (name, kind, log) }

  /// Whether it was running at the moment and for seconds after it.
  func lives(at moment: Moment, for seconds: Double = 0) -> Bool {
    guard let ready, ready < moment else { return false }
    return (closing ?? ended ?? .max) > moment + .seconds(seconds)
  }

  /// One line of an observer.
  func see(_ id: Substring, at moment: Moment) {
    let id = String(id)
    firstSeen = firstSeen ?? moment
    let (writer, number) = Self.parts(of: id)
    if !seen.insert(id).inserted {
      repeats += 1
    } else if number < last[writer] ?? 0 {
      disorder.append(id)
    }
    last[writer] = max(last[writer] ?? 0, number)
  }
  func seeLive(_ id: Substring) {
    let (writer, number) = Self.parts(of: String(id))
    if let before = lastLive[writer] {
      if number <= before { disorder.append("live \(id)") } else { gaps += number - before - 1 }
    }
    lastLive[writer] = max(lastLive[writer] ?? 0, number)
  }
  static func parts(of id: String) -> (writer: String, number: Int) {
    let words = id.split(separator: ".")
    return (String(words.first ?? ""), words.count > 1 ? Int(words[1]) ?? 0 : 0)
  }
}
#endif
