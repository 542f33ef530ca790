import TidingsTesting

struct Unavailable: Error, Equatable {
  var number = 0
}

/// Answers when the test says so. It does not care whether the question was cancelled, but notes it.
final class Server: Sendable {
  private struct State {
    var asked: [Int] = []
    var cancelled: [Int] = []
    var waiting: [(number: Int, answer: CheckedContinuation<String, any Error>)] = []
  }
  private let state = Locked(State())

  var asked: [Int] { state.withLock { $0.asked } }
  var cancelled: [Int] { state.withLock { $0.cancelled } }
  func isWaiting(for number: Int) -> Bool { state.withLock { $0.waiting.contains { $0.number == number } } }

  func ask(_ number: Int) async throws -> String {
    state.withLock { $0.asked.append(number) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { answer in state.withLock { $0.waiting.append((number, answer)) } }
    } onCancel: {
      state.withLock { $0.cancelled.append(number) }
    }
  }

  /// Answers the oldest question of that number, once it has come.
  func answer(_ number: Int, failing: Bool = false) async -> Bool {
    guard await eventually({ isWaiting(for: number) }) else { return false }
    let continuation = state.withLock { state in
      state.waiting.remove(at: state.waiting.firstIndex { $0.number == number }!).answer
    }
    if failing {
      continuation.resume(throwing: Unavailable(number: number))
    } else {
      continuation.resume(returning: "answer \(number)")
    }
    return true
  }
}
