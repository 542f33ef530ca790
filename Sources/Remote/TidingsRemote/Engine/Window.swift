import Tidings

/// How many operations may be under way at a time: a caller that would begin one more waits until one is over (a counting
/// semaphore for tasks, first come first served).
package final class Window: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Those that have begun, and those that wait to.
    var unfinished = 0
    var draining: [CheckedContinuation<Void, Never>] = []
  }
  private let state: Lock<State>

  package init(_ count: Int) { state = Lock(State(free: count)) }

  /// Whether nothing else is under way; then the caller has begun.
  package func enterAlone() -> Bool {
    state.withLock { state in
      guard state.unfinished == 0, state.free > 0 else { return false }
      state.unfinished = 1
      state.free -= 1
      return true
    }
  }

  /// Returns when the caller may begin. Each call is followed by one of `leave`.
  package func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        state.unfinished += 1
        if state.free > 0 {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  package func leave() {
    let resumed = state.withLock { state in
      state.unfinished -= 1
      var resumed: [CheckedContinuation<Void, Never>] = []
      if state.waiting.isEmpty { state.free += 1 } else { resumed.append(state.waiting.removeFirst()) }
      if state.unfinished == 0 {
        resumed += state.draining
        state.draining = []
      }
      return resumed
    }
    for continuation in resumed { continuation.resume() }
  }

  /// Returns when everything that has begun, or waited to, is over.
  package func drained() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.unfinished > 0 { state.draining.append(continuation) }
        return state.unfinished == 0
      }
      if isOver { continuation.resume() }
    }
  }
}
