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
  }
  private let state = Lock(State())

  init(subject: String, consumer: String, _ delivery: KeptDelivery, _ link: RelayLink, _ handler: @escaping Handler) {
    (self.subject, self.consumer, self.delivery, self.link) = (subject, consumer, delivery, link)
    guard let part = link.add(self) else {
      cancel()
      link.fail(.transport("'\(subject)': the relay is closed, '\(consumer)' handles nothing"))
      return
    }
    let working = Task.detached { [self] in
      await work(handler)
      link.remove(part)
    }
    state.withLock { $0.working = working }
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
    let (transport, subject, consumer, batch) = (link.transport, subject, consumer, delivery.batch)
    let claiming = state.withLock { state in
      if state.isCancelled { return nil as Task<[ClaimedMessage], any Error>? }
      let task = Task.detached { try await transport.claim(batch, of: subject, as: consumer) }
      state.claiming = task
      return task
    }
    guard let claiming else { return [] }
    defer { state.withLock { $0.claiming = nil } }
    return try await claiming.value
  }

  private func handle(_ claimed: [ClaimedMessage], _ handler: Handler) async {
    var outcomes: [(ClaimedMessage, ClaimOutcome)] = []
    var settled = ContinuousClock.now
    for message in claimed {
      // Its handler may end the process, which must not repeat those that are handled.
      if message.isRedelivered { await settle(&outcomes) }
      outcomes.append((message, isCancelled ? .returned(after: .zero) : await outcome(of: message, handler)))
      // A batch of quick messages is acknowledged together, slow ones each: so little is handled twice after a kill.
      if message.isRedelivered || ContinuousClock.now - settled > .milliseconds(20) {
        await settle(&outcomes)
        settled = .now
      }
    }
    await settle(&outcomes)
  }

  private func outcome(of claimed: ClaimedMessage, _ handler: Handler) async -> ClaimOutcome {
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
    do {
      try await Hops.$current.withValue(claimed.message.hops + 1) { try await handler(claimed) }
      return .acknowledged
    } catch let error as Unreadable {
      link.fail(.unreadable(subject: subject, id: claimed.message.id, reason: error.reason))
      return .returned(after: .seconds(5))
    } catch {
      if claimed.attempt >= delivery.attempts { return .dead(reason: "\(error)") }
      return .retry(after: delivery.delay(after: claimed.attempt))
    }
  }

  /// Until it is kept: what is not settled would be handled again.
  private func settle(_ outcomes: inout [(ClaimedMessage, ClaimOutcome)]) async {
    guard !outcomes.isEmpty else { return }
    var backoff = Backoff()
    while true {
      do {
        try await link.transport.settle(outcomes, of: subject, as: consumer)
        // Once it is kept: who hears of a dead letter finds it.
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
    outcomes = []
  }
}
