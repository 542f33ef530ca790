#if NATS
import Foundation
import Tidings
import TidingsRemote

/// The broker's answer to a request.
struct NATSReply: Sendable {
  /// 503 where nothing takes requests of that subject.
  let status: Int?
  let body: Data
}

/// Requests that are sent together, and their answers.
final class NATSExchange: Sendable {
  private struct State {
    var replies: [NATSReply?]
    var missing: Int
    var done: (@Sendable (Result<[NATSReply], TransportError>) -> Void)?
  }
  private let state: Lock<State>
  let subjects: Runs

  init(_ messages: [OutgoingMessage], _ done: @escaping @Sendable (Result<[NATSReply], TransportError>) -> Void) {
    subjects = Runs(messages.lazy.map(\.subject))
    state = Lock(State(replies: Array(repeating: nil, count: messages.count), missing: messages.count, done: done))
  }

  func take(_ reply: NATSReply, _ index: Int) {
    let complete = state.withLock {
      state -> (([NATSReply], @Sendable (Result<[NATSReply], TransportError>) -> Void)?) in
      guard state.replies[index] == nil else { return nil }
      state.replies[index] = reply
      state.missing -= 1
      guard state.missing == 0, let done = state.done else { return nil }
      state.done = nil
      return (state.replies.compactMap(\.self), done)
    }
    if let (replies, done) = complete { done(.success(replies)) }
  }

  /// Once; then later answers mean nothing.
  func fail(_ reason: (_ missing: Int) -> TransportError) {
    let (missing, done) = state.withLock { state in
      defer { state.done = nil }
      return (state.missing, state.done)
    }
    done?(.failure(reason(missing)))
  }
}
#endif
