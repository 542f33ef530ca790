/// What a handler heard, in order, from any thread.
///
/// ```swift
/// let heard = Recorder<Int>()
/// let token = event.observe { heard($0) }
/// event.emit(1)
/// #expect(heard.values == [1])
/// ```
///
/// What is to be noted is up to the handler. Where it is just what the source tells, `source.record()` says it shorter.
public final class Recorder<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var isEnded = false
    var waiting: [Waiter] = []
    /// Takes out those who need wait no longer.
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

  public init() {}

  /// All that was heard so far.
  public var values: [Value] { state.withLock { $0.values } }

  /// Adds a value.
  public func callAsFunction(_ value: Value) {
    let ready = state.withLock { state in
      state.values.append(value)
      return state.ready()
    }
    for waiter in ready { waiter.resume() }
  }

  /// All that was heard, as soon as it is at least `count` values; fewer when the task is cancelled. Give the test a time
  /// limit.
  public func values(atLeast count: Int) async -> [Value] {
    let own = Locked<Waiter?>(nil)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(count, continuation)
        let isReady = state.withLock { state in
          // A cancel from now on finds the waiter in its place.
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

  /// No more will be heard: nobody is to wait for it.
  func end() {
    let ready = state.withLock { state in
      state.isEnded = true
      return state.ready()
    }
    for waiter in ready { waiter.resume() }
  }
}
