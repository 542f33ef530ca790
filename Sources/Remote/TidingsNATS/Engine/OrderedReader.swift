#if NATS
import Foundation
import Tidings
import TidingsRemote

/// Reads a stream in order, from a position on, and none twice: a consumer of its own, made again wherever one is lost.
final class OrderedReader: Sendable {
  enum Position: Sendable {
    /// After the last sequence of this extent; nil until it is known.
    case after(StreamExtent?)
    /// The last message of the subject, and what comes then.
    case last
  }
  private struct State {
    var isEnded = false
    var position: Position
    /// How many messages the current consumer has still been asked for, and the number of its last message.
    var asked = 0
    var last: UInt64 = 0
    var isBroken = false
    /// The subscriber wants no more for now.
    var isPaused = false
    /// It has been paused since the broker was last asked for messages.
    var wasPaused = false
    var lastReceived = ContinuousClock.now

    /// Gives a mark for messages after the position that the stream no longer has.
    ///
    /// - Returns: Whether it is unknown how many they were, and whether any: the stream keeps other subjects too.
    mutating func skipRemoved(in extent: StreamExtent, _ missed: (Int?) -> Void) -> Bool {
      guard case .after(let position?) = position, extent.first > position.last + 1, !isEnded else { return false }
      missed(extent.isOfOneSubject ? Int(clamping: extent.first - 1 - position.last) : nil)
      self.position = .after(StreamExtent(created: extent.created, last: extent.first - 1))
      return !extent.isOfOneSubject
    }
  }
  private let state: Lock<State>
  private let signal = Signal()
  private let link: NATSLink
  private let name: String
  private static let batch = 512

  /// - Parameters:
  ///   - open: Finds the stream and the subject; blocks.
  ///   - empty: Called when there is nothing at first, for `.last`.
  ///   - missed: Called in the place of messages that the stream no longer has, for `.after`.
  ///   - receive: Takes one message; called on the client library's thread.
  init(
    _ name: String, _ link: NATSLink, _ position: Position, _ storage: NATSStorage,
    open: @escaping @Sendable (JetStream) throws -> (stream: String, filter: String),
    empty: @escaping @Sendable () -> Void, missed: @escaping @Sendable (Int?) -> Void,
    receive: @escaping @Sendable (borrowing IncomingMessage, DeliveryReceipt, StreamExtent) -> TransportDemand
  ) {
    (self.name, self.link) = (name, link)
    state = Lock(State(position: position))
    Task.detached { [self] in
      var (pause, reason) = (Duration.milliseconds(20), "")
      while !isEnded {
        do {
          let session = try await link.session()
          try await read(JetStream(session: session, storage: storage), open, empty, missed, receive)
          pause = .milliseconds(20)
        } catch TransportError.closed {
          return
        } catch {
          if isEnded { return }
          let error = (error as? APIError)?.transportError ?? error
          if "\(error)" != reason { link.fail(error, about: name) }
          reason = "\(error)"
          try? await Task.sleep(for: pause)
          pause = min(pause * 2, .seconds(2))
        }
      }
    }
  }

  private var isEnded: Bool { state.withLock { $0.isEnded } || link.isClosed }
  /// No call of `receive` begins after it has returned.
  func end() {
    state.withLock { $0.isEnded = true }
    signal.close()
  }

  /// The subscriber takes messages again.
  func resume() {
    state.withLock { ($0.isPaused, $0.lastReceived) = (false, .now) }
    signal.ring()
  }

