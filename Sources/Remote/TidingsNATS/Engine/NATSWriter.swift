#if NATS
import Foundation
import Tidings
import TidingsRemote

/// The one thread that sends on a connection. What is handed over while it sends is sent next, all together, and is followed by one
/// question to the broker whether it has it: so a lone message leaves immediately, and many share the cost.
final class NATSWriter: Sendable {
  struct Job: Sendable {
    let messages: [OutgoingMessage]
    /// Called on the writer's thread, with the indexes of messages that are too large, or why nothing is known to have been sent.
    let done: @Sendable (Result<[Int], TransportError>) -> Void
  }
  private struct State {
    var jobs: [Job] = []
    var isClosed = false
  }
  private let state = Lock(State())
  private let work = DispatchSemaphore(value: 0)
  private let connection: NATSConnection

  init(_ connection: NATSConnection) {
    self.connection = connection
    let thread = Thread { [self] in
      while true {
        work.wait()
        let (jobs, isClosed) = state.withLock { state in
          defer { state.jobs = [] }
          return (state.jobs, state.isClosed)
        }
        if !jobs.isEmpty { send(jobs) } else if isClosed { return }
      }
    }
    thread.name = "Tidings.NATS.writer"
    thread.start()
  }

  func append(_ job: Job) {
    let isOpen = state.withLock { state in
      if state.isClosed { return false }
      state.jobs.append(job)
      return true
    }
    if isOpen { work.signal() } else { job.done(.failure(.unavailable("nats: the connection is lost"))) }
  }

  /// Sends what has been handed over; the thread ends.
  func close() {
    state.withLock { $0.isClosed = true }
    work.signal()
  }

  private func send(_ jobs: [Job]) {
    var failure: TransportError?
    var refused = Array(repeating: [Int](), count: jobs.count)
    for (index, job) in jobs.enumerated() where failure == nil {
      for (place, message) in job.messages.enumerated() {
        do { try connection.publish(message) } catch TransportError.rejected {
          refused[index].append(place)
        } catch {
          failure = error as? TransportError ?? .unavailable("\(error)")
          break
        }
      }
    }
    do { if failure == nil { try connection.flush(.seconds(5)) } } catch {
      failure = error as? TransportError ?? .unavailable("\(error)")
    }
    for (job, refused) in zip(jobs, refused) { job.done(failure.map { .failure($0) } ?? .success(refused)) }
  }
}
#endif
