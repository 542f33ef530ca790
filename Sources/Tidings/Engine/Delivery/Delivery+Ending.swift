import Synchronization

// The end of an event: it is gone, or it is finished.
extension Delivery {
  /// The event is gone or, if `finishing`, takes no more values. What it had taken on is still delivered; then its handlers end.
  final func close(finishing: Bool = false) {
    let busy = state.withLock { state in
      if finishing {
        if state.isFinished { return true }
        state.isFinished = true
        live.store(live.load(ordering: .relaxed) - Self.finished, ordering: .relaxed)
      }
      let busy = !isUnseen(telling: Word.more) || !state.queue.isEmpty
      state.closing = busy
      if busy, policy == .immediate { word.bitwiseOr(Word.resting, ordering: .acquiringAndReleasing) }
      return busy
    }
    if !busy { clear(closingQueues: false) }
  }

  /// Reports the first value that was emitted after the end.
  @inline(never)
  final func reportFinished() {
    let isFirst = state.withLock { state in
      defer { state.hasReportedFinish = true }
      return !state.hasReportedFinish
    }
    if isFirst { reportFinishedEmit() }
  }
}
