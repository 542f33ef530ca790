/// The calls that the second chapter records.
enum Tiding: Hashable, Sendable {
  case move(Move)
  case alarm(Move)

  var isAlarm: Bool { if case .alarm = self { true } else { false } }
}

/// Which handler was called when, and how deep inside other calls.
@MainActor
final class CallLog {
  struct Call {
    let listener: String
    let tiding: Tiding
    let depth: Int
  }

  private(set) var calls: [Call] = []
  private var depth = 0

  func note(_ tiding: Tiding, _ listener: String) {
    calls.append(Call(listener: listener, tiding: tiding, depth: depth))
  }

  /// Notes the calls during `body` as nested in the call that is running.
  func inside(_ body: () -> Void) {
    depth += 1
    body()
    depth -= 1
  }

  func tidings(of listener: String) -> [Tiding] { calls.filter { $0.listener == listener }.map(\.tiding) }

  /// One line of the picture: `ledger    −57.7 %`, or `  ledger    alarm` inside another call.
  func text(at index: Int) -> String {
    guard index < calls.count else { return "" }
    let call = calls[index]
    let what = if case .move(let move) = call.tiding { move.change.percent } else { "alarm" }
    return String(repeating: "  ", count: call.depth) + call.listener.padded(to: 10) + what
  }
}
