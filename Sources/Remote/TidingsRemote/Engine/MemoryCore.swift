import Foundation
import Tidings

/// The broker of `MemoryTransport`: its state under one lock.
///
/// The closures that it calls with the lock held are those of relays, which append to a queue and call no user code.
final class MemoryCore: Sendable {
  struct Subscriber {
    let subject: String
    let kept: Bool
    let client: Int
    /// How much of the log it has been given, while it is kept.
    var position: Int
    var isPaused = false
    let missed: @Sendable (Int?) -> Void
    let receive: @Sendable ([RemoteMessage]) -> TransportDemand
  }
  struct Watcher {
    let key: String
    let receive: @Sendable (StoredValue?) -> Void
  }
  struct State {
    var isReachable = true
    var answersToLose = 0
    var next = 0
    var clients: [Int: @Sendable (TransportReport) -> Void] = [:]
    var log: [String: MemoryLog] = [:]
    var ids: [String: Set<String>] = [:]
    var sequence: UInt64 = 0
    var subscribers: [Int: Subscriber] = [:]
    var queues: [MemoryQueue.Name: MemoryQueue] = [:]
    var values: [String: StoredValue] = [:]
    var watchers: [Int: Watcher] = [:]

    mutating func makeNumber() -> Int {
      next += 1
      return next
    }
  }
  private let state = Lock(State())

  func withState<R>(_ body: (inout State) -> R) -> R { state.withLock(body) }

  func makeClient() -> MemoryClient { MemoryClient(self, withState { $0.makeNumber() }) }

  var isReachable: Bool { withState { $0.isReachable } }
  func setReachable(_ isReachable: Bool) {
    withState { state in
      guard state.isReachable != isReachable else { return }
      state.isReachable = isReachable
      for report in state.clients.values {
        report(.state(isReachable ? .connected("memory") : .reconnecting(attempt: 1)))
      }
      guard isReachable else { return }
      state.catchUp()
      for watcher in state.watchers.values { watcher.receive(state.values[watcher.key]) }
      for queue in state.queues.values { queue.ring() }
    }
  }
  func loseAnswers(_ count: Int) { withState { $0.answersToLose = count } }
}

extension MemoryCore.State {
  /// Gives every subscriber of a kept subject what it has not been given.
  mutating func catchUp() {
    for (id, var subscriber) in subscribers where subscriber.kept {
      let log = log[subscriber.subject] ?? MemoryLog()
      while !subscriber.isPaused, log.end > subscriber.position {
        if log.start > subscriber.position {
          subscriber.missed(log.start - subscriber.position)
          subscriber.position = log.start
          continue
        }
        let end = min(log.end, subscriber.position + 1_024)
        subscriber.isPaused = subscriber.receive(log[subscriber.position..<end]) == .none
        subscriber.position = end
      }
      subscribers[id] = subscriber
    }
  }
  mutating func prune(keeping count: Int) {
    for (subject, log) in log {
      let unhandled = queues.filter { $0.key.subject == subject }.map(\.value.position).min() ?? log.end
      self.log[subject]?.remove(before: min(log.end - max(0, count), unhandled))
    }
    if isReachable { catchUp() }
  }
  mutating func losesAnswer() -> Bool {
    guard answersToLose > 0 else { return false }
    answersToLose -= 1
    return true
  }
}
