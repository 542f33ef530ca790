/// The floor: what one writes without a library. An array of closures in a class, called in a plain loop.
///
/// It is not safe (no thread may add, cancel or emit from another thread, cancelling finds no handler in the middle), so
/// every contender does more than it. What it costs is the retain and release around each call.
final class ClosureArray: Cancelling, Shared, @unchecked Sendable {
  static let name = "closure array"
  private var handlers: [(Int) -> Void] = []

  func subscribe(_ tally: Tally) { handlers.append { tally.add($0) } }

  func subscribe(_ watch: Watch) { handlers.append { watch.receive($0) } }

  /// Removes the last handler and ignores the token: only the row that adds and cancels one handler calls this.
  func cancel(_ token: Void) { handlers.removeLast() }

  func emit(_ payloads: Range<Int>) {
    for payload in payloads { emit(payload) }
  }

  // Never inlined: the optimizer must not see through the call to the closures, as it cannot through a library's.
  @inline(never)
  private func emit(_ payload: Int) {
    for handler in handlers { handler(payload) }
  }
}

/// The floor of an emit without handlers: a call that is never inlined.
final class PlainCall: Contender {
  static let name = "a call, never inlined"
  private let tally = Tally()

  func subscribe(_ tally: Tally) {}

  func emit(_ payloads: Range<Int>) {
    for payload in payloads { call(payload) }
  }

  @inline(never)
  private func call(_ payload: Int) { tally.add(payload) }
}
