import FlyingSocks
import Foundation
import Synchronization

@testable import TidingsInspector

/// A gate in front of a socket of the test, with a clock that the test moves.
final class Gated: Sendable {
  let token = AccessToken()
  private let time = Time()
  private let folder: PrivateFolder
  private let server: Socket
  private let gate: Gate

  private final class Time: Sendable {
    private let now = Mutex(ContinuousClock.now)
    var instant: ContinuousClock.Instant { now.withLock { $0 } }
    func advance(by duration: Duration) { now.withLock { $0 += duration } }
  }

  init(backlog: Int32) throws {
    folder = try PrivateFolder()
    server = try Socket(domain: AF_UNIX)
    try server.bind(to: .unix(path: folder.socket))
    try server.listen(maxPendingConnection: backlog)
    server.limitWaiting()
    gate = try Gate(port: 0, to: folder.socket, token) { [time] in time.instant }
  }
  deinit {
    try? server.close()
    folder.remove()
  }

  func advance(by duration: Duration) {
    time.advance(by: duration)
    gate.wake()
  }
  /// Runs the body beside the gate, on a thread of its own: what it reads blocks that thread until the gate has acted, which no
  /// clock delays.
  static func run(backlog: Int32 = 64, _ body: @escaping @Sendable (Gated) throws -> Void) async throws {
    let gated = try Gated(backlog: backlog)
    let running = Task { await gated.gate.run() }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread { continuation.resume(with: Result { try body(gated) }) }
    }
    running.cancel()
    await running.value
  }
  func connect() throws -> Socket {
    let socket = try Socket(domain: AF_INET)
    try socket.connect(to: .inet(ip4: "127.0.0.1", port: gate.port))
    socket.limitWaiting()
    return socket
  }
  /// Listens on the port of the gate, which has ended.
  func listenAgain() throws { _ = try Gate(port: gate.port, to: folder.socket, token) }
  /// The server's end of the next connection that the gate passes on.
  func accept() throws -> Socket {
    let socket = Socket(file: try server.accept().file)
    socket.limitWaiting()
    return socket
  }
}

extension Socket {
  func send(_ text: String) throws {
    var index = 0
    let data = Data(text.utf8)
    while index < data.count { index = try write(data, from: index) }
  }
  /// Reads until the other end closes, or until the given number of bytes has come.
  func text(_ count: Int = .max) -> String {
    var bytes: [UInt8] = []
    do {
      while bytes.count < count { bytes += try read(atMost: 4_096) }
    } catch SocketError.blocked {
      bytes += "(no end came)".utf8
    } catch {
      // The other end has closed.
    }
    return String(decoding: bytes, as: UTF8.self)
  }
  /// A test of a broken gate fails after ten seconds, instead of waiting for ever.
  func limitWaiting() {
    var time = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(file.rawValue, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }
}
