import Synchronization

extension HandlerList {
  /// Gives up the reference that the value's node had. A thread that is notifying it has no reference of its own, and may be
  /// another one or this one, further up its stack: then that thread gives the reference up, when nothing is left to notify.
  final func releaseNodeReference() {
    let isBusy = state.withLock { state in
      state.isOrphan = !isUnseen(flagging: StateWord.more)
      return state.isOrphan
    }
    if !isBusy { Unmanaged.passUnretained(self).release() }
  }
}
