#if NATS
import Tidings
import TidingsRemote

/// The events of one subscription, between the client library's thread and the relay.
///
/// libnats calls back for all subscriptions of a process on one thread, which also delivers the broker's answers to requests.
/// Decoding an event there takes longer than receiving one, so while events arrive in numbers, a queue without a bound would grow
/// in the library, and answers would wait after it until their requests had timed out. Therefore only a single event is decoded
/// on that thread. When more wait they are moved to a bounded queue here, which another thread empties in batches, taking turns
/// among the subscriptions.
final class EventIntake: Sendable {
  private struct State {
    var waiting: [HeldMessage?] = []
    var first = 0
    var bytes = 0
    /// Whether the other thread has messages of this intake to decode; then all are decoded there, in order.
    var isScheduled = false
    var isEnded = false
    var count: Int { waiting.count - first }

    /// The oldest message.
    mutating func take() -> HeldMessage? {
      guard first < waiting.count, let message = waiting[first] else { return nil }
      waiting[first] = nil
      first += 1
      bytes -= message.size
      if first == waiting.count {
        waiting.removeAll(keepingCapacity: first <= 1_024)
        first = 0
      } else if first >= 1_024, first >= waiting.count / 2 {
        waiting.removeFirst(first)
        first = 0
      }
      return message
    }
  }
  private let state = Lock(State())
  private let decoder = Locked(NATSDecoder())
  private let isEnded = Locked(false)
  private let subject: String
  private let receive: @Sendable ([RemoteMessage]) -> TransportDemand
  private let schedule: @Sendable (EventIntake) -> Void

  /// How many messages, and bytes, may wait: as many as a relay buffers by default, and as the client library would
  /// keep. The oldest are discarded; the gap in the sender's numbers reports them as missed.
  private static let limit = (messages: 65_536, bytes: 64 << 20)
  private static let batch = 256

  /// - Parameter schedule: Has another thread call `work`.
  init(
    _ subject: String, schedule: @escaping @Sendable (EventIntake) -> Void,
    _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) {
    (self.subject, self.schedule, self.receive) = (subject, schedule, receive)
  }

  /// On the client library's thread, which alone calls it.
  func take(_ message: consuming IncomingMessage) {
    if message.isLast, state.withLock({ !$0.isScheduled }) { return deliver([decode(message)]) }
    let held = HeldMessage(message)
    let (isFirst, discarded) = state.withLock { state -> (Bool, [HeldMessage]) in
      if state.isEnded { return (false, []) }
      state.waiting.append(held)
      state.bytes += held.size
      var discarded: [HeldMessage] = []
      while state.count > 1, state.count > Self.limit.messages || state.bytes > Self.limit.bytes {
        if let oldest = state.take() { discarded.append(oldest) }
      }
      defer { state.isScheduled = true }
      return (!state.isScheduled, discarded)
    }
    withExtendedLifetime(discarded) {}
    if isFirst { schedule(self) }
  }

  /// Decodes and delivers one batch; on the other thread.
  func work() {
    let (batch, isLast) = state.withLock { state in
      var batch: [HeldMessage] = []
      while batch.count < Self.batch, let message = state.take() { batch.append(message) }
      return (batch, state.count == 0)
    }
    deliver(batch.map { decode($0.message) })
    // Messages that have come meanwhile are decoded here too. Only when none waits may the library's thread deliver again.
    let isDone =
      isLast
      && state.withLock { state in
        if state.count == 0 { state.isScheduled = false }
        return !state.isScheduled
      }
    if !isDone { schedule(self) }
  }

  /// No call of `receive` begins after it has returned.
  func end() {
    isEnded.withLock { $0 = true }
    let waiting = state.withLock { state in
      state.isEnded = true
      defer { (state.waiting, state.first, state.bytes) = ([], 0, 0) }
      return state.waiting
    }
    withExtendedLifetime(waiting) {}
  }

  private func decode(_ message: borrowing IncomingMessage) -> RemoteMessage {
    decoder.withLock { $0.decode(message, subject: subject) }
  }
  private func deliver(_ messages: [RemoteMessage]) {
    if messages.isEmpty { return }
    isEnded.withLock { if !$0 { _ = receive(messages) } }
  }
}

/// A message that outlives its callback.
private final class HeldMessage: Sendable {
  let message: IncomingMessage
  let size: Int
  init(_ message: consuming IncomingMessage) {
    size = message.size
    self.message = message
  }
}
#endif
