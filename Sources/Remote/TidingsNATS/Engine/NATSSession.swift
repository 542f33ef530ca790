#if NATS
import CNats
import Foundation
import Tidings
import TidingsRemote

/// One connection at work: requests with their answers, and what is known to exist on the broker while it lasts.
final class NATSSession: Sendable {
  /// Requests that are not all answered, and their numbers.
  private struct Pending {
    let numbers: Range<UInt64>
    let exchange: NATSExchange
  }
  private struct State {
    var next: UInt64 = 0
    /// Few: those of one exchange have numbers that follow one another.
    var pending: [Pending] = []
    var answers: NATSSubscription?
    var isClosed = false
    /// Streams and consumers that have been found or made.
    var known: [String: String] = [:]
    /// Rung when the connection is lost.
    var signals: [ObjectIdentifier: Signal] = [:]
  }
  let connection: NATSConnection
  private let writer: NATSWriter
  private let state = Lock(State())
  private let inbox: String
  let timeout: Duration

  init(_ connection: NATSConnection, timeout: Duration) throws {
    self.connection = connection
    self.timeout = timeout
    writer = NATSWriter(connection)
    inbox = Self.makeInbox() + "."
    let answers = try connection.subscribe(inbox + "*") { [weak self] message in self?.take(message) }
    state.withLock { $0.answers = answers }
  }
  deinit { writer.close() }

  static func makeInbox() -> String { "_INBOX.tidings\(String(UInt64.random(in: 0 ... .max), radix: 36))" }

  /// The connection is lost, or closed.
  func end() {
    let (pending, signals, answers) = state.withLock { state in
      state.isClosed = true
      defer { (state.pending, state.signals, state.answers) = ([], [:], nil) }
      return (state.pending, state.signals, state.answers)
    }
    withExtendedLifetime(answers) {}
    for signal in signals.values { signal.ring() }
    writer.close()
    for entry in pending { entry.exchange.fail { _ in .unavailable("nats: the connection was lost") } }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }
  /// Rings a signal when the connection is lost, or immediately if it is; until `stopRinging`.
  func ringAtEnd(_ signal: Signal) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.signals[ObjectIdentifier(signal)] = signal }
      return state.isClosed
    }
    if isClosed { signal.ring() }
  }

  func stopRinging(_ signal: Signal) {
    _ = state.withLock { $0.signals.removeValue(forKey: ObjectIdentifier(signal)) }
  }

  // MARK: Known
  func known(_ name: String) -> String? { state.withLock { $0.known[name] } }
  func setKnown(_ name: String, _ value: String?) { state.withLock { $0.known[name] = value } }
  func forget() { state.withLock { $0.known = [:] } }

  // MARK: Sending
  /// Sends on the calling thread, which may block; `done` is called when the broker has the messages, with the indexes of those
  /// that are too large for it.
  func send(_ messages: [OutgoingMessage], _ done: @escaping @Sendable (Result<[Int], TransportError>) -> Void) {
    writer.send(NATSWriter.Job(messages: messages, done: done))
  }
  var isIdle: Bool { state.withLock { $0.pending.isEmpty && !$0.isClosed } }
  /// Sends on the calling thread without waiting, if that is possible; then `done` is called when the broker has the message, or
  /// with why that is not known.
  func sendImmediately(_ message: OutgoingMessage, _ done: @escaping @Sendable (TransportError?) -> Void) -> Bool {
    writer.sendImmediately(message, done)
  }
  /// Without an answer.
  func post(_ messages: OutgoingMessage...) { post(messages) }
  func post(_ messages: [OutgoingMessage]) { writer.append(NATSWriter.Job(messages: messages) { _ in }) }

  // MARK: Requests
  /// Sends requests in order; returns when all are answered.
  func exchange(_ messages: [OutgoingMessage]) async throws -> [NATSReply] {
    if messages.isEmpty { return [] }
    let (timeout, begun) = (timeout, Locked<NATSExchange?>(nil))
    return try await withCheckedThrowingContinuation { continuation in
      let expiring = Task {
        guard (try? await Task.sleep(for: timeout)) != nil else { return }
        begun.withLock { $0 }?.fail { .unavailable("nats: \($0) of \(messages.count) requests were not answered") }
      }
      let exchange = begin(messages) { result in
        expiring.cancel()
        continuation.resume(with: result)
      }
      begun.withLock { $0 = exchange }
    }
  }

  /// One request; blocks until it is answered. For threads that may wait.
  func ask(_ message: OutgoingMessage) throws -> NATSReply {
    let (answered, result) = (DispatchSemaphore(value: 0), Locked<Result<[NATSReply], TransportError>?>(nil))
    let exchange = begin([message]) { answer in
      result.withLock { $0 = answer }
      answered.signal()
    }
    if answered.wait(timeout: .now() + .milliseconds(Int(timeout.milliseconds))) == .timedOut {
      exchange.fail { _ in .unavailable("nats: '\(message.subject)' was not answered") }
      answered.wait()
    }
    guard let answer = result.withLock({ $0 }) else { throw TransportError.unavailable("nats") }
    return try answer.get()[0]
  }

  private func begin(
    _ messages: [OutgoingMessage], _ done: @escaping @Sendable (Result<[NATSReply], TransportError>) -> Void
  ) -> NATSExchange {
    let (first, exchange) = state.withLock { state -> (UInt64?, NATSExchange) in
      let first = state.next
      state.next += UInt64(messages.count)
      let numbers = first..<state.next
      let exchange = NATSExchange(messages) { [weak self] result in
        self?.forget(numbers)
        done(result)
      }
      if state.isClosed { return (nil, exchange) }
      state.pending.append(Pending(numbers: numbers, exchange: exchange))
      return (first, exchange)
    }
    guard let first else {
      exchange.fail { _ in .unavailable("nats: the connection is lost") }
      return exchange
    }
    var addressed = messages
    for index in addressed.indices { addressed[index].reply = inbox + String(first + UInt64(index)) }
    writer.append(
      NATSWriter.Job(messages: addressed) { result in
        switch result {
        case .success(let rejected) where rejected.isEmpty: break
        case .success: exchange.fail { _ in .rejected("nats: a message is larger than the server's limit") }
        case .failure(let error): exchange.fail { _ in error }
        }
      })
    return exchange
  }

  private func forget(_ numbers: Range<UInt64>) {
    state.withLock { $0.pending.removeAll { $0.numbers == numbers } }
  }

  private func take(_ message: borrowing IncomingMessage) {
    guard let number = message.number(after: inbox.utf8.count),
      let pending = state.withLock({ $0.pending.first { $0.numbers.contains(number) } })
    else { return }
    pending.exchange.take(
      NATSReply(status: message.status, body: message.body), Int(number - pending.numbers.lowerBound))
  }

  /// The broker rejects a subject: requests there will not be answered.
  func deny(_ subject: String) {
    let denied = state.withLock { state in state.pending.filter { $0.exchange.subjects.contains(subject) } }
    for entry in denied { entry.exchange.fail { _ in .denied(subject: NATSSubject.unescape(subject)) } }
  }
}
#endif
