#if NATS
public import Foundation
import Tidings
public import TidingsRemote

/// A NATS broker as the transport between processes of any machines: its subjects carry events, its streams (JetStream) keep
/// events, and one of its key-value buckets keeps values.
///
/// ```swift
/// let transport = try NATSTransport(
///   "tls://broker:4222", credentials: .file("shop.creds"), trusting: .certificate("ca.pem"))
/// let relay = Relay(transport, name: "billing-2", namespace: "shop")
/// ```
///
/// It connects in the background, and again whenever the connection is lost, without end; `Relay.state` says how it is,
/// `Relay.failures` why not. While the broker is away, what is emitted waits two seconds and is then dropped and reported; kept
/// events and values wait.
///
/// The subject of an event is its relay's namespace and its name; what a subject may not contain (wildcards, spaces, letters
/// other than ASCII's) is escaped. A kept event has a stream of its own, unless one of the broker's streams has its subject. A
/// message sent again under the same id is recognised for the time that ``NATSStorage`` gives.
///
/// The first handler of a kept event asks the broker for its position, and waits for the answer on the calling thread, while there
/// is no connection a second at most.
public final class NATSTransport: RemoteTransport {
  private let link: NATSLink
  private let storage: NATSStorage
  private let claims: ClaimTable
  private let thread = SendingThread()
  /// Batches of events that the broker is not yet known to have.
  private let unconfirmed = Window(16)

  /// - Parameters:
  ///   - server: The address: `nats://host:port`, or `tls://host:port`; several of one cluster joined by commas.
  ///   - credentials: How this process proves its identity.
  ///   - trust: Which broker it believes.
  ///   - storage: How the broker keeps what is not yet kept there.
  ///   - timeout: How long an answer of the broker is waited for.
  /// - Throws: ``/TidingsRemote/TransportError`` if there is no address.
  public init(
    _ server: String, credentials: NATSCredentials = .none, trusting trust: NATSTrust = .system,
    storage: NATSStorage = NATSStorage(), timeout: Duration = .seconds(5)
  ) throws {
    let servers = server.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    if servers.isEmpty { throw TransportError.rejected("nats: no address") }
    link = NATSLink(
      NATSConnection.Configuration(
        servers: servers, credentials: credentials, trust: trust, timeout: min(timeout.bounded, .seconds(86_400))))
    self.storage = storage
    claims = ClaimTable(link, storage)
  }
  deinit { link.close() }

  public func open(_ report: @escaping @Sendable (TransportReport) -> Void) {
    link.open(report)
    claims.open()
  }

  // MARK: Events
  public func publish(_ messages: [RemoteMessage]) async throws {
    try await withTaskExecutorPreference(thread) { try await send(messages) }
  }
  /// On the sending thread: it may block. What the broker is not yet known to have is bounded by the window.
  private func send(_ messages: [RemoteMessage]) async throws {
    await unconfirmed.enter()
    let session: NATSSession
    do { session = try await link.session(within: .seconds(2)) } catch {
      unconfirmed.leave()
      throw error
    }
    var encoder = NATSEncoder()
    // Only the subjects are kept until the broker has answered. So the messages are freed on the thread that has made them: if
    // another thread frees them, the allocator makes it wait.
    let subjects = Runs(messages.lazy.map(\.subject))
    session.send(messages.map { encoder.encode($0, kept: false) }) { [link, unconfirmed] result in
      switch result {
      case .success(let rejected):
        for index in rejected { link.drop([subjects[index]: 1], "larger than the server's limit") }
      case .failure(let error): link.drop(subjects.counts, "\(error)")
      }
      unconfirmed.leave()
    }
  }
  /// Publishes only when the broker is known to have everything that was sent before. Then the connection's buffers are empty and
  /// take a small message without waiting.
  public func publishImmediately(_ message: () throws -> RemoteMessage) rethrows -> Bool {
    guard let session = link.idleSession, unconfirmed.enterAlone() else { return false }
    let outgoing: OutgoingMessage
    let subject: String
    do {
      let made = try message()
      var encoder = NATSEncoder()
      (outgoing, subject) = (encoder.encode(made, kept: false), made.subject)
    } catch {
      unconfirmed.leave()
      throw error
    }
    let isSent = session.sendImmediately(outgoing) { [link, unconfirmed] error in
      if let error { link.drop([subject: 1], "\(error)") }
      unconfirmed.leave()
    }
    if !isSent { unconfirmed.leave() }
    return isSent
  }
  public var sendingExecutor: (any TaskExecutor)? { thread }
  public var storesAtATime: Int { 4 }

  public func subscribe(
    to subject: String, kept: Bool, missed: @escaping @Sendable (Int?) -> Void,
    _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) throws -> TransportSubscription {
    try kept ? subscribeKept(subject, missed, receive) : subscribeLive(subject, receive)
  }

  private func subscribeLive(
    _ subject: String, _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) throws -> TransportSubscription {
    let intake = EventIntake(subject, schedule: { [weak link] in link?.schedule($0) }, receive)
    let subscription = try link.subscribe(NATSSubject.escape(subject)) { intake.take($0) }
    return TransportSubscription {
      intake.end()
      withExtendedLifetime(subscription) {}
    }
  }

  private func subscribeKept(
    _ subject: String, _ missed: @escaping @Sendable (Int?) -> Void,
    _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) throws -> TransportSubscription {
    if link.isClosed { throw TransportError.closed }
    var position: StreamExtent?
    if let session = link.waitForSession(.seconds(1)) {
      let stream = JetStream(session: session, storage: storage)
      position = try? stream.extent(of: stream.stream(of: subject, reading: true))
    }
    let reader = OrderedReader(subject, link, .after(position), storage) { stream in
      (try stream.stream(of: subject, reading: true), NATSSubject.escape(subject))
    } empty: {
    } missed: {
      missed($0)
    } receive: { message, receipt, _ in
      receive([
        NATSHeader.decode(
          message.header(NATSHeader.name), subject: subject, body: message.body, sequence: receipt.sequence)
      ])
    }
    return TransportSubscription(resume: reader.resume) { reader.end() }
  }

