/// The values that a handler received, in order, from any thread.
///
/// ```swift
/// let received = Recorder<Int>()
/// let token = event.observe { received($0) }
/// event.emit(1)
/// #expect(received.values == [1])
/// ```
///
/// The handler chooses what to record. If it is just what the source delivers, `source.record()` is shorter.
public final class Recorder<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var isEnded = false
    var waiting: [Waiter] = []
    /// Removes and returns the waiters whose condition is met.
    mutating func ready() -> [Waiter] {
      let ready = waiting.filter { isEnded || $0.count <= values.count }
      waiting.removeAll { isEnded || $0.count <= values.count }
      return ready
    }
  }
  private final class Waiter: Sendable {
    let count: Int
    private let continuation: CheckedContinuation<Void, Never>
    init(_ count: Int, _ continuation: CheckedContinuation<Void, Never>) {
      self.count = count
      self.continuation = continuation
    }
    func resume() { continuation.resume() }
  }
  private let state = Locked(State())

  /// Makes a recorder without values.
  public init() {}

  /// All values so far.
  public var values: [Value] { state.withLock { $0.values } }

  /// Records a value.
  ///
  /// - Parameter value: The value.
  public func callAsFunction(_ value: Value) {
    let ready = state.withLock { state in
      state.values.append(value)
      return state.ready()
    }
    for waiter in ready { waiter.resume() }
  }

  /// Waits until at least `count` values have been recorded. Give the test a time limit.
  ///
  /// - Parameter count: The number to wait for.
  /// - Returns: All values so far; fewer than `count` when the task is cancelled.
  public func values(atLeast count: Int) async -> [Value] {
    let own = Locked<Waiter?>(nil)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(count, continuation)
        let isReady = state.withLock { state in
          // A cancellation from now on finds the waiter registered.
          if Task.isCancelled || state.isEnded || state.values.count >= count { return true }
          state.waiting.append(waiter)
          own.current = waiter
          return false
        }
        if isReady { waiter.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiting.firstIndex { $0 === own.current }.map { state.waiting.remove(at: $0) }
      }
      waiter?.resume()
    }
    return values
  }

  /// Resumes every waiter, because no more values will be recorded.
  func end() {
    let ready = state.withLock { state in
      state.isEnded = true
      return state.ready()
    }
    for waiter in ready { waiter.resume() }
  }
}
