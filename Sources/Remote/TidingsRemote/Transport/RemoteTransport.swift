public import Foundation

/// A means to carry events and values between processes: a broker or a file.
///
/// A ``Relay`` is made on one. A transport of your own conforms to this protocol and passes the checks of
/// `TidingsRemoteTesting`. Every method may be called from any thread at any time.
///
/// The closures that a transport is given (`receive`, `missed`, `report`) belong to the relay: they return quickly, call no user code and
/// never call the transport. A transport calls those of one call of its methods one at a time, in order.
public protocol RemoteTransport: Sendable {
  /// Connects, without waiting for it, and reports the state of the connection and what fails from now on. Called once, first.
  func open(_ report: @escaping @Sendable (TransportReport) -> Void)

  /// The executor on which the relay prepares and sends messages that are not kept; nil, the default, stands for Swift's own
  /// threads. A transport whose `publish` blocks has its own thread, and saves a change of threads by preparing there too.
  var sendingExecutor: (any TaskExecutor)? { get }

  /// How many calls of ``store(_:)`` the relay has under way at a time, 1 unless a transport says otherwise. More are of use where
  /// the store is far away; fewer make larger batches.
  var storesAtATime: Int { get }

  /// Sends messages that are not kept, in order; returns when they have been handed to the network, or will be before any later
  /// ones.
  ///
  /// - Throws: ``TransportError``. What was not sent is lost, and the relay reports it. What turns out to be lost later the
  ///   transport reports itself, as `dropped`.
  func publish(_ messages: [RemoteMessage]) async throws

  /// Sends one message that is not kept on the calling thread, if no earlier one is on its way and nothing has to be waited for:
  /// it saves a change of threads. False, unless a transport says otherwise; then the relay publishes it.
  ///
  /// It is called by the thread that emits, and while no call of ``publish(_:)`` is under way. What turns out to be lost later
  /// the transport reports itself, as `dropped`.
  ///
  /// - Parameter message: Makes the message; called only if it is likely to be sent.
  func publishImmediately(_ message: () throws -> RemoteMessage) rethrows -> Bool

  /// Receives the messages of a subject from now on, in batches, those of this process included.
  ///
  /// - Parameters:
  ///   - subject: Literal words; no wildcards.
  ///   - kept: Whether the subject's messages are stored. Then none that the store keeps is missed while the subscription lasts,
  ///     also over a lost connection, and all receive them in the store's order.
  ///   - missed: Called where the store no longer has messages that the subscription was not given, with their number, or nil if
  ///     it is unknown. It is called in their place: after the messages before them, and before those after them. If there are
  ///     none after them it is called within seconds, unless the subscription wants no more.
  ///   - receive: Takes a batch, and says whether it wants more. Where the messages are stored, at most 2,048 more come after it
  ///     has said `none`, until the subscription is resumed; nothing is lost by that. A call of `resume` during `receive` counts.
  ///     Where they are not, the answer means nothing.
  /// - Returns: The subscription, which is cancelled when it is deinitialized.
  /// - Throws: ``TransportError`` if the subject is denied or the transport is closed.
  func subscribe(
    to subject: String, kept: Bool, missed: @escaping @Sendable (Int?) -> Void,
    _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) throws -> TransportSubscription

  /// Stores messages in order, each once by subject and id; returns when all are kept.
  ///
  /// - Throws: ``TransportError``. Then none, some or all are kept, and storing them again under the same ids is right.
  func store(_ messages: [RemoteMessage]) async throws

  /// Waits for kept messages that no process has handled as this consumer, and takes at most `limit` of them.
  ///
  /// They are given to no other process while this one is alive and has not settled them. An empty result is allowed.
  ///
  /// - Throws: ``TransportError``; `closed` when the transport is closed while the call waits.
  func claim(_ limit: Int, of subject: String, as consumer: String) async throws -> [ClaimedMessage]

  /// Counts the attempt of a message that is redelivered; returns when that is kept. The handler begins after it.
  ///
  /// Should the process end now, the message is given out again with the next attempt's number. Those that it has claimed beside
  /// it, and not begun, are given out with the number that they have.
  ///
  /// - Throws: ``TransportError``. Then the handler does not begin.
  func begin(_ claimed: ClaimedMessage, of subject: String, as consumer: String) async throws

  /// Says what became of claimed messages; returns when that is kept.
  ///
  /// - Throws: ``TransportError``. Then the messages may be given out again.
  func settle(_ outcomes: [(ClaimedMessage, ClaimOutcome)], of subject: String, as consumer: String) async throws

