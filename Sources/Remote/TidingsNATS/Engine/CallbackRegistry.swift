#if NATS
import CNats
import Tidings

/// The targets of the client library's callbacks, by number.
///
/// libnats calls back on its own threads, also a moment after a subscription or connection has ended. So it is given
/// numbers instead of pointers: a late callback finds nothing and does nothing.
final class CallbackRegistry<Target: Sendable>: Sendable {
  private struct State {
    var next: UInt = 0
    var targets: [UInt: Target] = [:]
  }
  private let state = Lock(State())

  func add(_ target: Target) -> UInt {
    state.withLock { state in
      state.next += 1
      state.targets[state.next] = target
      return state.next
    }
  }
  func remove(_ number: UInt) { _ = state.withLock { $0.targets.removeValue(forKey: number) } }

  subscript(closure: UnsafeMutableRawPointer?) -> Target? {
    let number = UInt(bitPattern: closure)
    return state.withLock { $0.targets[number] }
  }
}

typealias MessageSink = @Sendable (consuming IncomingMessage) -> Void
struct ConnectionSink: Sendable {
  let closed: @Sendable () -> Void
  let failed: @Sendable (natsStatus, String) -> Void
}

let messageSinks = CallbackRegistry<MessageSink>()
let connectionSinks = CallbackRegistry<ConnectionSink>()

// Constants of the file: a closure that is formed elsewhere may be isolated to an actor, and would trap on libnats's thread.
let onMessage: natsMsgHandler = { _, subscription, message, closure in
  guard let message else { return }
  var queued: UInt64 = 0
  _ = natsSubscription_QueuedMsgs(subscription, &queued)
  let incoming = IncomingMessage(message, isLast: queued == 0)
  messageSinks[closure]?(incoming)
}
let onClosed: natsConnectionHandler = { _, closure in connectionSinks[closure]?.closed() }
let onError: natsErrHandler = { connection, _, status, closure in
  guard let sink = connectionSinks[closure] else { return }
  var kept = NATS_OK
  var text = nats_GetLastError(&kept).map { String(cString: $0) } ?? ""
  if text.isEmpty || kept != status {
    var last: UnsafePointer<CChar>?
    if natsConnection_GetLastError(connection, &last) == status, let last { text = String(cString: last) }
  }
  sink.failed(status, text)
}
#endif
