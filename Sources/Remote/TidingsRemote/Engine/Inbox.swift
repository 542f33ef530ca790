import Tidings

/// The messages of one subject on their way from the transport to an event of this process.
///
/// It lasts as long as the event that made it. The event is given batches, and the last of each is waited for: so handlers on
/// slow actors hold up the inbox, which is bounded and counts what it drops, and not the memory of the process.
final class Inbox: RelayPart {
  let stage = RelayStage.handlers
  private let link: RelayLink
  private let queue: BatchQueue<RemoteMessage>
  private struct State {
    var subscription: TransportSubscription?
    var reading: Task<Void, Never>?
    var part: Int?
  }
  private let state = Lock(State())

  /// - Parameters:
  ///   - kept: Whether the transport keeps what this process has not taken; then nothing is dropped here, and a full inbox, which
  ///     is reported, makes the transport pause.
  ///   - own: The origin whose messages are left out: those that the event itself has sent.
  ///   - deliver: Gives one payload to the event, and waits for its handlers if it is the last of a batch.
  init<Payload: Sendable>(
    _ subject: String, kept: Bool, ignoring own: String?, limit: Int, schema: Schema<Payload>, _ link: RelayLink,
    _ deliver: @escaping @Sendable (_ payload: Payload, _ hops: Int, _ isLast: Bool) async -> Void
  ) throws {
    let queue = BatchQueue<RemoteMessage>(limit: limit, drops: !kept) { $0.subject }
    (self.link, self.queue) = (link, queue)
    guard let part = link.add(self) else { throw TransportError.closed }
    state.withLock { $0.part = part }
    let subscription: TransportSubscription
    do {
      subscription = try link.transport.subscribe(to: subject, kept: kept) { messages in
        queue.append(contentsOf: messages)
        guard kept, case (true, let began) = queue.pauses() else { return .more }
        if let began { link.fail(.lagging(subject: subject, count: began)) }
        return .none
      }
    } catch {
      link.remove(part)
      throw error
    }
    let reading = Task.detached { [weak subscription] in
      var gaps = GapDetector()
      await queue.drain(upTo: 1_024) { batch in
        var readable: [(Payload, Int)] = []
        readable.reserveCapacity(batch.elements.count)
        var missed = 0
        for message in batch.elements where message.origin != own {
          do {
            try message.check()
            if !kept { missed += gaps.gap(before: message) }
            let payload = try schema.decode(message)
            readable.append((payload, message.hops))
          } catch {
            link.fail(.unreadable(subject: subject, id: message.id, reason: "\(error)"))
          }
        }
        // A message that this queue dropped also shows as a gap, unless it came before the first message of its origin.
        missed = max(missed, batch.dropped[subject] ?? 0)
        if missed > 0 { link.fail(.missed(subject: subject, count: missed)) }
        for (index, (payload, hops)) in readable.enumerated() {
          await Hops.$current.withValue(hops + 1) { await deliver(payload, hops, index == readable.count - 1) }
        }
        if queue.resumes() { subscription?.resume() }
      }
    }
    state.withLock { ($0.subscription, $0.reading) = (subscription, reading) }
  }

  /// Receives nothing more; what has arrived is delivered.
  func end() {
    let (subscription, part) = state.withLock { state in
      defer { (state.subscription, state.part) = (nil, nil) }
      return (state.subscription, state.part)
    }
    withExtendedLifetime(subscription) { queue.close() }
    if let part { link.remove(part) }
  }
  func finish() async {
    end()
    await state.withLock { $0.reading }?.value
  }
}

/// Counts the messages of each origin that did not arrive, by their numbers.
struct GapDetector {
  private var last: [String: UInt64] = [:]

  /// How many of the same origin are missing before this one; 0 for the first of an origin, or one out of order.
  mutating func gap(before message: RemoteMessage) -> Int {
    guard message.number > 0 else { return 0 }
    let before = last[message.origin]
    if before == nil, last.count >= 4_096 { last.removeAll() }  // senders that are no longer there
    last[message.origin] = max(message.number, before ?? 0)
    guard let before, message.number > before + 1 else { return 0 }
    return Int(message.number - before - 1)
  }
}
