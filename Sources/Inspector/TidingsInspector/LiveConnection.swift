#if Inspector
import FlyingFox
import Foundation
import Tidings

/// The socket of a page. The first message is the token; each later one says what the page shows. It is sent that part of each
/// sample, and immediately when it asks for another.
struct LiveConnection: WSMessageHandler {
  let monitor: Monitor
  let token: AccessToken

  /// Between two samples.
  static let period = Duration.milliseconds(500)
  /// Between two looks for a new sample.
  private static let latency = Duration.milliseconds(50)
  /// Closed with this when the token is wrong: of the range for applications.
  static let wrongToken = WSCloseCode(4401, reason: "wrong token")

  func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
    AsyncStream(bufferingPolicy: .bufferingNewest(4)) { continuation in
      let task = Task {
        var messages = client.makeAsyncIterator()
        guard case .text(let said)? = await messages.next(), token.matches(said) else {
          continuation.yield(.close(Self.wrongToken))
          return continuation.finish()
        }
        let query = Lock(Query())
        let ticker = Task {
          var sent: Int?
          while !Task.isCancelled {
            let sample = monitor.latest
            if sample.number != sent { send(sample, query.withLock { $0 }, to: continuation) }
            sent = sample.number
            try await Task.sleep(for: Self.latency)
          }
        }
        while let message = await messages.next() {
          guard case .text(let text) = message, let asked = try? JSONDecoder().decode(Query.self, from: Data(text.utf8))
          else { continue }
          query.withLock { $0 = asked }
          send(monitor.latest, asked, to: continuation)
        }
        ticker.cancel()
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func send(_ sample: Sample, _ query: Query, to continuation: AsyncStream<WSMessage>.Continuation) {
    guard let data = try? JSONEncoder().encode(PageState(sample, query, monitor)) else { return }
    continuation.yield(.text(String(decoding: data, as: UTF8.self)))
  }
}
#endif
