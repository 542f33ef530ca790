import Tidings

/// A handler of a kept event at work; made by `handle(as:)`.
///
/// It may be dropped: the relay keeps it until it is cancelled or the relay closes.
public final class KeptHandling: Sendable, RelayPart {
  typealias Handler = @Sendable (ClaimedMessage) async throws -> Void
  /// This process cannot decode the message; another may.
  struct Unreadable: Error { let reason: String }

  let stage = RelayStage.handlers
  let subject: String
  let consumer: String
  private let delivery: KeptDelivery
  private let link: RelayLink
  private struct State {
    var isCancelled = false
    /// The task that waits for messages. It is cancelled alone, so that a running handler is not cancelled.
    var claiming: Task<[ClaimedMessage], any Error>?
    var working: Task<Void, Never>?
    var batch: ClaimedBatch
    /// The call of the handler, if there is a timeout at which it is cancelled.
    var calling: Task<Void, any Error>?
    /// Whether the watching task knows that there is a call.
    var isWatched = false
  }
  private let state: Lock<State>
  /// The time since the handling was made.
  private let now: @Sendable () -> Duration
  private let watch = Signal()

  init(subject: String, consumer: String, _ delivery: KeptDelivery, _ link: RelayLink, _ handler: @escaping Handler) {
    (self.subject, self.consumer, self.delivery, self.link) = (subject, consumer, delivery, link)
    state = Lock(State(batch: ClaimedBatch(delivery)))
    now = Self.elapsed(on: delivery.clock)
    guard let part = link.add(self) else {
      cancel()
      link.fail(.transport("'\(subject)': the relay is closed, '\(consumer)' handles nothing"))
      return
    }
    let working = Task.detached { [self] in
      let watching = Task { await watchCalls() }
      await work(handler)
      watch.close()
      watching.cancel()
      await watching.value
      link.remove(part)
    }
    state.withLock { $0.working = working }
  }
  private static func elapsed(on clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// Once this has returned, at most one more call of the handler begins: one that the handling task was already about to make.
  /// The current message is settled by the outcome of its call; those that were claimed with it are given back to the store.
  public func cancel() {
    let claiming = state.withLock { state in
      state.isCancelled = true
      return state.claiming
    }
    claiming?.cancel()
  }

  /// Cancels, and returns when no call is running and what was handled is acknowledged. Not to be called by the handler itself.
  public func finish() async {
    cancel()
    await state.withLock { $0.working }?.value
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  private func work(_ handler: @escaping Handler) async {
    var backoff = Backoff()
    while !isCancelled {
      do {
        let claimed = try await claim()
        if !claimed.isEmpty { await handle(claimed, handler) }
        backoff = Backoff()
      } catch TransportError.closed {
        return
      } catch is CancellationError {
        continue
      } catch {
        link.fail(error, about: subject)
        await backoff.wait()
      }
    }
  }

  private func claim() async throws -> [ClaimedMessage] {
    let (transport, subject, consumer) = (link.transport, subject, consumer)
    let claiming = state.withLock { state in
      if state.isCancelled { return nil as Task<[ClaimedMessage], any Error>? }
      let limit = state.batch.limit
      let task = Task.detached { try await transport.claim(limit, of: subject, as: consumer) }
      state.claiming = task
      return task
    }
    guard let claiming else { return [] }
    defer { state.withLock { $0.claiming = nil } }
    return try await claiming.value
  }

  private func handle(_ claimed: [ClaimedMessage], _ handler: @escaping Handler) async {
    state.withLock { $0.batch.add(claimed) }
    var settled = ContinuousClock.now
    while let message = next() {
      // Its handler may end the process, which must not repeat those that are handled.
      if message.isRedelivered { await settle() }
      if let outcome = await outcome(of: message, handler) { state.withLock { $0.batch.add(outcome, of: message) } }
      // A batch of quick messages is acknowledged together, slow ones each: so little is handled twice after a kill.
      if message.isRedelivered || ContinuousClock.now - settled > .milliseconds(20) {
        await settle()
        settled = .now
      }
    }
    await settle()
  }
  private func next() -> ClaimedMessage? {
    state.withLock { state in
      if state.isCancelled { state.batch.returnWaiting() }
      return state.batch.next()
    }
  }

  /// Nil if the message was given up while its handler ran.
  private func outcome(of claimed: ClaimedMessage, _ handler: @escaping Handler) async -> ClaimOutcome? {
    // No process will ever read it.
    do { try claimed.message.check() } catch { return .dead(reason: "\(error)") }
    // Its last attempt ended with its process.
    if claimed.attempt > delivery.attempts { return .dead(reason: "its handler did not return") }
    if claimed.isRedelivered {
      do { try await link.transport.begin(claimed, of: subject, as: consumer) } catch {
        link.fail(error, about: subject)
        return .returned(after: .zero)
      }
    }
    begin(claimed)
    let result = await call(claimed, handler)
    guard end() else { return nil }
    switch result {
    case .success: return .acknowledged
    case .failure(let error as Unreadable):
      link.fail(.unreadable(subject: subject, id: claimed.message.id, reason: error.reason))
      return .returned(after: .seconds(5))
    case .failure(let error): return delivery.outcome(of: claimed, failedFor: "\(error)")
    }
  }

  /// Until it is kept: what is not settled would be handled again.
  private func settle() async {
    let outcomes = state.withLock { $0.batch.takeOutcomes() }
    guard !outcomes.isEmpty else { return }
    var backoff = Backoff()
    while true {
      do {
        try await link.transport.settle(outcomes, of: subject, as: consumer)
        // Once it is kept, so that a handler of the report finds the dead letter.
        for case (let claimed, .dead(let reason)) in outcomes {
          link.fail(.dead(subject: subject, id: claimed.message.id, reason: reason))
        }
        break
      } catch {
        link.fail(error, about: subject)
        // A closing relay does not wait for a store that is away; the messages are given out again.
        if link.isClosing { break }
        await backoff.wait()
      }
    }
  }

  // MARK: Calls
  private func begin(_ claimed: ClaimedMessage) {
    let now = self.now()
    let isNews = state.withLock { state in
      state.batch.begin(claimed, at: now)
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if isNews { watch.ring() }
  }
  private func end() -> Bool {
    state.withLock { state in
      state.calling = nil
      return state.batch.end()
    }
  }

  private func call(_ claimed: ClaimedMessage, _ handler: @escaping Handler) async -> Result<Void, any Error> {
    await Hops.$current.withValue(claimed.message.hops + 1) {
      do {
        guard delivery.timeout != nil else { return .success(try await handler(claimed)) }
        // A task of its own can be cancelled without the handling.
        let calling = Task { try await handler(claimed) }
        let isGivenUp = state.withLock { state in
          state.calling = calling
          return state.batch.isGivenUp
        }
        if isGivenUp { calling.cancel() }
        return .success(try await calling.value)
      } catch { return .failure(error) }
    }
  }

  /// Gives back what a call keeps that takes too long, beside the task that makes the call.
  private func watchCalls() async {
    while !watch.isClosed {
      let deadline = state.withLock { state in
        let deadline = state.batch.deadline
        if deadline == nil { state.isWatched = false }
        return deadline
      }
      guard let deadline else {
        await watch.wait()
        continue
      }
      let longest = min(delivery.timeout ?? ClaimedBatch.patience, ClaimedBatch.patience)
      // A call that begins while this task sleeps is not overdue before that.
      try? await delivery.clock.sleep(for: min(deadline - now(), longest))
      await expire()
    }
  }
  private func expire() async {
    let now = self.now()
    let (expired, calling) = state.withLock { ($0.batch.expire(at: now), $0.calling) }
    if expired.overdue == .givenUp { calling?.cancel() }
    if expired.overdue != .no { link.fail(.overdue(subject: subject, consumer: consumer, id: expired.id)) }
    await settle()
  }
}
