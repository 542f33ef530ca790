import Foundation
public import Tidings

/// An event whose messages are stored, and handled at least once.
///
/// ```swift
/// let placed = relay.event("orders.placed", of: Order.self, delivery: .kept)
/// try await placed.send(order, id: order.id)
/// placed.handle(as: "billing") { order in try await bill(order) }
/// ```
///
/// `send` returns when the message is stored. `handle(as:_:)` shares the messages among all processes that
/// handle under one name, from the first message that the store keeps. `observe` and its kin receive what is stored from then
/// on, in every process, in the one order of the store; the sender's handlers receive it from there too. When they are slow, as
/// many messages as the relay buffers wait in the process, and the others in the store; the relay reports that (`lagging`).
/// Messages that the store's retention removes before they are received are counted and reported (`missed`), and ``arrivals``
/// marks their place. For an effect that must happen once record it under the message's id.
public final class KeptEvent<Payload: Sendable>: EventSource {
  let link: RelayLink
  let schema: Schema<Payload>
  let subject: String
  let delivery: KeptDelivery
  private let storing: StoreQueue
  private let origin: String
  private let limit: Int
  private let local: Event<Arrival<Payload>>
  var count: Int { local.diagnostics.count }
  private struct Receiving {
    var hasBegun = false
    var inbox: Inbox?
  }
  private let receiving = Lock(Receiving())

  init(
    _ name: String, _ schema: Schema<Payload>, _ delivery: KeptDelivery, _ link: RelayLink, _ storing: StoreQueue,
    limit: Int
  ) {
    (self.link, self.schema, self.delivery, self.storing, self.limit) = (link, schema, delivery, storing, limit)
    (subject, origin) = (link.subject(name), link.makeOrigin())
    local = Event(subject)
  }
  deinit { receiving.withLock { $0.inbox }?.end() }

  /// Stores a message; returns when it is kept, and never before.
  ///
  /// While the store cannot be reached it is sent again, under the same id. A message whose subject and id are stored already is
  /// not stored again: so a program that does not know whether an earlier call succeeded sends it again.
  ///
  /// - Parameters:
  ///   - payload: The message.
  ///   - id: Its identity; a new one unless given.
  /// - Throws: ``TransportError``; what encoding throws; `CancellationError` when the task is cancelled, and then it is unknown
  ///   whether the message is stored.
  public func send(_ payload: Payload, id: String? = nil) async throws {
    try await send(contentsOf: CollectionOfOne((payload, id: id ?? UUID().uuidString)))
  }

  /// Stores several messages in their order; returns when all are kept.
  ///
  /// What is sent by several tasks meanwhile is stored together with them, so one call for each message is not slow either.
  ///
  /// - Parameter messages: Payloads with their ids.
  /// - Throws: As ``send(_:id:)``. Then some of them may be stored.
  public func send(contentsOf messages: some Sequence<(Payload, id: String)>) async throws {
    let hops = Hops.current
    if hops > Hops.limit {
      link.fail(.cycle(subject: subject, hops: hops))
      throw TransportError.rejected("a feedback cycle of \(hops) hops between processes")
    }
    try await storing.store(
      messages.map { payload, id in
        let message = RemoteMessage(
          subject: subject, id: id, origin: origin, hops: hops, schema: schema.name, version: schema.version,
          body: try schema.encode(payload))
        // Every receiver would reject it, and each consumer keep it as a dead letter.
        if let violation = message.violation { throw TransportError.rejected(violation) }
        return message
      })
  }

  public func attach(_ handler: EventHandler<Payload>) -> Subscription {
    let subscription = local.compactMap { $0.payload }.attach(handler)
    receive()
    return subscription
  }

  /// The messages that `observe` receives, and a mark in the place of those that the store no longer had.
  ///
  /// An observer that rebuilds a state from the messages reads the state again at a mark.
  public var arrivals: some EventSource<Arrival<Payload>> {
    Arrivals<Payload> { handler in
      let subscription = self.local.attach(handler)
      self.receive()
      return subscription
    }
  }

  private func receive() {
    let isFirst = receiving.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    do {
      let inbox = try Inbox(subject, kept: true, ignoring: nil, limit: limit, schema: schema, link) {
        [local] arrival, _, isLast in
        if isLast { await local.emitAndWait(arrival, isolation: nil) } else { local.emit(arrival, isolation: nil) }
      }
      receiving.withLock { $0.inbox = inbox }
    } catch {
      receiving.withLock { $0.hasBegun = false }
      link.fail(error, about: subject)
    }
  }
}
