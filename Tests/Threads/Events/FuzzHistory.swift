import Tidings
import TidingsTesting

/// The history of one handler in a run that is over.
struct FuzzHistory {
  let handler: FuzzHandler
  /// The calls with emissions, in the order in which they began.
  let calls: [FuzzCall]
  /// The values that `startWith` gave first, with the moment of each.
  let beginnings: [FuzzCall]
  /// One for each emission: of `zip`, a call receives two.
  let receipts: [FuzzCall]
  /// In the order in which they began.
  let operations: [FuzzOperation]
  /// Whether it could still be called; nil when its token was dropped.
  let isActive: Bool?

  init(_ handler: FuzzHandler, _ cancellations: [(source: Int, operation: FuzzOperation)]) {
    self.handler = handler
    let all = handler.calls.current
    calls = all.filter { $0.value >= 0 }
    beginnings = all.filter { $0.value < 0 }
    receipts = calls.flatMap { call in [call] + [call.partner.map { call.receiving($0) }].compactMap(\.self) }
    isActive = handler.token.current?.isActive
    let own = handler.operations.current
    // An operator that follows two sources goes on with the other one, and a value may be that source's.
    // The buffer of a stream behind an operator with a queue keeps what it has while another thread delivers.
    let followsOthers = handler.other != nil || handler.chain.has(.flatMapLatest)
    let keepsBuffer = handler.route == .stream && !handler.chain.isTransparent
    let sources = handler.sources.map(\.number)
    let reaching = cancellations.filter { sources.contains($0.source) && $0.operation.end > handler.addBegin }
    // A cancellation while the handler is added may find `replay` subscribed and the handler not. Then the handler receives the last
    // values of a source that has ended, and no later cancellation of the event reaches it.
    let mayBeCutOff = handler.chain.has(.replay) && reaching.contains { $0.operation.begin < handler.addedAt }
    let others = reaching.map { cancellation in
      var operation = cancellation.operation
      operation.isCertain =
        !followsOthers && !keepsBuffer && !mayBeCutOff && operation.begin > handler.addedAt
      if !operation.isCertain { operation.end = .max }
      return operation
    }
    operations = (own + others).sorted { $0.begin < $1.begin }
  }

  /// Whether `prefix` has passed its last value on. It may also have counted values that a pause dropped after it.
  var mayBeComplete: Bool {
    guard handler.chain.has(.prefix) else { return false }
    let counted = calls.count + (handler.chain.countedBeginnings > 0 ? beginnings.count : 0)
    return counted >= FuzzChain.prefixLength || !operations.isEmpty
  }

  /// Whether it was certainly to be called throughout, as far as it was not stopped.
  func isCertainlyActive(from start: Int, to limit: Int) -> Bool {
    guard handler.addedAt < start else { return false }
    var stopped = Int.min
    for operation in operations where operation.isStop && operation.begin < limit {
      if operation.isFinal || operation.end > start { return false }
      stopped = max(stopped, operation.end)
    }
    if stopped == .min { return true }
    return operations.contains { !$0.isStop && $0.begin > stopped && $0.end < start }
  }

  /// The first moment at which it may have been resumed after this; nil when a concurrent call may have come last.
  func resumed(after operation: FuzzOperation) -> Int? {
    if operation.isFinal { return .max }
    let resume = operations.first { !$0.isStop && $0.end > operation.begin }
    guard let resume else { return .max }
    return resume.begin > operation.end ? resume.begin : nil
  }

  /// Describes what led to a moment, for people.
  func excerpt(around moment: Int) -> String {
    let calls = calls.filter { $0.begin < moment + 50 }.suffix(8)
      .map { "[\($0.begin)...\($0.end) value \($0.value)]" }
    let operations = operations.filter { $0.begin < moment + 50 }.suffix(12).map {
      "[\($0.begin)...\($0.end == .max ? "" : "\($0.end)") \($0.verb)\($0.isCertain ? "" : "?")"
        + ($0.inside.map { " inside \($0)" } ?? "") + ($0.actor.map { " on actor \($0)" } ?? "") + "]"
    }
    return
      "added \(handler.addBegin)...\(handler.addedAt), calls \(calls.joined(separator: " ")), operations \(operations.joined(separator: " "))"
  }
}
