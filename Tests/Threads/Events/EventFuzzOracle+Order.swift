import Tidings

/// Sentences 2, 12 and 17: in which order.
extension EventFuzzOracle {
  func orderOfCalls(_ history: FuzzHistory) -> [String] {
    guard !history.handler.source.isHook else { return [] }
    var violations: [String] = []
    // A value is received before another if its `emit` had returned before the other was emitted.
    var newest: [Int: FuzzCall] = [:]
    for call in history.receipts {
      let emission = emissions[call.value]
      if let last = newest[emission.source], emissions[last.value].begin > emission.end {
        violations.append(
          "received \(call.value) after \(last.value), which was emitted later (12): "
            + history.excerpt(around: call.begin))
      }
      if newest[emission.source].map({ emissions[$0.value].begin < emission.begin }) ?? true {
        newest[emission.source] = call
      }
    }
    for (source, order) in orders {
      let own = history.receipts.filter { emissions[$0.value].source == source }
      let places = own.map { positions[$0.value] }
      if places.contains(nil) || zip(places, places.dropFirst()).contains(where: { ($0 ?? 0) >= ($1 ?? 0) }) {
        violations.append("received \(own.map(\.value)), in another order than the first handler (2): \(order)")
      }
      for (call, place) in zip(own, places) {
        guard let old = call.old, let place else { continue }
        let expected = place == 0 ? -1 : order[place - 1]
        if old != expected {
          violations.append("received that \(call.value) replaced \(old), and not \(expected) (17)")
        }
      }
    }
    return violations
  }

  /// Sentence 2 for sources that no handler receives throughout: there is one order in which all received what they did.
  func commonOrder() -> [String] {
    var followers: [Int: Set<Int>] = [:]
    for history in histories where history.handler.source.policy == .serial && !history.handler.source.isHook {
      let own = history.receipts.filter { emissions[$0.value].source == history.handler.source.number }
      for (call, next) in zip(own, own.dropFirst()) { followers[call.value, default: []].insert(next.value) }
    }
    var ahead: [Int: Int] = [:]
    for next in followers.values.joined() { ahead[next, default: 0] += 1 }
    var free = followers.keys.filter { ahead[$0] == nil }
    var placed = 0
    while let value = free.popLast() {
      placed += 1
      for next in followers[value] ?? [] {
        ahead[next, default: 0] -= 1
        if ahead[next] == 0 { free.append(next) }
      }
    }
    let all = Set(followers.keys).union(followers.values.joined())
    return placed == all.count ? [] : ["handlers of one source received values in different orders (2)"]
  }
}
