import Tidings

/// Sentences 2, 3, 12 and 17: in which order, and all of it.
extension EventFuzzOracle {
  func orderOfCalls(_ history: FuzzHistory) -> [String] {
    guard !history.handler.source.isHook else { return [] }
    var violations: [String] = []
    // What was emitted, and `emit` had returned, before another was emitted is received before it.
    var newest: [Int: FuzzCall] = [:]
    for call in history.calls {
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
      let own = history.calls.filter { emissions[$0.value].source == source }
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

  /// What it must have received and has not.
  func losses(_ history: FuzzHistory) -> [String] {
    let handler = history.handler
    if handler.route == .once { return [] }
    let received = Set(history.calls.map(\.value))
    let sources = [handler.source] + (handler.route == .merged ? [handler.other].compactMap(\.self) : [])
    return emissions.indices.compactMap { value in
      let emission = emissions[value]
      guard !received.contains(value), let source = sources.first(where: { $0.number == emission.source }) else {
        return nil
      }
      if source.isExpendable, handler.route == .merged { return nil }
      // It had to be received before this moment.
      var limits: [Int] = []
      if history.isActive == true { limits.append(.max) }
      // Nested or beside others, it is delivered when `emit` returns.
      if source.isHook || (source.policy == .immediate && handler.isInPlace) { limits.append(emission.end) }
      // A handler that received a later one had to receive this one before.
      let next = history.calls.first { call in
        guard !source.isHook, emissions[call.value].source == source.number else { return false }
        if let place = positions[value], let other = positions[call.value] { return place < other }
        return emissions[call.value].begin > emission.end
      }
      if let next { limits.append(next.begin) }
      guard let limit = limits.first(where: { history.isCertainlyActive(from: emission.begin, to: $0) }) else {
        return nil
      }
      let how = emission.isWaitedFor ? "emitted and waited for" : "emitted"
      return "has lost \(value), \(how) \(emission.begin)...\(emission.end), until \(limit) (3): "
        + history.excerpt(around: emission.begin)
    }
  }

  /// Sentence 2 for sources that no handler receives throughout: there is one order in which all received what they did.
  func commonOrder() -> [String] {
    var followers: [Int: Set<Int>] = [:]
    for history in histories where history.handler.source.policy == .serial && !history.handler.source.isHook {
      let own = history.calls.filter { emissions[$0.value].source == history.handler.source.number }
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
