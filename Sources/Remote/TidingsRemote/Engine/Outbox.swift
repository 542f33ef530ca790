import Foundation
import Tidings

/// The messages of a relay that are sent at most once, on their way to the transport: one order for all its events.
final class Outbox: RelayPart {
  struct Item: Sendable {
    let subject: String
    let message: @Sendable () throws -> RemoteMessage
  }
  let stage = RelayStage.messages
  private let link: RelayLink
  private let queue: BatchQueue<Item>
  private let sending: Task<Void, Never>

  init(_ link: RelayLink, limit: Int) {
    let queue = BatchQueue<Item>(limit: limit) { $0.subject }
    (self.link, self.queue) = (link, queue)
    sending = Task.detached(executorPreference: link.transport.sendingExecutor) {
      var isAway = false
      await queue.drain(upTo: 1_024) { batch in
        for (subject, count) in batch.dropped {
          link.fail(.dropped(subject: subject, count: count, reason: "emitted faster than the transport takes it"))
        }
        // A relay that closes waits for a transport that is away with one batch, not with each.
        if isAway, link.isClosing {
          return Self.drop(batch.elements.map(\.subject), "the relay is closed, and the transport away", link)
        }
        var messages: [RemoteMessage] = []
        messages.reserveCapacity(batch.elements.count)
        for item in batch.elements {
          do { messages.append(try item.message()) } catch {
            link.fail(.dropped(subject: item.subject, count: 1, reason: "\(error)"))
          }
        }
        guard !messages.isEmpty else { return }
        isAway = false
        do { try await link.transport.publish(messages) } catch {
          if case TransportError.unavailable = error { isAway = true }
          Self.drop(messages.map(\.subject), "\(error)", link)
        }
      }
    }
  }

  private static func drop(_ subjects: [String], _ reason: String, _ link: RelayLink) {
    for (subject, count) in Dictionary(subjects.map { ($0, 1) }, uniquingKeysWith: +) {
      link.fail(.dropped(subject: subject, count: count, reason: reason))
    }
  }

  /// Sends it on this thread where that needs no waiting, and lets the sending task do it otherwise. False when the relay has been
  /// closed.
  func append(_ item: Item) -> Bool {
    if queue.enter() {
      defer { queue.leave() }
      do { if try link.transport.publishImmediately(item.message) { return true } } catch {
        link.fail(.dropped(subject: item.subject, count: 1, reason: "\(error)"))
        return true
      }
    }
    return queue.append(item)
  }

  func finish() async {
    queue.close()
    await sending.value
  }
}
