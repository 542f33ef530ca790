import Tidings
import TidingsTesting

/// Finds everything in a run that the contract does not allow. The oracle knows nothing of how the library works.
///
/// A moment counts as before another only if it certainly was. An operation happened at some time between its begin and its end. A
/// value was emitted at some time between the begin and the end of its `emit`.
struct EventFuzzOracle {
  let emissions: [FuzzEmission]
  let histories: [FuzzHistory]
  /// The values of a serial source in the order in which the handler received them that nothing stops.
  let orders: [Int: [Int]]
  /// The place of a value in that order.
  let positions: [Int: Int]
  /// When the calls of that handler began, in the same order.
  let starts: [Int: [Int]]
  let byNumber: [Int: FuzzHandler]
  let sources: [FuzzSource]
  let drains: [FuzzDrain]

  init(_ fuzz: EventFuzz) {
    let cancellations = fuzz.cancellations.current
    emissions = fuzz.emissions.all
    sources = fuzz.sources
    drains = fuzz.drains.current
    histories = fuzz.handlers.current.map { FuzzHistory($0, cancellations) }
    byNumber = Dictionary(uniqueKeysWithValues: histories.map { ($0.handler.number, $0.handler) })
    var (orders, starts, positions): ([Int: [Int]], [Int: [Int]], [Int: Int]) = ([:], [:], [:])
    for history in histories where history.handler.isLasting && history.handler.actor == nil {
      let source = history.handler.source
      guard source.policy == .serial else { continue }
      orders[source.number] = history.calls.map(\.value)
      starts[source.number] = history.calls.map(\.begin)
      for (position, call) in history.calls.enumerated() { positions[call.value] = position }
    }
    (self.orders, self.starts, self.positions) = (orders, starts, positions)
  }

  var violations: [String] {
    var violations: [String] = []
    for history in histories {
      let found =
        stops(history) + orderOfCalls(history) + calls(history) + losses(history) + operators(history)
        + ends(history) + earlyDrains(history)
      violations += found.map { "\(history.handler): \($0)" }
    }
    return violations + commonOrder()
  }

  /// The rules for each call.
  private func calls(_ history: FuzzHistory) -> [String] {
    let (handler, calls) = (history.handler, history.calls)
    var violations: [String] = []
    let values = history.receipts.map(\.value)
    if Set(values).count < values.count { violations.append("received a value twice: \(values)") }
    if !calls.allSatisfy(\.isOnActor) { violations.append("was called elsewhere than on its actor (12)") }
    if handler.route == .once, calls.count > 1 { violations.append("was called \(calls.count) times by `once` (8)") }
    if !handler.chain.has(.replay),
      let call = history.receipts.first(where: { hasPassed($0.value, before: handler.addBegin, handler) })
    {
      violations.append("received \(call.value), which was emitted before it was added (3)")
    }
    if !handler.mayNest, let next = zip(calls, calls.dropFirst()).first(where: { $0.end > $1.begin })?.1 {
      violations.append("was called with \(next.value) during another call: \(history.excerpt(around: next.begin))")
    }
    if let call = calls.first(where: { outlivesItsEmission($0, handler) }) {
      violations.append("was called with \(call.value) when `emitAndWait` had returned")
    }
    return violations
  }

  private func outlivesItsEmission(_ call: FuzzCall, _ handler: FuzzHandler) -> Bool {
    let emission = emissions[call.value]
    guard emission.isWaitedFor, call.end > emission.end else { return false }
    // A stream has handled what its buffer holds. A pair, and what `flatMapLatest` follows, are another source's values.
    if handler.route == .stream || handler.chain.has(.zip) || handler.chain.has(.flatMapLatest) { return false }
    // A handler that is added meanwhile may receive it by `replay`, and is not waited for.
    return !handler.chain.has(.replay) || emission.begin > handler.addedAt
  }
}
