#if NATS
import Foundation
import Tidings
import TidingsRemote

/// The thread that sends requests on a connection. What is handed over while it sends is sent next, all together.
///
/// Each batch is followed by one question to the broker whether it has it. After a small batch this thread waits for the answer,
/// so a lone message leaves immediately and many share the cost; after a large one another thread does, while this one continues
/// to send.
final class NATSWriter: Sendable {
  struct Job: Sendable {
    let messages: [OutgoingMessage]
    /// Called once, on a thread of the connection's, with the indexes of messages that are too large, or why nothing is known to
    /// have been sent.
    let done: @Sendable (Result<[Int], TransportError>) -> Void
  }
  /// A batch about which the flushing thread is to ask the broker.
  private struct Sent: Sendable {
    let isAlone: Bool
    let done: @Sendable (TransportError?) -> Void
  }
  private let jobs: WorkThread<Job>
  private let sent: WorkThread<Sent>
  private let connection: NATSConnection
  /// More messages than this are a large batch.
  private static let small = 64
  private static let pause = 0.0005

  init(_ connection: NATSConnection) {
    self.connection = connection
    let sent = WorkThread("Tidings.NATS.flush") { (sent: [Sent]) in
      // The question would delay a lone message, which the broker and its receivers are still busy with.
      if sent.allSatisfy(\.isAlone) { Thread.sleep(forTimeInterval: Self.pause) }
      let failure = Self.flush(connection)
      for sent in sent { sent.done(failure) }
    }
    self.sent = sent
    jobs = WorkThread("Tidings.NATS.writer") { jobs in Self.send(jobs, connection, sent) }
  }

  func append(_ job: Job) {
    if !jobs.append(job) { job.done(.failure(.unavailable("nats: the connection is lost"))) }
  }

  /// Sends on the calling thread, which may block.
  func send(_ job: Job) { Self.send([job], connection, sent) }

  /// Sends one small message on the calling thread, which does not wait; the flushing thread asks the broker whether it has it.
  func sendImmediately(_ message: OutgoingMessage, _ done: @escaping @Sendable (TransportError?) -> Void) -> Bool {
    do { guard try connection.publishImmediately(message) else { return false } } catch {
      done(error as? TransportError ?? .unavailable("\(error)"))
      return true
    }
    if !sent.append(Sent(isAlone: true, done: done)) { done(.unavailable("nats: the connection is lost")) }
    return true
  }

  /// Sends what has been handed over; the threads end.
  func close() { jobs.close { [sent] in sent.close() } }

  private static func send(
    _ jobs: [Job], _ connection: NATSConnection, _ sent: WorkThread<Sent>
  ) {
    var failure: TransportError?
    var rejected = Array(repeating: [Int](), count: jobs.count)
    for (index, job) in jobs.enumerated() where failure == nil {
      for (place, message) in job.messages.enumerated() {
        do { try connection.publish(message) } catch TransportError.rejected {
          rejected[index].append(place)
        } catch {
          failure = error as? TransportError ?? .unavailable("\(error)")
          break
        }
      }
    }
    let done = { @Sendable [dones = jobs.map(\.done), rejected] (failure: TransportError?) in
      for (done, rejected) in zip(dones, rejected) { done(failure.map { .failure($0) } ?? .success(rejected)) }
    }
    if let failure { return done(failure) }
    let isSmall = jobs.reduce(0) { $0 + $1.messages.count } <= small
    if isSmall || !sent.append(Sent(isAlone: false, done: done)) { done(flush(connection)) }
  }

  private static func flush(_ connection: NATSConnection) -> TransportError? {
    do { try connection.flush(.seconds(5)) } catch { return error as? TransportError ?? .unavailable("\(error)") }
    return nil
  }
}
#endif
