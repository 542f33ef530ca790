/// What a handler heard, in order, from any thread.
///
/// ```swift
/// let heard = Recorder<Int>()
/// let token = event.observe { heard($0) }
/// event.emit(1)
/// #expect(heard.values == [1])
/// ```
public final class Recorder<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }
  private let state = Locked(State())

  public init() {}

  /// All that was heard so far.
  public var values: [Value] { state.withLock { $0.values } }

  /// Adds a value.
  public func callAsFunction(_ value: Value) {
    let ready = state.withLock { state in
      state.values.append(value)
      let count = state.values.count
      let ready = state.waiting.filter { $0.count <= count }
      state.waiting.removeAll { $0.count <= count }
      return ready
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// All that was heard, as soon as it is at least `count` values. Give the test a time limit.
  public func values(atLeast count: Int) async -> [Value] {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        guard state.values.count < count else { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
    return values
  }
}
