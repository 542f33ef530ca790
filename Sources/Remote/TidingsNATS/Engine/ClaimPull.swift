#if NATS
import Foundation
import Tidings
import TidingsRemote

/// One claim's requests for messages.
final class ClaimPull: Sendable {
  struct Message: Sendable {
    let message: RemoteMessage
    let receipt: DeliveryReceipt
    let reply: String
  }
  private struct State {
    var messages: [Message] = []
    var isDone = false
    var isRejected = false
  }
  private let state = Lock(State())
  private let signal = Signal()
  private let session: NATSSession
  private let inbox = NATSSession.makeInbox()
  private let subscription = Lock<NATSSubscription?>(nil)

  init(_ session: NATSSession, _ subject: String) throws {
    self.session = session
    let made = try session.connection.subscribe(inbox) { [weak self] in self?.take($0, subject) }
    subscription.withLock { $0 = made }
    session.ringAtEnd(signal)
  }
  deinit { session.stopRinging(signal) }

  /// Whether the broker has said that there is no such stream or consumer.
  var isRejected: Bool { state.withLock { $0.isRejected } }

  /// Returns the messages that are there, or the first that comes. Returns none after five seconds, or when the connection is lost
  /// or the task is cancelled.
  func messages(_ limit: Int, _ request: String, waiting: Bool) async throws -> [Message] {
    state.withLock { $0.isDone = false }
    let body = waiting ? #"{"batch":1,"expires":4000000000}"# : #"{"batch":\#(limit),"no_wait":true}"#
    session.post(OutgoingMessage(subject: request, reply: inbox, body: Data(body.utf8)))
    // Short: a broker that has just started may forget a request.
    let end = ContinuousClock.now + (waiting ? .seconds(5) : session.timeout)
    let expiring = Task { [signal] in
      try? await Task.sleep(until: end)
      signal.ring()
    }
    defer { expiring.cancel() }
    while true {
      let (messages, isDone) = state.withLock { state -> ([Message], Bool) in
        let isDone =
          state.isDone || state.messages.count >= limit || session.isClosed || Task.isCancelled || .now >= end
        guard isDone else { return ([], false) }
        defer { state.messages = [] }
        return (state.messages, true)
      }
      if isDone { return messages }
      await signal.wait()
    }
  }

  private func take(_ message: borrowing IncomingMessage, _ subject: String) {
    let reply = message.reply ?? ""
    guard let receipt = DeliveryReceipt(reply) else {
      let status = message.status
      if status == 100 { return }
      state.withLock { state in
        state.isDone = true
        state.isRejected = status == 503 || status == 409
      }
      return signal.ring()
    }
    let decoded = NATSHeader.decode(
      message.header(NATSHeader.name), subject: subject, body: message.body, sequence: receipt.sequence)
    state.withLock { $0.messages.append(Message(message: decoded, receipt: receipt, reply: reply)) }
    signal.ring()
  }
}
#endif
