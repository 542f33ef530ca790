import Tidings

/// Sentences 6 and 7, and the rules for pausing.
extension EventFuzzOracle {
  func stops(_ history: FuzzHistory) -> [String] {
    history.operations.filter { $0.isStop && $0.isCertain }.compactMap { operation in
      guard let resumed = history.resumed(after: operation) else { return nil }
      // Calls while the handler was stopped, and calls after it with what was emitted before its end.
      let late = history.calls.filter { call in
        guard call.begin > operation.end else { return false }
        if call.begin < resumed { return true }
        // A source that `flatMapLatest` follows emits when it is followed. That may be after the handler was resumed.
        if history.handler.chain.has(.flatMapLatest) { return false }
        // A pair is made by the later of its values.
        return ([call.value] + [call.partner].compactMap(\.self)).allSatisfy {
          hasPassed($0, before: resumed, history.handler)
        }
      }
      guard let problem = problem(late, after: operation, history) else { return nil }
      return "\(problem) after `\(operation.verb)` had returned (6): \(history.excerpt(around: operation.end))"
    }
  }

  /// Returns what is wrong with calls that began after an operation returned, or nil.
  private func problem(_ late: [FuzzCall], after operation: FuzzOperation, _ history: FuzzHistory) -> String? {
    let handler = history.handler
    if operation.verb == .finish, handler.route != .stream {
      let running = history.calls.contains { $0.begin < operation.end && $0.end > operation.end }
      if running || !late.isEmpty { return "a call was running or began" }
      return nil
    }
    if late.isEmpty { return nil }
    let values = late.map(\.value)
    if handler.source.isHook {
      // Each question that was under way may have been entering a call.
      let put = values.filter { emissions[$0].begin > operation.end }
      return put.isEmpty ? nil : "was asked \(put), put"
    }
    if isExclusive(operation, handler) {
      return "received \(values), and no other thread can have been entering a call,"
    }
    if handler.route != .stream, late.contains(where: { $0.thread == operation.thread }) {
      return "received \(values) on the thread that did it"
    }
    let entering = handler.isConcurrent ? Set(late.map(\.thread)).count : 1
    return late.count > entering ? "received \(values), more than was being entered," : nil
  }

  /// Whether no thread but the one that did it can have been entering a call.
  private func isExclusive(_ operation: FuzzOperation, _ handler: FuzzHandler) -> Bool {
    if let actor = handler.actor, operation.actor == actor { return true }
    guard let inside = operation.inside.flatMap({ byNumber[$0] }) else { return false }
    if inside === handler { return !handler.isConcurrent }
    // In a handler of the same serial source: its thread delivers to both.
    return inside.isInPlace && handler.isInPlace && inside.source === handler.source
      && handler.source.policy == .serial
  }
}
