public import Foundation

/// One message as a transport carries it.
public struct RemoteMessage: Sendable, Equatable {
  /// Literal words joined by dots, the namespace first.
  public var subject: String
  /// The id of the message, unique among the kept messages of its subject.
  public var id: String
  /// Which event object sent it; unique among all processes.
  public var origin: String
  /// Its place among the messages of its origin, from 1; 0 where none is counted. A store may replace it by a number of its own.
  public var number: UInt64
  /// How many processes it has come through before.
  public var hops: Int
  /// The name of the schema that wrote the body.
  public var schema: String
  /// The version of that schema.
  public var version: Int
  /// The payload, as the schema wrote it.
  public var body: Data
  /// Its place in the store's order; 0 where the transport keeps nothing.
  public var sequence: UInt64

  /// Makes a message of its parts; the properties say what each is.
  public init(
    subject: String, id: String, origin: String, number: UInt64 = 0, hops: Int = 0, schema: String, version: Int,
    body: Data, sequence: UInt64 = 0
  ) {
    (self.subject, self.id, self.origin, self.number, self.hops) = (subject, id, origin, number, hops)
    (self.schema, self.version, self.body, self.sequence) = (schema, version, body, sequence)
  }
}

/// A kept message that one process has been given to handle.
public struct ClaimedMessage: Sendable {
  /// The message.
  public let message: RemoteMessage
  /// How many attempts the store has counted, and this one.
  ///
  /// An attempt counts when it has failed, or when it was recorded by ``RemoteTransport/begin(_:of:as:)``.
  public let attempt: Int
  /// A number by which the transport settles the message; opaque to others.
  public let receipt: UInt64
  /// Whether a process ended that had claimed the message and not settled it. Its handler may have been the cause, so the relay
  /// records the next attempt before it begins.
  public let isRedelivered: Bool

  /// Makes a claimed message, for transports.
  public init(_ message: RemoteMessage, attempt: Int, receipt: UInt64, isRedelivered: Bool = false) {
    (self.message, self.attempt, self.receipt) = (message, attempt, receipt)
    self.isRedelivered = isRedelivered
  }
}

/// The outcome of a claimed message.
public enum ClaimOutcome: Sendable, Equatable {
  /// Handled: it is not given out again.
  case acknowledged
  /// To be given out again, not before the delay is over.
  case retry(after: Duration)
  /// Given back as if it had not been given out: the attempt does not count.
  case returned(after: Duration)
  /// Not to be given out again, though it was not handled.
  case dead(reason: String)
}

/// A message that a consumer has given up.
public struct DeadMessage: Sendable, Equatable {
  /// The message.
  public let message: RemoteMessage
  /// The error that its last handler threw, or a note that the handler did not return.
  public let reason: String

  /// Makes a dead message, for transports.
  public init(_ message: RemoteMessage, reason: String) { (self.message, self.reason) = (message, reason) }
}

/// A value as the store holds it.
public struct StoredValue: Sendable, Equatable {
  /// The value, as its schema wrote it, after a header of the relay.
  public let body: Data
  /// Greater with every write to the key.
  public let revision: UInt64

  /// Makes a stored value, for transports.
  public init(_ body: Data, revision: UInt64) { (self.body, self.revision) = (body, revision) }
}

/// The answer to a conditional write.
public enum WriteAnswer: Sendable, Equatable {
  /// The value was written, and the key has this revision now.
  case written(revision: UInt64)
  /// The key has another revision than was expected; nil where it has none.
  case conflict(StoredValue?)
}
