import Tidings

/// The questions of one object that wait for answers.
final class OpenQuestions<Answer: Sendable>: Sendable {
  private struct State {
    var last: UInt64 = 0
    var waiting: [UInt64: AsyncStream<Answer>.Continuation] = [:]
  }
  private let state = Lock(State())

  /// One more question: its number, and its answers until it ends. More than are expected of any hook are dropped.
  func begin() -> (number: UInt64, answers: AsyncStream<Answer>) {
    let (answers, continuation) = AsyncStream.makeStream(of: Answer.self, bufferingPolicy: .bufferingOldest(4_096))
    let number = state.withLock { state in
      state.last += 1
      state.waiting[state.last] = continuation
      return state.last
    }
    return (number, answers)
  }
  /// An answer that comes after the end is dropped.
  func give(_ answer: Answer, to number: UInt64) { _ = state.withLock { $0.waiting[number] }?.yield(answer) }
  func end(_ number: UInt64) { state.withLock { $0.waiting.removeValue(forKey: number) }?.finish() }
}
