import Tidings
import TidingsTesting

/// Sentences 31 and 32, and what each operator says of itself.
extension EventFuzzOracle {
  func operators(_ history: FuzzHistory) -> [String] {
    beginnings(history) + prefixes(history) + counts(history) + replays(history) + pairs(history)
  }

  private func beginnings(_ history: FuzzHistory) -> [String] {
    let handler = history.handler
    let seen = history.beginnings.map(\.value)
    let expected = handler.chain.has(.startWith) ? FuzzChain.beginnings : []
    // A pause drops the values that it withholds. A handler that is called once takes only the first, and a full buffer drops some.
    let isWhole =
      history.operations.isEmpty && handler.addedAt != .max && ![.once, .asyncNewest].contains(handler.route)
    let isRight = isWhole ? seen == expected : seen == expected.filter(seen.contains)
    if !isRight { return ["began with \(seen), and not with \(expected)"] }
    if let last = history.beginnings.last, let early = history.calls.first(where: { $0.begin < last.begin }) {
      return ["received \(early.value) before the last value of `startWith`"]
    }
    return []
  }

  private func isPart(_ seen: [Int], of expected: [Int]) -> Bool {
    seen.count < expected.count && (seen.isEmpty || expected.contains(seen[0]))
  }

  private func prefixes(_ history: FuzzHistory) -> [String] {
    let handler = history.handler
    guard handler.chain.has(.prefix) else { return [] }
    let count = history.calls.count + (handler.chain.countedBeginnings > 0 ? history.beginnings.count : 0)
    if count > FuzzChain.prefixLength { return ["received \(count) values behind `prefix`"] }
    if count == FuzzChain.prefixLength, history.isActive == true {
      return ["is active behind a complete `prefix` (31)"]
    }
    return []
  }

  private func counts(_ history: FuzzHistory) -> [String] {
    let handler = history.handler
    guard handler.chain.has(.scan) else { return [] }
    let ordinals = handler.calls.current.compactMap(\.ordinal)
    if zip(ordinals, ordinals.dropFirst()).contains(where: { $0 >= $1 }) {
      return ["received what `scan` counted in the order \(ordinals)"]
    }
    let isWhole =
      history.operations.isEmpty && handler.route != .asyncNewest && !handler.chain.has(.filter)
      && !handler.chain.has(.flatMapLatest)
    if isWhole, ordinals != Array(0..<ordinals.count).map({ $0 + 1 }) { return ["`scan` counted \(ordinals)"] }
    return []
  }

  /// A subscription receives the last values, and no older one.
  private func replays(_ history: FuzzHistory) -> [String] {
    let handler = history.handler
    guard handler.chain.has(.replay) else { return [] }
    let old = history.receipts.filter { hasPassed($0.value, before: handler.addBegin, handler) }
    if old.count > FuzzChain.replayCount { return ["received \(old.map(\.value)) by `replay` (32)"] }
    // At most `begun` values of a serial source precede the subscription. So the last values of these must have been received.
    guard handler.chain.steps.first == .replay, handler.source.keepsLastValues, history.operations.isEmpty,
      let order = orders[handler.source.number], history.isActive == true
    else { return [] }
    let received = Set(history.receipts.map(\.value))
    let begun = emissions.indices.count {
      emissions[$0].source == handler.source.number && emissions[$0].begin < handler.addedAt
    }
    let lost =
      order.dropFirst(begun).isEmpty
      ? []
      : order.prefix(begun).suffix(FuzzChain.replayCount).filter {
        !received.contains($0) && mustReceive($0, of: handler.source, history)
      }
    return lost.isEmpty || history.mayBeComplete ? [] : ["has not received \(lost) by `replay` (32)"]
  }

  /// The first with the first and so on, of serial sources: what is paired is without a gap, and nothing is left on both sides.
  private func pairs(_ history: FuzzHistory) -> [String] {
    let handler = history.handler
    guard handler.chain.has(.zip), history.operations.isEmpty, ![.once, .asyncNewest].contains(handler.route),
      let other = handler.other
    else { return [] }
    var left: [[Int]] = []
    for (source, paired) in [
      (handler.source, history.calls.map(\.value)), (other, history.calls.compactMap(\.partner)),
    ] {
      guard let order = orders[source.number] else { continue }
      let due = order.filter { emissions[$0].begin > handler.addedAt }
      let places = paired.compactMap { positions[$0] }
      if zip(places, places.dropFirst()).contains(where: { $0 + 1 != $1 }) {
        return ["paired \(paired), which are not one after the other in \(order)"]
      }
      if let first = places.first, let start = due.first.flatMap({ positions[$0] }), first > start {
        return ["paired \(paired) without \(order[start]), which was emitted after it was added"]
      }
      left.append(due.filter { !paired.contains($0) && mustReceive($0, of: source, history) })
    }
    if left.count == 2, !history.mayBeComplete, left.allSatisfy({ !$0.isEmpty }) {
      return ["has not paired \(left[0]) with \(left[1])"]
    }
    return []
  }
}
