import Synchronization

// The end of an event: it is deinitialized, or it is finished.
extension Delivery {
  /// The event is deinitialized or, if `finishing`, accepts no more values. What it had accepted is still delivered; then its
  /// handlers end.
  final func close(finishing: Bool = false) {
    let busy = state.withLock { state in
      if finishing {
        if state.isFinished { return true }
        state.isFinished = true
        live.store(live.load(ordering: .relaxed) - Self.finished, ordering: .relaxed)
      }
      // Before the look, as in `turnEpoch`: an emit that leaves after it looks too.
      if policy == .immediate { word.bitwiseOr(StateWord.resting, ordering: .acquiringAndReleasing) }
      let busy = !isUnseen(flagging: StateWord.more) || !state.serial.queue.isEmpty
      state.closing = busy
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
    if isFirst { Diagnostics.reportFinishedEmit(of: self) }
  }
}
