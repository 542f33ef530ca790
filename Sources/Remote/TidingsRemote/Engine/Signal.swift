import Tidings

/// Wakes one task that waits for work; what rings while it works is remembered, once (a binary semaphore).
///
/// Not an `AsyncStream`: that ends for good when a task is cancelled while it waits.
package final class Signal: Sendable {
  private struct State {
    var isRung = false
    var isClosed = false
    var waiter: CheckedContinuation<Void, Never>?
  }
  private let state = Lock(State())

  package init() {}

  package func ring() { wake { $0.isRung = true } }
  /// From now on no caller waits.
  package func close() { wake { $0.isClosed = true } }
  package var isClosed: Bool { state.withLock { $0.isClosed } }

  private func wake(_ change: (inout State) -> Void) {
    let waiter = state.withLock { state in
      change(&state)
      guard let waiter = state.waiter else { return nil as CheckedContinuation<Void, Never>? }
      (state.waiter, state.isRung) = (nil, false)
      return waiter
    }
    waiter?.resume()
  }

  /// Returns when it has been rung or closed, or the task is cancelled.
  package func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.isClosed || Task.isCancelled { return true }
          if state.isRung {
            state.isRung = false
            return true
          }
          state.waiter = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      ring()
    }
  }
}
