/// Something that a relay could not do and that no call can throw; reported by `Relay.failures`.
///
/// A cause that lasts is reported once a minute, with a count. Losses are summed up, at first for a second and then for up to a minute.
/// Names and texts that come from outside have their control characters escaped.
public enum RelayFailure: Error, Sendable, Hashable {
  /// The transport failed: its own message.
  case transport(String)
  /// The broker denies this subject to these credentials.
  case denied(subject: String)
  /// A message or value of another process cannot be decoded here: its schema is newer, or another.
  case unreadable(subject: String, id: String, reason: String)
  /// Messages that observers here did not receive: they were lost on their way, dropped because handlers are too slow, or, of a
  /// kept event, removed by the store's retention before. The event's `arrivals` mark their place.
  case missed(subject: String, count: Int)
  /// Observers of a kept event are slow: the given number of messages wait for them here, and no more are read until half of them
  /// are handled. Nothing is lost as long as the store keeps the messages; what it removes is reported as `missed`.
  case lagging(subject: String, count: Int)
  /// Messages of this process that were not sent.
  case dropped(subject: String, count: Int, reason: String)
  /// A kept message whose handler has failed too often; it stays in the store and is not handled again.
  case dead(subject: String, id: String, reason: String)
  /// A handler of a kept event that has not returned in time: its timeout is over, and its message was given up; or messages waited
  /// for it, and were given back to the store.
  case overdue(subject: String, consumer: String, id: String)
  /// An emission that came after too many hops between processes: a feedback cycle, which was rejected.
  case cycle(subject: String, hops: Int)
  /// A failure that was reported a minute ago and has occurred the given number of times since.
  indirect case repeated(RelayFailure, count: Int)
}

extension RelayFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .transport(let message): "transport: \(message)"
    case .denied(let subject): "'\(subject)': denied"
    case .unreadable(let subject, let id, let reason): "'\(subject)' \(id): unreadable: \(reason)"
    case .missed(let subject, let count): "'\(subject)': \(count) missed"
    case .lagging(let subject, let count): "'\(subject)': slow observers, \(count) messages wait for them"
    case .dropped(let subject, let count, let reason): "'\(subject)': \(count) not sent: \(reason)"
    case .dead(let subject, let id, let reason): "'\(subject)' \(id): dead: \(reason)"
    case .overdue(let subject, let consumer, let id): "'\(subject)' \(id): its handler as '\(consumer)' does not return"
    case .cycle(let subject, let hops): "cycle: emitting '\(subject)' was rejected after \(hops) hops between processes"
    case .repeated(let failure, let count): "\(failure) (\(count) more)"
    }
  }
}
