#if Inspector
import FlyingSocks
import Foundation

/// One client, and the server's end of it: bytes on their way, as many as one read gave in each direction.
struct GatedConnection {
  let client: Socket
  /// Made with the first request that is passed, so that a client that says nothing costs the server nothing.
  private(set) var server: Socket?
  private var admission: Admission
  private var toServer = Data()
  private var toClient = Data()
  /// No more is passed to the server; what the client sends is read and dropped, so that it receives the answer.
  private var isEnding = false
  /// The client sends no more, but may still read: what it has sent is passed to the server, and the answer to the client.
  private var isClientSilent = false
  private(set) var isClosed = false
  /// Until then no other connection takes its place.
  let isKeptUntil: ContinuousClock.Instant
  /// When it is closed, whatever it does; nil once it is admitted, until one of its ends is over.
  private(set) var deadline: ContinuousClock.Instant?
  var isAdmitted: Bool { admission.isAdmitted }

  private static let chunk = 4_096

  init(_ client: Socket, _ token: AccessToken, at now: ContinuousClock.Instant) {
    self.client = client
    isKeptUntil = now + Admission.Limit.grace
    deadline = now + Admission.Limit.patience
    admission = Admission(token)
  }

  /// The events for which the two sockets are waited: for no more bytes than there is room for.
  var clientEvents: Int32 { (toServer.isEmpty && !isClientSilent ? POLLIN : 0) | (toClient.isEmpty ? 0 : POLLOUT) }
  var serverEvents: Int32 { (toClient.isEmpty ? POLLIN : 0) | (toServer.isEmpty ? 0 : POLLOUT) }

  mutating func clientIsReady(_ path: String, at now: ContinuousClock.Instant) {
    if toServer.isEmpty, !isClientSilent { receive(path, at: now) }
    flush()
  }

  /// Does nothing once the client's end has closed both: their numbers may be those of other files by then.
  mutating func serverIsReady(at now: ContinuousClock.Instant) {
    guard let server else { return }
    if toClient.isEmpty {
      switch Self.read(server) {
      case .bytes(let bytes): toClient += bytes
      case .none: break
      case .end: end(at: now)
      }
    }
    flush()
  }

  mutating func close() {
    if isClosed { return }
    isClosed = true
    try? client.close()
    try? server?.close()
    server = nil
  }

  private mutating func receive(_ path: String, at now: ContinuousClock.Instant) {
    switch Self.read(client) {
    case .none: return
    case .end:
      if server == nil { return close() }
      isClientSilent = true
      limit(from: now)
    case .bytes(let bytes):
      if isEnding { return }
      let verdict = admission.receive(bytes)
      if isAdmitted { deadline = nil }
      toServer += verdict.passed
      if !verdict.passed.isEmpty, server == nil {
        guard let socket = try? Self.connect(path) else { return close() }
        server = socket
      }
      if let refusal = verdict.refusal {
        if refusal == .noToken { return close() }
        toServer = Data()
        toClient += refusal.response
        end(at: now)
      }
    }
  }

  /// Lets the client read what is under way, and closes its connection when it has, or at the deadline.
  private mutating func end(at now: ContinuousClock.Instant) {
    isEnding = true
    toServer = Data()
    limit(from: now)
    try? server?.close()
    server = nil
  }

  /// One end is over: the other one has as long as a client without the token.
  private mutating func limit(from now: ContinuousClock.Instant) {
    if deadline == nil { deadline = now + Admission.Limit.patience }
  }

  private mutating func flush() {
    if isClosed { return }
    guard Self.write(&toClient, client) else { return close() }
    if let server {
      if !Self.write(&toServer, server) { toServer = Data() }
      if isClientSilent, toServer.isEmpty { _ = shutdown(server.file.rawValue, Int32(SHUT_WR)) }
    }
    guard isEnding, toClient.isEmpty else { return }
    if isClientSilent { close() } else { _ = shutdown(client.file.rawValue, Int32(SHUT_WR)) }
  }

  private enum Read {
    case bytes([UInt8])
    case none, end
  }
  private static func read(_ socket: Socket) -> Read {
    do {
      return .bytes(try socket.read(atMost: chunk))
    } catch SocketError.blocked {
      return .none
    } catch {
      return .end
    }
  }

  /// Whether the other end still reads.
  private static func write(_ data: inout Data, _ socket: Socket) -> Bool {
    if data.isEmpty { return true }
    do {
      data = Data(data[try socket.write(data)...])
      return true
    } catch {
      return error as? SocketError == .blocked
    }
  }

  private static func connect(_ path: String) throws -> Socket {
    let socket = try Socket(domain: AF_UNIX)
    do {
      // Prepared first: a server with a full backlog refuses the connection, and does not block the gate's thread.
      try Gate.prepare(socket)
      try socket.connect(to: .unix(path: path))
      return socket
    } catch {
      try? socket.close()
      throw error
    }
  }
}
#endif
