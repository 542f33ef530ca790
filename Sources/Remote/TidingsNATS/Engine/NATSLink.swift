#if NATS
import CNats
import Foundation
import Tidings
import TidingsRemote

/// Keeps a transport connected: one session after the other, each with all subscriptions that there are.
final class NATSLink: Sendable {
  private struct Subscriber {
    let subject: String
    let sink: MessageSink
    var subscription: NATSSubscription?
  }
  private struct State {
    var isOpen = false
    var isClosed = false
    var session: NATSSession?
    var report: (@Sendable (TransportReport) -> Void)?
    var next = 0
    var subscribers: [Int: Subscriber] = [:]
    /// The callers that wait for a session: each looks again when it is resumed.
    var waiting: [Int: Signal] = [:]
    /// Decodes events where they arrive in numbers; made when that happens first.
    var decoding: WorkThread<EventIntake>?
  }
  private let state = Lock(State())
  private let configuration: NATSConnection.Configuration
  /// Signalled when a connection is lost or the transport closed.
  private let change = DispatchSemaphore(value: 0)

  init(_ configuration: NATSConnection.Configuration) { self.configuration = configuration }

  /// The one way to the relay: no report shows the user and password of an address.
  func report(_ report: TransportReport) {
    let shown: TransportReport =
      switch report {
      case .state(.connected(let address)): .state(.connected(Self.withoutUser(address)))
      case .failure(.transport(let text)): .failure(.transport(Self.withoutUser(text)))
      default: report
      }
    state.withLock { $0.report }?(shown)
  }
  /// A text whose addresses, `scheme://user:password@host`, have no user and password.
  static func withoutUser(_ text: String) -> String {
    var (shown, rest) = ("", text[...])
    while let start = rest.range(of: "://") {
      shown += rest[..<start.upperBound]
      rest = rest[start.upperBound...]
      let address = rest.prefix { !$0.isWhitespace && !"'\",".contains($0) }
      if let end = address.lastIndex(of: "@") { rest = rest[rest.index(after: end)...] }
    }
    return shown + rest
  }
  func fail(_ error: any Error, about subject: String) {
    switch error {
    case TransportError.closed, is CancellationError: break
    case TransportError.denied(let subject): report(.failure(.denied(subject: subject)))
    default: report(.failure(.transport("'\(subject)': \(error)")))
    }
  }

  func drop(_ counts: [String: Int], _ reason: String) {
    for (subject, count) in counts {
      report(.failure(.dropped(subject: subject, count: count, reason: reason)))
    }
  }

  // MARK: Connecting
  func open(_ report: @escaping @Sendable (TransportReport) -> Void) {
    let isFirst = state.withLock { state in
      defer { (state.isOpen, state.report) = (true, report) }
      return !state.isOpen && !state.isClosed
    }
    guard isFirst else { return }
    report(.state(.connecting))
    let thread = Thread { [weak self] in
      var attempts = Attempts()
      while let self, self.connect(&attempts) {}
    }
    thread.name = "Tidings.NATS"
    thread.start()
  }

  private struct Attempts {
    var count = 0
    var wasConnected = false
    var reason = ""
    var pause: Duration { .milliseconds(min(2_000, 20 << min(count, 7))) }
  }

  /// One connection from its making to its end, or one attempt; false when the transport is closed.
  private func connect(_ attempts: inout Attempts) -> Bool {
    if isClosed { return false }
    let (lost, hasEnded) = (Locked(""), Locked(false))
    do {
      let session = try makeSession(lost, hasEnded)
      let isTaken = state.withLock { state in
        if state.isClosed { return false }
        state.session = session
        return true
      }
      guard isTaken else {
        session.end()
        return false
      }
      (attempts.wasConnected, attempts.reason) = (true, "")
      let began = ContinuousClock.now
      report(.state(.connected(session.connection.url)))
      resubscribe(session)
      ring()
      // The signal may be that of a connection which failed before this one.
      while !isClosed, !hasEnded.withLock({ $0 }) { change.wait() }
      state.withLock { $0.session = nil }
      session.end()
      if isClosed { return false }
      // A broker that closes each connection as soon as it is made is not asked without a pause.
      attempts.count = .now - began < .seconds(1) ? attempts.count + 1 : 0
      let reason = lost.withLock { $0 }
      report(.failure(.transport("nats: the connection was lost\(reason.isEmpty ? "" : ": \(reason)")")))
      report(.state(.reconnecting(attempt: 1)))
      if attempts.count > 0 { pause(attempts.pause) }
    } catch {
      attempts.count += 1
      // Each reason once, or a broker that is away would fill the log.
      if "\(error)" != attempts.reason { report(.failure(.transport("\(error)"))) }
      attempts.reason = "\(error)"
      if attempts.wasConnected { report(.state(.reconnecting(attempt: attempts.count))) }
      pause(attempts.pause)
    }
    return !isClosed
  }
  /// Returns when the time is over, or the transport is closed. A connection that was closed as soon as it was made signals too.
  private func pause(_ time: Duration) {
    let end = DispatchTime.now() + .milliseconds(Int(time.milliseconds))
    while !isClosed, change.wait(timeout: end) == .success {}
  }