  private func read(
    _ stream: JetStream, _ open: @escaping @Sendable (JetStream) throws -> (stream: String, filter: String),
    _ empty: @escaping @Sendable () -> Void, _ missed: @escaping @Sendable (Int?) -> Void,
    _ receive: @escaping @Sendable (borrowing IncomingMessage, DeliveryReceipt, StreamExtent) -> TransportDemand
  ) async throws {
    let position = state.withLock { $0.position }
    let (name, extent, start, consumer) = try await offPool {
      () -> (String, StreamExtent, StreamExtent?, ConsumerInfo) in
      let (name, filter) = try open(stream)
      let extent = try stream.extent(of: name)
      var start: StreamExtent?
      if case .after(let known) = position { start = Self.start(known, extent) }
      return (name, extent, start, try stream.makeReader(of: name, filter: filter, after: start?.last))
    }
    var isReset = false
    if case .after(let known?) = position, let start {
      isReset = start.created != known.created || start.last < known.last
    }
    let isUncertain = state.withLock { [isReset] state in
      if let start { state.position = .after(start) }
      // Under the lock, as all calls are that must not come after the end.
      if isReset, !state.isEnded { missed(nil) }
      let isUncertain = state.skipRemoved(in: extent, missed)
      (state.asked, state.last, state.isBroken, state.lastReceived) = (0, 0, false, .now)
      if start == nil, consumer.numPending == 0, !state.isEnded { empty() }
      return isUncertain
    }
    if isReset { reportReset() }
    if isUncertain { reportRemoved() }
    let inbox = NATSSession.makeInbox()
    let subscription = try stream.session.connection.subscribe(inbox) { [weak self] in
      self?.take($0, extent, missed, receive)
    }
    defer { withExtendedLifetime(subscription) {} }
    stream.session.ringAtEnd(signal)
    defer { stream.session.stopRinging(signal) }
    let request = stream.next(name, consumer.name)
    let body = Data(#"{"batch":\#(Self.batch),"expires":30000000000,"idle_heartbeat":1000000000}"#.utf8)
    let ticking = Task.detached { [signal] in
      while (try? await Task.sleep(for: .seconds(1))) != nil { signal.ring() }
    }
    defer { ticking.cancel() }
    while true {
      let (isEnded, isBroken, asks, looks) = state.withLock { state in
        let asks = !state.isPaused && state.asked <= Self.batch / 4
        // While nothing was asked for, the stream may have removed what this reader has yet to be given.
        let looks = asks && state.asked == 0 && state.wasPaused
        if asks, !looks { state.asked += Self.batch }
        if asks { state.wasPaused = false }
        // Without a pending request the broker sends no heartbeat.
        let isStalled = state.asked > 0 && .now - state.lastReceived > .seconds(3)
        return (state.isEnded, state.isBroken || isStalled, asks, looks)
      }
      if isEnded || link.isClosed || isBroken { return }
      if stream.session.isClosed { return }
      if looks {
        let current = try await offPool { try stream.extent(of: name) }
        // The consumer of a stream that was made again ends.
        let isSame = current.created == extent.created
        if isSame, state.withLock({ $0.skipRemoved(in: current, missed) }) { reportRemoved() }
        continue
      }
      if asks { stream.session.post(OutgoingMessage(subject: request, reply: inbox, body: body)) }
      await signal.wait()
    }
  }

  private func reportReset() {
    let text = "nats: another stream than before, or an older one, keeps '\(name)'; messages may be missed"
    link.report(.failure(.transport(text)))
  }
  private func reportRemoved() {
    let text = "nats: the stream of '\(name)' and other subjects has removed messages; some may be missed"
    link.report(.failure(.transport(text)))
  }

  /// Returns the position from which a reader that knows an extent reads a stream as it is now. In another stream it begins with the
  /// first message, in an older one after the last.
  private static func start(_ known: StreamExtent?, _ current: StreamExtent) -> StreamExtent {
    guard let known else { return current }
    let isOther = known.created != current.created
    return StreamExtent(created: current.created, last: isOther ? 0 : min(known.last, current.last))
  }

  private func take(
    _ message: borrowing IncomingMessage, _ extent: StreamExtent, _ missed: @Sendable (Int?) -> Void,
    _ receive: @Sendable (borrowing IncomingMessage, DeliveryReceipt, StreamExtent) -> TransportDemand
  ) {
    let receipt = message.reply.flatMap(DeliveryReceipt.init)
    let status = receipt == nil ? message.status : nil
    let wakes = state.withLock { state in
      state.lastReceived = .now
      guard let receipt else {
        switch status {
        case 100: return false  // a heartbeat
        case 408: state.asked = 0  // the request has expired
        default: state.isBroken = true
        }
        return true
      }
      if state.isEnded || state.isBroken { return false }
      guard receipt.consumerSequence == state.last + 1 else {
        state.isBroken = true
        return true
      }
      state.last += 1
      state.asked -= 1
      if case .after(let position) = state.position {
        guard receipt.sequence > position?.last ?? 0 else { return false }
        if extent.isOfOneSubject, let last = position?.last, receipt.sequence > last + 1 {
          missed(Int(clamping: receipt.sequence - last - 1))
        }
        state.position = .after(StreamExtent(created: extent.created, last: receipt.sequence))
      }
      if receive(message, receipt, extent) == .none { (state.isPaused, state.wasPaused) = (true, true) }
      return !state.isPaused && state.asked <= Self.batch / 4
    }
    if wakes { signal.ring() }
  }
}
#endif
