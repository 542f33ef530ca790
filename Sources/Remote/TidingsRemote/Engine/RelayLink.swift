import Foundation
import Synchronization
import Tidings

/// The state that all parts of a relay share: its transport, its reports, its identity, and the parts to finish when it closes.
final class RelayLink: Sendable {
  let transport: any RemoteTransport
  let namespace: String
  let state = Observed(RelayState.connecting, label: "relay.state", changes: .distinct)
  let failed = Event<RelayFailure>("relay.failures")
  private let identity: String
  private let origins = Atomic(0)
  /// Nil asks for what is due.
  private let reports = BatchQueue<TransportReport?>(limit: 4_096) { _ in "reports" }
  private let reporting: Task<Void, Never>
  private struct Parts {
    var isClosing = false
    var next = 0
    var parts: [Int: any RelayPart] = [:]
  }
  private let parts = Lock(Parts())

  init(_ transport: any RemoteTransport, name: String, namespace: String) {
    self.transport = transport
    self.namespace = namespace
    identity = "\(name)#\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    // Reports come from the transport's threads, and handlers are user code: a task of their own calls them.
    reporting = Task.detached { [state, failed, reports] in
      var limiter = ReportLimiter()
      var waking: ContinuousClock.Instant?
      await reports.drain(upTo: 256) { batch in
        for failure in limiter.due(at: .now) { Self.report(failure, to: failed) }
        for report in batch.elements {
          switch report {
          case nil: waking = nil
          case .state(let new): state.set(new, isolation: nil)
          case .failure(let failure):
            if let failure = limiter.take(failure, at: .now) { Self.report(failure, to: failed) }
          }
        }
        if let count = batch.dropped["reports"] {
          Self.report(.transport("\(count) reports were dropped"), to: failed)
        }
        guard let next = limiter.next, next < waking ?? next + .seconds(1) else { return }
        waking = next
        Task.detached {
          try? await Task.sleep(until: next, clock: .continuous)
          reports.append(nil)
        }
      }
      for failure in limiter.remaining() { Self.report(failure, to: failed) }
    }
  }

  /// The name of one more object that sends; no other process, and no other object of this one, has it.
  func makeOrigin() -> String { "\(identity)/\(origins.add(1, ordering: .relaxed).newValue)" }
  func subject(_ name: String) -> String { namespace.isEmpty ? name : "\(namespace).\(name)" }

  func report(_ report: TransportReport) { reports.append(report.printable) }
  func fail(_ failure: RelayFailure) { report(.failure(failure)) }
  func fail(_ error: any Error, about subject: String) {
    switch error {
    case TransportError.closed, is CancellationError: break
    case TransportError.denied(let subject): fail(.denied(subject: subject))
    default: fail(.transport("'\(subject)': \(error)"))
    }
  }
  private static func report(_ failure: RelayFailure, to failed: Event<RelayFailure>) {
    guard failed.diagnostics.count == 0 else { return failed.emit(failure, isolation: nil) }
    FileHandle.standardError.write(Data("Tidings: relay: \(failure)\n".utf8))
  }

  // MARK: Closing
  var isClosing: Bool { parts.withLock { $0.isClosing } }

  /// Keeps a part until it ends or the relay closes; nil when the relay is closing.
  func add(_ part: any RelayPart) -> Int? {
    parts.withLock { state in
      guard !state.isClosing else { return nil }
      state.next += 1
      state.parts[state.next] = part
      return state.next
    }
  }
  func remove(_ id: Int) { _ = parts.withLock { $0.parts.removeValue(forKey: id) } }

  /// Handlers finish before what they have sent is flushed, and that before the transport is closed.
  func close() async {
    let first = parts.withLock { state in
      defer { state.isClosing = true }
      return !state.isClosing
    }
    guard first else { return await reporting.value }
    for stage in RelayStage.allCases {
      let remaining = parts.withLock { state in state.parts.sorted { $0.key < $1.key }.map(\.value) }
      await withTaskGroup(of: Void.self) { group in
        for part in remaining where part.stage == stage { group.addTask { await part.finish() } }
      }
    }
    parts.withLock { $0.parts = [:] }
    await transport.close()
    report(.state(.closed))
    reports.close()
    await reporting.value
  }
}

/// In which order the parts of a relay finish.
enum RelayStage: CaseIterable { case handlers, values, messages }

/// Something that has work under way when the relay closes.
protocol RelayPart: AnyObject, Sendable {
  var stage: RelayStage { get }
  /// Takes nothing new in, and returns when what was taken in is done, or cannot be.
  func finish() async
}

/// The pause before the next attempt: doubled each time, two seconds at most.
struct Backoff: Sendable {
  private var next = Duration.milliseconds(20)
  mutating func wait() async {
    try? await Task.sleep(for: next)
    next = min(next * 2, .seconds(2))
  }
}
