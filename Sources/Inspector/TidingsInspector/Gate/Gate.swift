#if Inspector
import FlyingSocks
import Foundation
import Tidings

/// Stands between the clients and the server, which limits nothing itself: at most 32 connections that have not named the token, each
/// for five seconds, and with few bytes.
///
/// It runs on a thread of its own, so that neither a client nor the program's tasks can keep it from answering. When a connection
/// too many comes, the oldest one without the token is closed, so idle connections keep no client out. It has had 50 ms then, in which
/// the next one waits, so a burst of connections keeps out none that names the token.
final class Gate: Sendable {
  let port: UInt16
  private let listener: Socket
  /// The path of the server's socket.
  private let path: String
  private let token: AccessToken
  private let now: @Sendable () -> ContinuousClock.Instant
  /// A byte written to the second ends the first one's wait.
  private let (woken, waking): (Socket, Socket)
  private let isEnding = Lock(false)
  private let isListening = Lock(true)

  /// Listens on 127.0.0.1.
  ///
  /// - Throws: An error of the socket, when the port is taken.
  init(
    port: UInt16, to path: String, _ token: AccessToken,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) throws {
    (self.path, self.token, self.now) = (path, token, now)
    listener = try Socket(domain: AF_INET)
    do {
      try Self.prepare(listener)
      try listener.setValue(true, for: .localAddressReuse)
      try listener.bind(to: .inet(ip4: "127.0.0.1", port: port))
      // Not the method of the socket, which closes the socket when it fails: its number would be closed twice.
      guard listen(listener.file.rawValue, SOMAXCONN) == 0 else { throw SocketError.makeFailed("Listen") }
      guard case .ip4(_, let port) = try listener.sockname() else { throw SocketError.unsupportedAddress }
      self.port = port
      var pair: [Int32] = [0, 0]
      guard pipe(&pair) == 0 else { throw SocketError.makeFailed("Pipe") }
      (woken, waking) = (Socket(file: .init(rawValue: pair[0])), Socket(file: .init(rawValue: pair[1])))
      for end in pair { Self.closeInChildren(end) }
      try? woken.setFlags(.nonBlocking)
    } catch {
      try? listener.close()
      throw error
    }
  }
  deinit {
    stopListening()
    for socket in [woken, waking] { try? socket.close() }
  }

  private func stopListening() {
    let wasListening = isListening.withLock { isListening in
      defer { isListening = false }
      return isListening
    }
    if wasListening { try? listener.close() }
  }

  static func prepare(_ socket: Socket) throws {
    closeInChildren(socket.file.rawValue)
    try socket.setFlags(.nonBlocking)
    #if canImport(Darwin)
    try socket.setValue(true, for: .noSIGPIPE)
    #endif
  }

  /// Otherwise a program that this one starts keeps the port, and what is connected to it.
  private static func closeInChildren(_ file: Int32) { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }

  /// Serves clients on a thread of its own, until the task is cancelled.
  func run() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          self.serve()
          continuation.resume()
        }
      }
    } onCancel: {
      isEnding.withLock { $0 = true }
      wake()
    }
  }

  /// Makes the thread look at the time again.
  func wake() {
    var byte: UInt8 = 0
    _ = write(waking.file.rawValue, &byte, 1)
  }

  private func serve() {
    var connections: [GatedConnection] = []
    var acceptsAgain: ContinuousClock.Instant?
    while !isEnding.withLock({ $0 }) {
      var waits = [Self.wait(woken, POLLIN), Self.wait(acceptsAgain == nil ? listener : nil, POLLIN)]
      for connection in connections {
        waits.append(Self.wait(connection.client, connection.clientEvents))
        waits.append(Self.wait(connection.server, connection.serverEvents))
      }
      let times = connections.compactMap(\.deadline) + [acceptsAgain].compactMap(\.self)
      _ = poll(&waits, nfds_t(waits.count), Self.milliseconds(from: now(), to: times))
      if waits[0].revents != 0 { _ = try? woken.read(atMost: 64) }
      let time = now()
      for index in connections.indices {
        if waits[2 + 2 * index].revents != 0 { connections[index].clientIsReady(path, at: time) }
        if waits[3 + 2 * index].revents != 0 { connections[index].serverIsReady(at: time) }
        if let deadline = connections[index].deadline, deadline <= time { connections[index].close() }
      }
      connections.removeAll(where: \.isClosed)
      if let again = acceptsAgain, again <= time { acceptsAgain = nil }
      if waits[1].revents != 0 { acceptsAgain = accept(&connections, at: time) }
    }
    for index in connections.indices { connections[index].close() }
    stopListening()
  }

  /// Accepts a connection, if there is room for it.
  ///
  /// - Returns: When to accept again, if not immediately.
  private func accept(
    _ connections: inout [GatedConnection], at time: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    let waiting = connections.indices.filter { !connections[$0].isAdmitted }
    if waiting.count >= Admission.Limit.connections, let oldest = waiting.first {
      if connections[oldest].isKeptUntil > time { return connections[oldest].isKeptUntil }
      connections[oldest].close()
      connections.remove(at: oldest)
    }
    do {
      let client = Socket(file: try listener.accept().file)
      do {
        try Self.prepare(client)
      } catch {
        try? client.close()
        return nil
      }
      var connection = GatedConnection(client, token, at: time)
      // It has probably sent its request, while it waited.
      connection.clientIsReady(path, at: time)
      if !connection.isClosed { connections.append(connection) }
      return nil
    } catch {
      // The process has no more files, if it is not that the client has left.
      return error as? SocketError == .blocked ? nil : time + .milliseconds(100)
    }
  }

  /// Without events nothing is waited for: `poll` would report a connection that the other end has closed again and again.
  private static func wait(_ socket: Socket?, _ events: Int32) -> pollfd {
    pollfd(fd: events == 0 ? -1 : socket?.file.rawValue ?? -1, events: Int16(events), revents: 0)
  }

  /// The time until the earliest of the given ones, as `poll` takes it: rounded up, and -1 if there is none.
  private static func milliseconds(
    from now: ContinuousClock.Instant, to times: [ContinuousClock.Instant]
  ) -> Int32 {
    guard let next = times.min() else { return -1 }
    return Int32(max(0, (next - now) / .milliseconds(1)).rounded(.up))
  }
}
#endif
