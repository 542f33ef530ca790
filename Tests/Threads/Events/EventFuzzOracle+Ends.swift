import Tidings

/// Sentences 6, 25 and 31: what ends a subscription, and what does not.
extension EventFuzzOracle {
  func ends(_ history: FuzzHistory) -> [String] {
    var violations: [String] = []
    if history.isActive == true, history.operations.contains(where: { $0.isFinal && $0.isCertain }) {
      violations.append("is active although it was cancelled (6)")
    }
    if history.isActive == false, !mayHaveEnded(history) {
      violations.append("is not active although nothing has ended it: \(history.excerpt(around: .max - 50))")
    }
    if let call = history.receipts.first(where: {
      emissions[$0.value].begin > sources[emissions[$0.value].source].finish.end
    }) {
      violations.append("received \(call.value), which was emitted after `finish()` had returned (25)")
    }
    return violations
  }

  private func mayHaveEnded(_ history: FuzzHistory) -> Bool {
    let handler = history.handler
    if handler.route == .once || history.operations.contains(where: \.isFinal) || history.mayBeComplete { return true }
    return handler.chain.has(.zip) ? handler.sources.contains { $0.finish.isFinished } : handler.isBehindTheEnd
  }

  /// Sentence 26, for each `drained()` that waited for the handler.
  func earlyDrains(_ history: FuzzHistory) -> [String] {
    let handler = history.handler
    // A stream has handled what its buffer holds.
    if handler.source.isHook || handler.route == .stream { return [] }
    // If emits overlap, the source that `flatMapLatest` follows may emit after the barrier has passed.
    if handler.chain.mayLose(from: handler.source.policy == .immediate) { return [] }
    let calls = Dictionary(history.receipts.map { ($0.value, $0) }, uniquingKeysWith: { first, _ in first })
    return drains.compactMap { drain in
      let followed = followed(by: drain.target, handler)
      guard !followed.isEmpty else { return nil }
      let early = emissions.indices.first { value in
        let emission = emissions[value]
        guard emission.end < drain.begin, let source = followed.first(where: { $0.number == emission.source }),
          history.isCertainlyActive(from: emission.begin, to: drain.end)
        else { return false }
        if let call = calls[value] {
          // A pair is made when both values are there.
          if let partner = call.partner, emissions[partner].end > drain.begin { return false }
          return call.end > drain.end && (followed.count == handler.sources.count || call.partner == nil)
        }
        return mustReceive(value, of: source, history) && !history.mayBeComplete && !handler.chain.has(.zip)
      }
      guard let early else { return nil }
      let emission = emissions[early]
      return """
        had not handled \(early), emitted \(emission.begin)...\(emission.end), when `drained()` of \(drain.target) returned, \
        \(drain.begin)...\(drain.end) (26): \(history.excerpt(around: emission.begin))
        """
    }
  }

  /// The sources of the handler that the caller waits for.
  private func followed(by target: FuzzDrain.Target, _ handler: FuzzHandler) -> [FuzzSource] {
    switch target {
    case .source(let number): handler.sources.filter { $0.number == number }
    case .handler(let number): number == handler.number ? handler.sources : []
    }
  }
}
