import Tidings

/// The messages of a relay that are to be kept, and the callers that wait for that: what comes while as many batches are being
/// stored as the transport takes at a time is the next batch (group commit).
///
/// Requests of different batches may be stored in another order than they came in. A task that sends waits for each of its
/// requests, so its own are in order.
final class StoreQueue: RelayPart {
  /// One call of `send`; answered once.
  final class Request: Sendable {
    let messages: [RemoteMessage]
    private let waiter = Lock<CheckedContinuation<Void, any Error>?>(nil)
    private let isAnswered = Lock(false)
    init(_ messages: [RemoteMessage]) { self.messages = messages }

    /// False when it has been answered, by a cancellation.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
      let isOpen = isAnswered.withLock { isAnswered in
        if !isAnswered { waiter.withLock { $0 = continuation } }
        return !isAnswered
      }
      if !isOpen { continuation.resume(throwing: CancellationError()) }
      return isOpen
    }
    func answer(_ result: Result<Void, any Error>) {
      let continuation = isAnswered.withLock { isAnswered in
        isAnswered = true
        return waiter.withLock { waiter in
          defer { waiter = nil }
          return waiter
        }
      }
      continuation?.resume(with: result)
    }
    var isOpen: Bool { isAnswered.withLock { !$0 } }
  }

  let stage = RelayStage.messages
  private let queue = BatchQueue<Request>(limit: .max) { _ in "" }
  private let storing: Task<Void, Never>

  init(_ link: RelayLink) {
    storing = Task.detached { [queue] in
      let window = Window(max(1, link.transport.storesAtATime))
      await queue.drain(upTo: 1_024, after: window.enter) { batch in
        let requests = batch.elements.filter(\.isOpen)
        guard !requests.isEmpty else { return window.leave() }
        Task.detached {
          await Self.store(requests, link)
          window.leave()
        }
      }
      await window.drained()
    }
  }

  /// Returns when the messages are kept.
  func store(_ messages: [RemoteMessage]) async throws {
    let request = Request(messages)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard request.begin(continuation) else { return }
        if !queue.append(request) { request.answer(.failure(TransportError.closed)) }
      }
    } onCancel: {
      request.answer(.failure(CancellationError()))
    }
  }

  func finish() async {
    queue.close()
    await storing.value
  }

  private static func store(_ requests: [Request], _ link: RelayLink) async {
    guard !requests.isEmpty else { return }
    var backoff = Backoff()
    while true {
      do {
        try await link.transport.store(requests.flatMap(\.messages))
        for request in requests { request.answer(.success(())) }
        return
      } catch let error as TransportError {
        // Whether any was stored is unknown: all are stored again under the same ids.
        if case .unavailable(let reason) = error, !link.isClosing, requests.contains(where: \.isOpen) {
          link.fail(.transport(reason))
          await backoff.wait()
          continue
        }
        return await give(error, to: requests, link)
      } catch { return await give(error, to: requests, link) }
    }
  }
  /// One message that the store rejects fails its own request, not those of the same batch. A store that is away is away for all of
  /// them: a relay that closes waits for it once.
  private static func give(_ error: any Error, to requests: [Request], _ link: RelayLink) async {
    var isAway = false
    if case TransportError.unavailable = error { isAway = true }
    if isAway || requests.count == 1 {
      for request in requests { request.answer(.failure(error)) }
      return
    }
    for request in requests { await store([request], link) }
  }
}
