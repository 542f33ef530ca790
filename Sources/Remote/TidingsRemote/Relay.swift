public import Tidings

/// Events and values that several processes share, over one transport.
///
/// ```swift
/// let relay = Relay(.memory(), name: "shop-1", namespace: "shop")
/// let priced = relay.event("market.priced", of: Price.self)
/// let placed = relay.event("orders.placed", of: Order.self, delivery: .kept)
/// let stock = relay.value("stock.a", initially: 0, conflict: .merge { base, mine, theirs in theirs + mine - base })
/// ```
///
/// Events are ``/Tidings/EventSource``s and values ``/Tidings/ValueSource``s: operators, streams, actors and derived values work
/// on them. What each sentence of the contract means between processes is written in <doc:AcrossProcesses>.
///
/// All members may be used from any thread at any time. Events and values keep what they need of the relay; call ``close()`` before
/// the program ends, or messages that are on their way are lost.
public final class Relay: Sendable {
  /// The name of this process in reports of other processes.
  public let name: String
  /// The first word of every subject: relays with different namespaces share nothing.
  public let namespace: String
  private let link: RelayLink
  private let outbox: Outbox
  private let storing: StoreQueue
  private let limit: Int

  /// - Parameters:
  ///   - transport: What carries messages; used by this relay alone.
  ///   - name: What this process is called.
  ///   - namespace: The first word of every subject.
  ///   - limit: How many messages may wait to be sent, or to be handled here, per event. When there are more the oldest are dropped
  ///     and reported. Of kept events nothing is dropped: they wait in the store, which is reported.
  public init(_ transport: some RemoteTransport, name: String, namespace: String, buffering limit: Int = 65_536) {
    let limit = max(1, limit)
    (self.name, self.namespace, self.limit) = (name, namespace, limit)
    let link = RelayLink(transport, name: name, namespace: namespace)
    self.link = link
    outbox = Outbox(link, limit: limit)
    storing = StoreQueue(link)
    _ = link.add(outbox)
    _ = link.add(storing)
    transport.open { link.report($0) }
  }

  /// The state of the connection.
  public var state: ReadOnly<RelayState> { link.state.readOnly }

  /// Failures of the relay that no call could throw. While it has no handler, each failure is written to standard error.
  public var failures: some EventSource<RelayFailure> { link.failed }

  /// An event that is delivered at most once to every process that observes it.
  ///
  /// - Parameters:
  ///   - name: Words joined by dots, the same in all processes. A name has one delivery and one schema.
  ///   - type: The payload.
  ///   - schema: How it is written; JSON unless given.
  /// - Returns: The event. Two for one name in one process reach each other through the transport.
  public func event<Payload: Codable & Sendable>(
    _ name: String, of type: Payload.Type, schema: Schema<Payload> = .json()
  ) -> RelayedEvent<Payload> {
    RelayedEvent(name, schema, link, outbox, limit: limit)
  }

  /// An event whose messages are stored, and handled at least once.
  ///
  /// - Parameters:
  ///   - name: Words joined by dots, the same in all processes.
  ///   - type: The payload.
  ///   - schema: How it is written; JSON unless given.
  ///   - delivery: `.kept`, with its limits.
  /// - Returns: The event.
  public func event<Payload: Codable & Sendable>(
    _ name: String, of type: Payload.Type, schema: Schema<Payload> = .json(), delivery: KeptDelivery
  ) -> KeptEvent<Payload> {
    KeptEvent(name, schema, delivery, link, storing, limit: limit)
  }

  /// A question that handlers of any process answer.
  ///
  /// - Parameters:
  ///   - name: Words joined by dots, the same in all processes, and of no event.
  ///   - input: The question.
  ///   - output: The answer.
  ///   - inputSchema: How the question is written; JSON unless given.
  ///   - outputSchema: How the answer is written; JSON unless given.
  /// - Returns: The hook.
  public func hook<Input: Codable & Sendable, Output: Codable & Sendable>(
    _ name: String, asking input: Input.Type, answering output: Output.Type, inputSchema: Schema<Input> = .json(),
    outputSchema: Schema<Output> = .json()
  ) -> RelayedHook<Input, Output> {
    RelayedHook(name, inputSchema, outputSchema, link, outbox, limit: limit)
  }

  /// A value that all processes share.
  ///
  /// - Parameters:
  ///   - name: Words joined by dots, the same in all processes.
  ///   - initial: What it is until the store says otherwise. It is not written.
  ///   - conflict: What becomes of a local change when another process has written in between: written over the other unless given.
  ///   - schema: How it is written; JSON unless given.
  /// - Returns: The value.
  public func value<Value: Codable & Equatable & Sendable>(
    _ name: String, initially initial: Value, conflict: ConflictRule<Value> = .latest, schema: Schema<Value> = .json()
  ) -> RelayedValue<Value> {
    RelayedValue(initial, link.subject(name), conflict, schema, link)
  }

  /// Takes nothing new in, lets handlers finish, acknowledges what they have handled, stores values and messages, and disconnects.
  ///
  /// What cannot be stored or sent now, because the transport is away, is given up and reported. Not to be called by a handler of
  /// the relay, for which it would wait.
  public func close() async { await link.close() }
}
