import Foundation
import Synchronization
public import Tidings

/// An event that all processes share which name it, each message delivered at most once to each of them.
///
/// ```swift
/// let priced = relay.event("market.priced", of: Price.self)
/// let subscription = priced.observe { price in shown(price) }
/// priced.emit(price)
/// ```
///
/// Handlers of this process are called as those of any ``/Tidings/Event``: in order, in place or on their actors, before `emit`
/// returns. Other processes receive the messages of one process in the order in which its handlers do; between those of
/// several processes there is no common order. A message that is on its way when a process or its connection ends is lost; where
/// the numbers of those around it show that, the receiving relay reports it (`missed`), and ``arrivals`` marks its place.
///
/// A process receives from the first handler on, until the event is deinitialized or the relay closed.
public final class RelayedEvent<Payload: Sendable>: EventSource {
  private struct Emission: Sendable {
    let arrival: Arrival<Payload>
    let hops: Int
    let isRemote: Bool
  }
  private let local: Event<Emission>
  /// The number of handlers in this process, without the one that sends.
  var count: Int { local.diagnostics.count - (sending.isActive ? 1 : 0) }
  private let sending: Subscription
  private let receiving = Lock(Receiving())
  private let link: RelayLink
  private let schema: Schema<Payload>
  let subject: String
  private let origin: String
  private let limit: Int
  private struct Receiving {
    var hasBegun = false
    var inbox: Inbox?
  }

  init(_ name: String, _ schema: Schema<Payload>, _ link: RelayLink, _ outbox: Outbox, limit: Int) {
    let (subject, origin) = (link.subject(name), link.makeOrigin())
    (self.link, self.schema, self.subject, self.origin, self.limit) = (link, schema, subject, origin, limit)
    local = Event(subject)
    // The first handler: so what is sent is in the one order in which all handlers of this process receive it.
    let numbers = Numbers()
    sending = local.observe { emission in
      guard !emission.isRemote, case .message(let payload) = emission.arrival else { return }
      let number = numbers.next()
      let item = Outbox.Item(subject: subject) {
        RemoteMessage(
          subject: subject, id: "", origin: origin, number: number, hops: emission.hops, schema: schema.name,
          version: schema.version, body: try schema.encode(payload))
      }
      if !outbox.append(item) { link.fail(.dropped(subject: subject, count: 1, reason: "the relay is closed")) }
    }
  }

  deinit { receiving.withLock { $0.inbox }?.end() }

  /// Delivers to the handlers of this process, and hands the message over to be sent.
  ///
  /// Never throws, never waits for the network. What cannot be sent, because it is not encodable, no transport takes it in time
  /// or the relay is closed, is reported in `Relay.failures`. What is emitted in a handler of a message from another process
  /// counts the processes that it has come through; after 16 it is a feedback cycle: rejected and reported.
  ///
  /// - Parameters:
  ///   - payload: What has happened.
  ///   - isolation: The caller's actor by default; do not pass it.
  /// - Complexity: O(*n*) in the number of handlers of this process.
  public func emit(_ payload: Payload, isolation: isolated (any Actor)? = #isolation) {
    let hops = Hops.current
    if hops > Hops.limit { return link.fail(.cycle(subject: subject, hops: hops)) }
    local.emit(Emission(arrival: .message(payload), hops: hops, isRemote: false), isolation: isolation)
  }

  public func attach(_ handler: EventHandler<Payload>) -> Subscription {
    let subscription = local.compactMap { $0.arrival.payload }.attach(handler)
    receive()
    return subscription
  }

  /// The messages of this process and of the others, and a mark in the place of those that did not reach this process.
  ///
  /// The numbers that a sender gives its messages show where some are missing. So a mark comes with the next message of
  /// the same sender, and none comes for messages before its first.
  public var arrivals: some EventSource<Arrival<Payload>> {
    Arrivals<Payload> { handler in
      let subscription = self.local.map { $0.arrival }.attach(handler)
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
      let inbox = try Inbox(subject, kept: false, ignoring: origin, limit: limit, schema: schema, link) {
        [local] arrival, hops, isLast in
        let emission = Emission(arrival: arrival, hops: hops, isRemote: true)
        if isLast { await local.emitAndWait(emission, isolation: nil) } else { local.emit(emission, isolation: nil) }
      }
      receiving.withLock { $0.inbox = inbox }
    } catch {
      receiving.withLock { $0.hasBegun = false }
      link.fail(error, about: subject)
    }
  }
}

/// Numbers from 1 on, from any thread.
private final class Numbers: Sendable {
  private let last = Atomic<UInt64>(0)
  func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
