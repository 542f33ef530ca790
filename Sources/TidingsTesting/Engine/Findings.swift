/// Collects what a check found wrong.
final class Findings: Sendable {
  private let messages = Locked<[String]>([])

  var all: [String] { messages.current }

  func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    let message = message()
    // A race that shows in every round is one finding.
    messages.withLock { if !$0.contains(message) { $0.append(message) } }
  }

  func expect<Value: Equatable>(_ what: String, _ seen: Value, is expected: Value) {
    expect(seen == expected, "\(what): expected \(expected), saw \(seen)")
  }
}
