import Tidings
import TidingsTesting

/// What of a run the contract does not allow. It knows nothing of how the library works.
///
/// A moment counts as before another only if it certainly was: an operation has happened at some time between its begin and
/// its end, a value was emitted at some time between those of its `emit`.
struct EventFuzzOracle {
  let emissions: [FuzzEmission]
  let histories: [FuzzHistory]
  /// The values of a serial source in the order in which the handler received them that nothing stops.
  let orders: [Int: [Int]]
  /// The place of a value in that order.
  let positions: [Int: Int]
  let byNumber: [Int: FuzzHandler]

  init(_ fuzz: EventFuzz) {
    let cancellations = fuzz.cancellations.current
    emissions = fuzz.emissions.all
    histories = fuzz.handlers.current.map { FuzzHistory($0, cancellations) }
    byNumber = Dictionary(uniqueKeysWithValues: histories.map { ($0.handler.number, $0.handler) })
    var (orders, positions): ([Int: [Int]], [Int: Int]) = ([:], [:])
    for history in histories where history.handler.isLasting && history.handler.actor == nil {
      let source = history.handler.source
      guard source.policy == .serial else { continue }
      orders[source.number] = history.calls.map(\.value)
      for (position, call) in history.calls.enumerated() { positions[call.value] = position }
    }
    (self.orders, self.positions) = (orders, positions)
  }

  var violations: [String] {
    var violations: [String] = []
    for history in histories {
      for violation in stops(history) + orderOfCalls(history) + calls(history) + losses(history) {
        violations.append("\(history.handler): \(violation)")
      }
    }
    return violations + commonOrder()
  }

  /// The rules for each call.
  private func calls(_ history: FuzzHistory) -> [String] {
    let (handler, calls) = (history.handler, history.calls)
    var violations: [String] = []
    if Set(calls.map(\.value)).count < calls.count {
      violations.append("received a value twice: \(calls.map(\.value))")
    }
    if !calls.allSatisfy(\.isOnActor) { violations.append("was called elsewhere than on its actor (12)") }
    if handler.route == .once, calls.count > 1 { violations.append("was called \(calls.count) times by `once` (8)") }
    if let call = calls.first(where: { emissions[$0.value].end < handler.addBegin }) {
      violations.append("received \(call.value), which was emitted before it was added (3)")
    }
    if !handler.mayNest, let next = zip(calls, calls.dropFirst()).first(where: { $0.end > $1.begin })?.1 {
      violations.append("was called with \(next.value) during another call: \(history.excerpt(around: next.begin))")
    }
    if handler.route != .stream, let call = calls.first(where: { outlivesItsEmission($0) }) {
      violations.append("was called with \(call.value) when `emitAndWait` had returned")
    }
    if history.isActive == true, history.operations.contains(where: { $0.isFinal && $0.isCertain }) {
      violations.append("is active although it was cancelled (6)")
    }
    if history.isActive == false, handler.route != .once, !history.operations.contains(where: \.isFinal) {
      violations.append("is not active although nothing has ended it")
    }
    return violations
  }

  private func outlivesItsEmission(_ call: FuzzCall) -> Bool {
    emissions[call.value].isWaitedFor && call.end > emissions[call.value].end
  }
}
