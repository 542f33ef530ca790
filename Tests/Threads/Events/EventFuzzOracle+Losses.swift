import Tidings

/// Sentence 3: all of it.
extension EventFuzzOracle {
  /// Describes the values that the handler must have received and has not.
  func losses(_ history: FuzzHistory) -> [String] {
    let handler = history.handler
    let sources = handler.sources
    let received = Set(history.receipts.map(\.value))
    return emissions.indices.compactMap { value in
      let emission = emissions[value]
      guard !received.contains(value), let source = sources.first(where: { $0.number == emission.source }),
        mustReceive(value, of: source, history)
      else { return nil }
      // It had to be received before this moment.
      var limits: [Int] = []
      if !history.mayBeComplete, !handler.chain.has(.zip), history.isActive == true || hasEndedWithSources(history) {
        limits.append(.max)
      }
      // Nested or beside others, it is delivered when `emit` returns.
      if source.isHook || (source.policy == .immediate && handler.isInPlace) { limits.append(emission.end) }
      // A handler that received a later one had to receive this one before.
      let next = history.receipts.first { call in
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

  /// Whether a value of the source reaches the handler, if that is active for as long as it takes.
  func mustReceive(_ value: Int, of source: FuzzSource, _ history: FuzzHistory) -> Bool {
    let handler = history.handler
    if handler.route == .once || handler.route == .asyncNewest { return false }
    if source.isExpendable, handler.other != nil { return false }
    if handler.chain.has(.filter), !FuzzChain.passes(value) { return false }
    if handler.chain.mayLose(from: handler.source.policy == .immediate) { return false }
    return emissions[value].end < source.finish.begin
  }

  /// Whether nothing but the end of its sources has ended it.
  func hasEndedWithSources(_ history: FuzzHistory) -> Bool {
    history.isActive == false && history.handler.isBehindTheEnd
  }

  /// Whether a value had certainly come through the operators that handlers share, before a moment.
  func hasPassed(_ value: Int, before moment: Int, _ handler: FuzzHandler) -> Bool {
    let emission = emissions[value]
    guard emission.end < moment else { return false }
    if !handler.chain.isShared { return true }
    // If emissions overlap, a value may wait in the operator's own queue when its emission has ended: another thread delivers there.
    guard handler.chain.sharesDirectly, sources[emission.source].policy == .serial else { return false }
    // The thread that delivers has come to the next one.
    guard let place = positions[value], let starts = starts[emission.source], place + 1 < starts.count else {
      return false
    }
    return starts[place + 1] < moment
  }
}