  // MARK: Kept events
  public func store(_ messages: [RemoteMessage]) async throws {
    if link.isClosed { throw TransportError.closed }
    let (session, storage) = (try await link.session(within: .seconds(2)), storage)
    var encoder = NATSEncoder()
    for subject in Set(messages.map(\.subject)) where session.known(NATSSubject.escape(subject)) == nil {
      _ = try await offPool {
        try APIError.translating { try JetStream(session: session, storage: storage).stream(of: subject) }
      }
      // A stream that another process is making is listed a moment before it takes messages. The first is sent alone, until it is
      // taken, so that none after it is taken before it. It is sent again with the others, and recognized.
      if let first = messages.first(where: { $0.subject == subject }) {
        _ = try await stored([encoder.encode(first, kept: true)], session)
      }
    }
    // A bounded number is under way at a time: what the broker has not answered is bounded.
    for window in stride(from: 0, to: messages.count, by: 4_096) {
      let outgoing = messages[window..<min(window + 4_096, messages.count)].map { encoder.encode($0, kept: true) }
      for reply in try await stored(outgoing, session) { _ = try Acknowledgement.sequence(reply) }
    }
  }

  /// The broker's answers to messages for its streams.
  ///
  /// While nothing takes the messages of a stream, because it is being made or its cluster elects a leader, they are sent again;
  /// all of them, because the broker recognizes those that were taken.
  private func stored(_ messages: [OutgoingMessage], _ session: NATSSession) async throws -> [NATSReply] {
    var pause = Duration.milliseconds(2)
    while true {
      let replies = try await session.exchange(messages)
      guard replies.contains(where: { $0.status == 503 }) else { return replies }
      if pause > .milliseconds(500) {
        session.forget()
        return replies
      }
      try await Task.sleep(for: pause)
      pause *= 2
    }
  }

  public func claim(_ limit: Int, of subject: String, as consumer: String) async throws -> [ClaimedMessage] {
    try await claims.claim(limit, subject, consumer)
  }
  public func begin(_ claimed: ClaimedMessage, of subject: String, as consumer: String) async throws {
    try await claims.begin(claimed)
  }
  public func settle(
    _ outcomes: [(ClaimedMessage, ClaimOutcome)], of subject: String, as consumer: String
  ) async throws {
    try await claims.settle(outcomes)
  }

  public func deadMessages(of subject: String, as consumer: String) async throws -> [DeadMessage] {
    try await claims.deadMessages(subject, consumer)
  }
  public func putBack(_ sequences: [UInt64], of subject: String, as consumer: String) async throws {
    try await claims.putBack(sequences, subject, consumer)
  }

  public func removeConsumer(_ consumer: String, of subject: String) async throws {
    if link.isClosed { throw TransportError.closed }
    try await claims.removeConsumer(consumer, subject)
  }

  // MARK: Values
  public func write(_ body: Data, to key: String, expecting revision: UInt64) async throws -> WriteAnswer {
    if link.isClosed { throw TransportError.closed }
    let (session, storage) = (try await link.session(within: .seconds(2)), storage)
    let subject = "$KV.\(storage.bucket).\(NATSSubject.escape(key))"
    let stream = JetStream(session: session, storage: storage)
    let (bucket, extent) = try await offPool { try APIError.translating { try stream.bucket(storage.bucket) } }
    var expected = extent.sequence(revision)
    for _ in 0..<8 {
      if let sequence = expected {
        let message = OutgoingMessage(
          subject: subject, headers: [(NATSHeader.expectedRevision, String(sequence))], body: body)
        let reply = try await stored([message], session)[0]
        guard let error = try? Acknowledgement.decoding(reply.body).error, error.errCode == APIError.wrongRevision
        else { return .written(revision: extent.revision(try Acknowledgement.sequence(reply))) }
      }
      // The bucket may have been made again.
      let (current, last) = try await offPool {
        try APIError.translating { (try stream.extent(of: bucket), try stream.last(of: subject, in: bucket)) }
      }
      if let last, !last.isDeletion {
        return .conflict(StoredValue(last.data ?? Data(), revision: current.revision(last.seq)))
      }
      guard revision == 0, current.created == extent.created, let last else { return .conflict(nil) }
      // Another program has deleted the key, which leaves a mark with a number.
      expected = last.seq
    }
    throw TransportError.unavailable("nats: '\(key)' is deleted again and again")
  }

  public func watch(
    _ key: String, _ receive: @escaping @Sendable (StoredValue?) -> Void
  ) throws -> TransportSubscription {
    if link.isClosed { throw TransportError.closed }
    let bucket = storage.bucket
    let reader = OrderedReader(key, link, .last, storage) { stream in
      (try stream.bucket(bucket, reading: true).stream, "$KV.\(bucket).\(NATSSubject.escape(key))")
    } empty: {
      receive(nil)
    } missed: { _ in
    } receive: { message, receipt, extent in
      let isDeletion = message.header(NATSHeader.operation) != nil
      receive(isDeletion ? nil : StoredValue(message.body, revision: extent.revision(receipt.sequence)))
      return .more
    }
    return TransportSubscription { reader.end() }
  }

  public func close() async {
    await unconfirmed.drained()
    await claims.close()
    link.close()
  }
}
#endif