  /// Returns the messages that are dead for a consumer, in the store's order, as far as the store still keeps them.
  ///
  /// - Throws: ``TransportError``.
  func deadMessages(of subject: String, as consumer: String) async throws -> [DeadMessage]

  /// Gives dead messages out again, with the first attempt's number; those that are not dead stay as they are.
  ///
  /// - Parameters:
  ///   - sequences: Their places in the store's order.
  ///   - subject: The subject of the messages.
  ///   - consumer: The consumer for which they are dead.
  /// - Throws: ``TransportError``. Then none, some or all are given out again.
  func putBack(_ sequences: [UInt64], of subject: String, as consumer: String) async throws

  /// Removes a consumer: its place in the subject, its claims, attempts and dead messages. A claim of its name begins anew.
  ///
  /// - Throws: ``TransportError``. Then some of it may be removed.
  func removeConsumer(_ consumer: String, of subject: String) async throws

  /// Writes a value if the key has the expected revision, 0 meaning that it has none.
  ///
  /// - Throws: ``TransportError``. Then it is unknown whether the value was written.
  func write(_ body: Data, to key: String, expecting revision: UInt64) async throws -> WriteAnswer

  /// Receives what a key holds, nil for nothing, and then what it holds next; values in between may be passed over, the last
  /// one never, also over a lost connection.
  ///
  /// - Throws: ``TransportError`` if the key is denied or the transport is closed.
  func watch(_ key: String, _ receive: @escaping @Sendable (StoredValue?) -> Void) throws -> TransportSubscription

  /// Sends what is on its way, gives back what is claimed, and disconnects. Waiting calls of `claim` throw.
  func close() async
}

extension RemoteTransport {
  public var sendingExecutor: (any TaskExecutor)? { nil }
  public var storesAtATime: Int { 1 }
  /// For a transport that counts an attempt when it gives a message out.
  public func begin(_ claimed: ClaimedMessage, of subject: String, as consumer: String) async throws {}
  public func publishImmediately(_ message: () throws -> RemoteMessage) rethrows -> Bool { false }
  /// Subscribes for messages alone, without marks of gaps.
  ///
  /// - Parameters:
  ///   - subject: The subject.
  ///   - kept: Whether its messages are stored.
  ///   - receive: Is given the messages, as the requirement says.
  /// - Returns: The subscription.
  /// - Throws: ``TransportError`` if the subject is denied or the transport is closed.
  public func subscribe(
    to subject: String, kept: Bool, _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) throws -> TransportSubscription {
    try subscribe(to: subject, kept: kept, missed: { _ in }, receive)
  }
}

/// A report of a transport to its relay.
public enum TransportReport: Sendable {
  /// The state of the connection has changed.
  case state(RelayState)
  /// Something failed that no call could throw.
  case failure(RelayFailure)
}

/// Why a transport could not do what it was asked.
public enum TransportError: Error, Sendable, Equatable {
  /// Not now: no connection, no answer in time. The relay tries again.
  case unavailable(String)
  /// Not with these credentials.
  case denied(subject: String)
  /// The transport or its store rejects it: a full disk, a locked or damaged file, a message too large.
  case rejected(String)
  /// The relay has been closed.
  case closed
}

extension TransportError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unavailable(let reason): "unavailable: \(reason)"
    case .denied(let subject): "'\(subject)': denied"
    case .rejected(let reason): "rejected: \(reason)"
    case .closed: "the relay is closed"
    }
  }
}

/// Whether a subscriber takes more messages now.
public enum TransportDemand: Sendable {
  /// It takes more.
  case more
  /// It takes none until the subscription is resumed.
  case none
}

/// A transport's subscription: cancelled when it is deinitialized.
public final class TransportSubscription: Sendable {
  private let end: @Sendable () -> Void
  private let onResume: @Sendable () -> Void

  /// - Parameters:
  ///   - resume: Called when the subscriber, which wanted no more, takes messages again. It may be called when nothing waits.
  ///   - cancel: Called once. No call of `receive` begins after it has returned.
  public init(resume: @escaping @Sendable () -> Void = {}, _ cancel: @escaping @Sendable () -> Void) {
    (onResume, end) = (resume, cancel)
  }
  deinit { end() }

  /// Messages are wanted again.
  public func resume() { onResume() }
}
