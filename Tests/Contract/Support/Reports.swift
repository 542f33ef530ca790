import Tidings
import TidingsTesting

/// The reports about events and values with the given labels, while this object lives.
final class Reports: Sendable {
  private let recorder = Recorder<Diagnostics.Report>()
  private let token: Subscription

  init(about labels: Set<String>) {
    token = Diagnostics.reports.observe { [recorder] report in
      // The last is what was rejected; the first may be what the thread was delivering that reports this.
      if let rejected = report.labels.last, labels.contains(rejected) { recorder(report) }
    }
  }

  /// The labels of each report, every one once: how many rounds a chain makes is not the point.
  var labels: [[String]] { all.map { Set($0.labels).sorted() } }
  var messages: [String] { all.map(\.message) }

  var all: [Diagnostics.Report] {
    Self.quiesce()
    return recorder.values
  }

  /// Another test's thread may be delivering reports, and then delivers ours too: when a last one has come, all have.
  private static func quiesce() {
    let (number, delivered) = (
      numbers.withLock { number in
        number += 1
        return number
      }, Gate()
    )
    let name = "delivered \(number)"
    let mark = Event<Int>(name, maximumDepth: 1)
    let token = Diagnostics.reports.observe { if $0.labels.contains(name) { delivered.open() } }
    let cycle = mark.observe { if $0 < 5 { mark.emit($0 + 1) } }
    mark.emit(0)
    precondition(delivered.wait(), "reports are not delivered")
    cycle.cancel()
    token.cancel()
  }
  private static let numbers = Locked(0)
}
