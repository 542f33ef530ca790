public import Foundation

/// A transport within one process: for tests, and for programs that may later be several.
///
/// ```swift
/// let broker = MemoryBroker()
/// let shop = Relay(.memory(broker), name: "shop", namespace: "test")
/// let billing = Relay(.memory(broker), name: "billing", namespace: "test")
/// ```
///
/// What is kept lives as long as the broker.
public final class MemoryTransport: RemoteTransport {
  private let client: MemoryClient

  init(_ broker: MemoryBroker) { client = broker.core.makeClient() }

  public func open(_ report: @escaping @Sendable (TransportReport) -> Void) { client.open(report) }
  public func publish(_ messages: [RemoteMessage]) async throws { try client.publish(messages) }
  public func subscribe(
    to subject: String, kept: Bool, missed: @escaping @Sendable (Int?) -> Void,
    _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) throws -> TransportSubscription {
    client.subscribe(subject, kept: kept, missed: missed, receive)
  }
  public func store(_ messages: [RemoteMessage]) async throws { try client.store(messages) }
  public func claim(_ limit: Int, of subject: String, as consumer: String) async throws -> [ClaimedMessage] {
    try await client.claim(limit, MemoryQueue.Name(subject: subject, consumer: consumer))
  }
  public func begin(_ claimed: ClaimedMessage, of subject: String, as consumer: String) async throws {
    try client.begin(claimed, MemoryQueue.Name(subject: subject, consumer: consumer))
  }
  public func settle(
    _ outcomes: [(ClaimedMessage, ClaimOutcome)], of subject: String, as consumer: String
  ) async throws {
    try client.settle(outcomes, MemoryQueue.Name(subject: subject, consumer: consumer))
  }
  public func deadMessages(of subject: String, as consumer: String) async throws -> [DeadMessage] {
    try client.deadMessages(MemoryQueue.Name(subject: subject, consumer: consumer))
  }
  public func putBack(_ sequences: [UInt64], of subject: String, as consumer: String) async throws {
    try client.putBack(sequences, MemoryQueue.Name(subject: subject, consumer: consumer))
  }
  public func removeConsumer(_ consumer: String, of subject: String) async throws {
    try client.removeConsumer(MemoryQueue.Name(subject: subject, consumer: consumer))
  }
  public func write(_ body: Data, to key: String, expecting revision: UInt64) async throws -> WriteAnswer {
    try client.write(body, key, revision)
  }
  public func watch(
    _ key: String, _ receive: @escaping @Sendable (StoredValue?) -> Void
  ) throws -> TransportSubscription {
    client.watch(key, receive)
  }
  public func close() async { client.close() }
}

extension RemoteTransport where Self == MemoryTransport {
  /// A transport within this process.
  ///
  /// - Parameter broker: What the relays on it share; a new one unless given.
  public static func memory(_ broker: MemoryBroker = MemoryBroker()) -> MemoryTransport { MemoryTransport(broker) }
}

/// The state that the memory transports of one process share.
public final class MemoryBroker: Sendable {
  let core = MemoryCore()

  /// Makes a broker that can be reached and keeps nothing yet.
  public init() {}

  /// Whether it can be reached. While it cannot, what is sent at most once is lost, and everything else waits.
  public var isReachable: Bool {
    get { core.isReachable }
    set { core.setReachable(newValue) }
  }

  /// Answers the given number of the next calls of `store` and `write` with an error although it carries them out, as a
  /// connection does that breaks in between.
  ///
  /// - Parameter count: How many.
  public func loseAnswers(_ count: Int) { core.loseAnswers(count) }

  /// Removes the older messages of each kept event, as the retention of a store does. What a consumer has yet to handle is kept.
  ///
  /// - Parameter count: How many of the newest messages of each event are kept.
  public func prune(keeping count: Int) { core.withState { $0.prune(keeping: count) } }
}
