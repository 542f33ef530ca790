import Tidings

/// The messages of one subject on their way from the transport to an event of this process.
///
/// It lasts as long as the event that made it. The event is given batches, and the last of each is waited for: so handlers on
/// slow actors hold up the inbox, which is bounded and counts what it drops, and not the memory of the process. A mark is
/// given in the place of messages that are missing.
final class Inbox: RelayPart {
  private enum Item: Sendable {
    case message(RemoteMessage)
    /// The transport no longer had messages; nil for an unknown number.
    case missed(Int?)
  }
  let stage = RelayStage.handlers
  private let link: RelayLink
  private let queue: BatchQueue<Item>
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
  ///   - deliver: Gives one payload or mark to the event, and waits for its handlers if it is the last of a batch.
  init<Payload: Sendable>(
    _ subject: String, kept: Bool, ignoring own: String?, limit: Int, schema: Schema<Payload>, _ link: RelayLink,
    _ deliver: @escaping @Sendable (_ arrival: Arrival<Payload>, _ hops: Int, _ isLast: Bool) async -> Void
  ) throws {
    let queue = BatchQueue<Item>(limit: limit, drops: !kept) { _ in subject }
    (self.link, self.queue) = (link, queue)
    guard let part = link.add(self) else { throw TransportError.closed }
    state.withLock { $0.part = part }
    let subscription: TransportSubscription
    do {
      let missed: @Sendable (Int?) -> Void = { queue.append(.missed($0)) }
      subscription = try link.transport.subscribe(to: subject, kept: kept, missed: missed) { messages in
        queue.append(contentsOf: messages.lazy.map(Item.message))
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
        var arrivals: [(Arrival<Payload>, hops: Int)] = []
        arrivals.reserveCapacity(batch.elements.count)
        var missed = 0
        for item in batch.elements {
          switch item {
          case .missed(let count):
            let bounded = count.map { min(max(0, $0), GapDetector.largestGap) }
            missed += bounded ?? 0
            if bounded != 0 { arrivals.append((.gap(missed: bounded), 0)) }
          case .message(let message) where message.origin != own:
            do {
              try message.check()
              if !kept, case let gap = gaps.gap(before: message), gap > 0 {
                missed += gap
                arrivals.append((.gap(missed: gap), message.hops))
              }
              arrivals.append((.message(try schema.decode(message)), message.hops))
            } catch {
              link.fail(.unreadable(subject: subject, id: message.id, reason: "\(error)"))
            }
          case .message: break
          }
        }
        // A message that this queue dropped also shows as a gap, unless it came before the first message of its origin.
        let unseen = (batch.dropped[subject] ?? 0) - missed
        if unseen > 0 {
          arrivals.insert((.gap(missed: unseen), 0), at: 0)
          missed += unseen
        }
        if missed > 0 { link.fail(.missed(subject: subject, count: missed)) }
        for (index, (arrival, hops)) in arrivals.enumerated() {
          await Hops.$current.withValue(hops + 1) { await deliver(arrival, hops, index == arrivals.count - 1) }
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
  /// Numbers of messages are bounded by it too, so thousands of gaps can be added.
  static let largestGap = Int(clamping: RemoteMessage.largestNumber)
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
