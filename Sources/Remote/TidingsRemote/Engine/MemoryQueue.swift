import Foundation
import Tidings

/// The messages of a kept subject that one consumer has yet to handle.
struct MemoryQueue {
  struct Name: Hashable, Sendable {
    let subject: String
    let consumer: String
  }
  private struct Pending {
    let message: RemoteMessage
    /// How many attempts are counted.
    var attempts: Int
    /// Whether a process ended that had claimed it.
    var isRedelivered = false
    /// The number of its present owner; nil while it waits to be given out again.
    var owner: Int?
    var isDue: Bool
  }
  private(set) var position = 0
  private var pending: [UInt64: Pending] = [:]
  private(set) var dead: [UInt64: DeadMessage] = [:]
  /// Each waits for a message, and looks again when it is rung.
  var waiting: [Int: Signal]

  init(waiting: [Int: Signal] = [:]) { self.waiting = waiting }

  func ring() { for signal in waiting.values { signal.ring() } }

  mutating func claim(_ limit: Int, from log: MemoryLog, for owner: Int) -> [ClaimedMessage] {
    var claimed: [ClaimedMessage] = []
    for (sequence, entry) in pending.sorted(by: { $0.key < $1.key }) where entry.owner == nil && entry.isDue {
      if claimed.count == limit { break }
      pending[sequence]?.owner = owner
      claimed.append(
        ClaimedMessage(
          entry.message, attempt: entry.attempts + 1, receipt: sequence, isRedelivered: entry.isRedelivered))
    }
    position = max(position, log.start)
    for message in log[position..<min(log.end, position + limit - claimed.count)] {
      position += 1
      pending[message.sequence] = Pending(message: message, attempts: 0, owner: owner, isDue: true)
      claimed.append(ClaimedMessage(message, attempt: 1, receipt: message.sequence))
    }
    return claimed
  }

  mutating func begin(_ claimed: ClaimedMessage, by owner: Int) {
    if pending[claimed.receipt]?.owner == owner { pending[claimed.receipt]?.attempts = claimed.attempt }
  }

  /// - Returns: After which delay the message is to be made due, if it is given out again.
  mutating func settle(_ claimed: ClaimedMessage, _ outcome: ClaimOutcome, by owner: Int) -> Duration? {
    guard var entry = pending[claimed.receipt], entry.owner == owner else { return nil }
    (entry.owner, entry.isRedelivered) = (nil, false)
    let delay: Duration
    switch outcome {
    case .acknowledged:
      pending[claimed.receipt] = nil
      return nil
    case .dead(let reason):
      pending[claimed.receipt] = nil
      dead[claimed.receipt] = DeadMessage(entry.message, reason: reason)
      return nil
    case .retry(let after): (entry.attempts, delay) = (claimed.attempt, after)
    case .returned(let after): (entry.attempts, delay) = (claimed.attempt - 1, after)
    }
    entry.isDue = delay <= .zero
    pending[claimed.receipt] = entry
    return delay
  }
  mutating func makeDue(_ receipt: UInt64) { pending[receipt]?.isDue = true }

  mutating func putBack(_ sequence: UInt64) {
    guard let message = dead.removeValue(forKey: sequence)?.message else { return }
    pending[sequence] = Pending(message: message, attempts: 0, owner: nil, isDue: true)
  }

  /// A process has exited: what it had taken is given to others.
  mutating func release(from owner: Int) {
    for (sequence, entry) in pending where entry.owner == owner {
      pending[sequence]?.owner = nil
      pending[sequence]?.isRedelivered = true
    }
  }
}
