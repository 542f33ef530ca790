import Foundation
import Tidings

/// One transport's side of the broker.
final class MemoryClient: Sendable {
  private let core: MemoryCore
  private let id: Int
  private let isClosed = Lock(false)

  init(_ core: MemoryCore, _ id: Int) { (self.core, self.id) = (core, id) }

  private func reach() throws {
    if isClosed.withLock({ $0 }) { throw TransportError.closed }
    if !core.isReachable { throw TransportError.unavailable("the broker cannot be reached") }
  }

  func open(_ report: @escaping @Sendable (TransportReport) -> Void) {
    core.withState { state in
      state.clients[id] = report
      report(.state(state.isReachable ? .connected("memory") : .connecting))
    }
  }

  func publish(_ messages: [RemoteMessage]) throws {
    try reach()
    core.withState { state in
      for subscriber in state.subscribers.sorted(by: { $0.key < $1.key }).map(\.value) where !subscriber.kept {
        let matching = messages.filter { $0.subject == subscriber.subject }
        if !matching.isEmpty { _ = subscriber.receive(matching) }
      }
    }
  }

  func subscribe(
    _ subject: String, kept: Bool, missed: @escaping @Sendable (Int?) -> Void,
    _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) -> TransportSubscription {
    let (core, client) = (core, id)
    let number = core.withState { state in
      let number = state.makeNumber()
      state.subscribers[number] = MemoryCore.Subscriber(
        subject: subject, kept: kept, client: client, position: state.log[subject]?.end ?? 0, missed: missed,
        receive: receive)
      return number
    }
    return TransportSubscription {
      core.withState { state in
        state.subscribers[number]?.isPaused = false
        if state.isReachable { state.catchUp() }
      }
    } _: {
      _ = core.withState { $0.subscribers.removeValue(forKey: number) }
    }
  }

  func store(_ messages: [RemoteMessage]) throws {
    try reach()
    let isLost = core.withState { state in
      for var message in messages where state.ids[message.subject, default: []].insert(message.id).inserted {
        state.sequence += 1
        message.sequence = state.sequence
        state.log[message.subject, default: MemoryLog()].append(message)
      }
      state.catchUp()
      for (name, queue) in state.queues where messages.contains(where: { $0.subject == name.subject }) { queue.ring() }
      return state.losesAnswer()
    }
    if isLost { throw TransportError.unavailable("no answer") }
  }

  func claim(_ limit: Int, _ name: MemoryQueue.Name) async throws -> [ClaimedMessage] {
    let signal = Signal()
    let number = core.withState { state in
      let number = state.makeNumber()
      state.queues[name, default: MemoryQueue()].waiting[number] = signal
      return number
    }
    defer { _ = core.withState { $0.queues[name]?.waiting.removeValue(forKey: number) } }
    while true {
      if isClosed.withLock({ $0 }) { throw TransportError.closed }
      try Task.checkCancellation()
      let claimed = core.withState { state in
        let log = state.log[name.subject] ?? MemoryLog()
        return state.isReachable ? state.queues[name, default: MemoryQueue()].claim(limit, from: log, for: id) : []
      }
      if !claimed.isEmpty { return claimed }
      await signal.wait()
    }
  }

  func begin(_ claimed: ClaimedMessage, _ name: MemoryQueue.Name) throws {
    try reach()
    core.withState { state in state.queues[name]?.begin(claimed, by: id) }
  }

  func settle(_ outcomes: [(ClaimedMessage, ClaimOutcome)], _ name: MemoryQueue.Name) throws {
    try reach()
    let core = core
    core.withState { state in
      for (claimed, outcome) in outcomes {
        guard let delay = state.queues[name]?.settle(claimed, outcome, by: id), delay > .zero else { continue }
        Task.detached {
          try? await Task.sleep(for: delay)
          core.withState { state in
            state.queues[name]?.makeDue(claimed.receipt)
            state.queues[name]?.ring()
          }
        }
      }
      state.queues[name]?.ring()
    }
  }

  func deadMessages(_ name: MemoryQueue.Name) throws -> [DeadMessage] {
    try reach()
    return core.withState { state in state.queues[name].map { $0.dead.sorted { $0.key < $1.key }.map(\.value) } ?? [] }
  }
  func putBack(_ sequences: [UInt64], _ name: MemoryQueue.Name) throws {
    try reach()
    core.withState { state in
      for sequence in sequences { state.queues[name]?.putBack(sequence) }
      state.queues[name]?.ring()
    }
  }

  func removeConsumer(_ name: MemoryQueue.Name) throws {
    try reach()
    core.withState { state in
      // A process that waits for messages is a consumer that begins anew.
      let waiting = state.queues.removeValue(forKey: name)?.waiting ?? [:]
      if !waiting.isEmpty { state.queues[name] = MemoryQueue(waiting: waiting) }
      state.queues[name]?.ring()
    }
  }

  func write(_ body: Data, _ key: String, _ expected: UInt64) throws -> WriteAnswer {
    try reach()
    let (answer, isLost) = core.withState { state in
      let current = state.values[key]
      guard current?.revision ?? 0 == expected else { return (WriteAnswer.conflict(current), state.losesAnswer()) }
      let new = StoredValue(body, revision: expected + 1)
      state.values[key] = new
      for watcher in state.watchers.values where watcher.key == key { watcher.receive(new) }
      return (.written(revision: new.revision), state.losesAnswer())
    }
    if isLost { throw TransportError.unavailable("no answer") }
    return answer
  }

  func watch(_ key: String, _ receive: @escaping @Sendable (StoredValue?) -> Void) -> TransportSubscription {
    let core = core
    let number = core.withState { state in
      let number = state.makeNumber()
      state.watchers[number] = MemoryCore.Watcher(key: key, receive: receive)
      if state.isReachable { receive(state.values[key]) }
      return number
    }
    return TransportSubscription { _ = core.withState { $0.watchers.removeValue(forKey: number) } }
  }

  /// As a process exits: immediately, and what it had taken is given to others.
  func close() {
    isClosed.withLock { $0 = true }
    core.withState { state in
      state.clients[id] = nil
      state.subscribers = state.subscribers.filter { $0.value.client != id }
      for name in state.queues.keys {
        state.queues[name]?.release(from: id)
        state.queues[name]?.ring()
      }
    }
  }
}
