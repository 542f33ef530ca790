import Synchronization

extension HandlerList {
  /// Releases the node's reference. A delivering thread does not retain the list. If a thread is delivering, which may be this one
  /// further up its stack, that thread releases the reference when its queue is empty.
  final func releaseNodeReference() {
    let isBusy = state.withLock { state in
      state.isOrphan = !isUnseen(flagging: StateWord.more)
      return state.isOrphan
    }
    if !isBusy { Unmanaged.passUnretained(self).release() }
  }
}