  private func makeSession(_ lost: Locked<String>, _ hasEnded: Locked<Bool>) throws -> NATSSession {
    let made = Locked<NATSSession?>(nil)
    let connection = try NATSConnection(
      configuration,
      ConnectionSink(
        closed: { [change] in
          hasEnded.withLock { $0 = true }
          change.signal()
        },
        failed: { [weak self] status, text in
          guard status == NATS_NOT_PERMITTED else { return lost.withLock { $0 = text } }
          self?.deny(text, made.withLock { $0 })
        }))
    let session = try NATSSession(connection, timeout: configuration.timeout)
    made.withLock { $0 = session }
    return session
  }

  /// The server's words: `Permissions Violation for Publish to "a.b"`, or `for Subscription to`.
  private func deny(_ text: String, _ session: NATSSession?) {
    let words = text.split(separator: "\"")
    guard words.count > 1 else { return report(.failure(.transport("nats: \(text)"))) }
    let subject = String(words[1])
    session?.deny(subject)
    report(.failure(.denied(subject: NATSSubject.unescape(subject))))
  }

  // MARK: Sessions
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The session; waits for one.
  ///
  /// - Parameter limit: For how long; then it throws that there is none.
  func session(within limit: Duration? = nil) async throws -> NATSSession {
    if let session = state.withLock({ $0.isClosed ? nil : $0.session }) { return session }
    let signal = Signal()
    let number = add(signal)
    defer { _ = state.withLock { $0.waiting.removeValue(forKey: number) } }
    let expiring = limit.map { limit in
      Task {
        try? await Task.sleep(for: limit)
        signal.close()
      }
    }
    defer { expiring?.cancel() }
    while true {
      let (session, isClosed) = state.withLock { ($0.session, $0.isClosed) }
      if isClosed { throw TransportError.closed }
      if let session { return session }
      if signal.isClosed { throw TransportError.unavailable("nats: not connected") }
      try Task.checkCancellation()
      await signal.wait()
    }
  }
  /// The session, if there is one and it waits for no answer.
  var idleSession: NATSSession? {
    guard let session = state.withLock({ $0.isClosed ? nil : $0.session }), session.isIdle else { return nil }
    return session
  }
  private func add(_ signal: Signal) -> Int {
    state.withLock { state in
      state.next += 1
      state.waiting[state.next] = signal
      return state.next
    }
  }
  private func ring() { for signal in state.withLock({ Array($0.waiting.values) }) { signal.ring() } }

  /// The same for a thread that may wait.
  func waitForSession(_ limit: Duration) -> NATSSession? {
    let end = ContinuousClock.now + limit
    while true {
      let (session, isClosed) = state.withLock { ($0.session, $0.isClosed) }
      if session != nil || isClosed || ContinuousClock.now > end { return session }
      Thread.sleep(forTimeInterval: 0.002)
    }
  }

  // MARK: Subscriptions
  func subscribe(_ subject: String, _ sink: @escaping MessageSink) throws -> TransportSubscription {
    let (number, session) = state.withLock { state -> (Int?, NATSSession?) in
      if state.isClosed { return (nil, nil) }
      state.next += 1
      state.subscribers[state.next] = Subscriber(subject: subject, sink: sink)
      return (state.next, state.session)
    }
    guard let number else { throw TransportError.closed }
    if let session { subscribe(number, session) }
    return TransportSubscription { [weak self] in
      let ended = self?.state.withLock { $0.subscribers.removeValue(forKey: number) }
      withExtendedLifetime(ended) {}
    }
  }
  private func resubscribe(_ session: NATSSession) {
    for number in state.withLock({ $0.subscribers.keys.sorted() }) { subscribe(number, session) }
  }
  private func subscribe(_ number: Int, _ session: NATSSession) {
    guard let subscriber = state.withLock({ $0.subscribers[number] }) else { return }
    do {
      let subscription = try session.connection.subscribe(subscriber.subject, subscriber.sink)
      let replaced = state.withLock { state in
        // If the transport has changed its session meanwhile, the new session has subscribed.
        guard state.session === session, state.subscribers[number] != nil else {
          return subscription as NATSSubscription?
        }
        defer { state.subscribers[number]?.subscription = subscription }
        return state.subscribers[number]?.subscription
      }
      withExtendedLifetime(replaced) {}
    } catch { fail(error, about: subscriber.subject) }
  }

  /// Has the decoding thread call `work`, after those that wait for it already.
  func schedule(_ intake: EventIntake) {
    let thread = state.withLock { state -> WorkThread<EventIntake>? in
      if state.isClosed { return nil }
      if state.decoding == nil {
        state.decoding = WorkThread("Tidings.NATS.events") { intakes in for intake in intakes { intake.work() } }
      }
      return state.decoding
    }
    _ = thread?.append(intake)
  }

  // MARK: Closing
  func close() {
    let (session, subscribers, decoding) = state.withLock { state in
      state.isClosed = true
      defer { (state.session, state.subscribers, state.decoding) = (nil, [:], nil) }
      return (state.session, state.subscribers, state.decoding)
    }
    decoding?.close()
    withExtendedLifetime(subscribers) {}
    session?.end()
    session?.connection.close()
    change.signal()
    ring()
  }
}

/// Runs what blocks on a thread of Dispatch: the cooperative threads are for what does not.
func offPool<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
  }
}
#endif
