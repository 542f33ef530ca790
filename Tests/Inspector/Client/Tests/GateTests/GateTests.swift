import FlyingSocks
import Foundation
import Synchronization
import Testing

@testable import TidingsInspector

// One after the other: a child that one test starts has the files of the others for a moment.
@Suite("The gate in front of the server", .serialized)
struct GateTests {
  private static let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

  @Test("Both ends receive what the other one sends, and the end of it")
  func passes() async throws {
    try await Gated.run { gated in
      let client = try gated.connect()
      try client.send(Self.request)
      let server = try gated.accept()
      #expect(server.text(Self.request.utf8.count) == Self.request)
      let answer = String(repeating: "answer", count: 100_000)
      Thread.detachNewThread {
        try? server.send(answer)
        try? server.close()
      }
      #expect(client.text() == answer)
      try client.close()
    }
  }

  @Test("Without the token a connection is closed after five seconds, and with it it stays open")
  func deadline() async throws {
    try await Gated.run { gated in
      let (idle, slow, admitted) = (try gated.connect(), try gated.connect(), try gated.connect())
      try slow.send("GET / HTTP/1.1\r\nHo")
      try admitted.send("GET /table HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(gated.token.text)\r\n\r\n")
      let server = try gated.accept()
      gated.advance(by: .milliseconds(4_999))
      try admitted.send("a")
      #expect(server.text(1).isEmpty == false)
      try slow.send("st")
      gated.advance(by: .milliseconds(1))
      #expect(idle.text() == "")
      #expect(slow.text() == "")
      try server.send("table")
      #expect(admitted.text(5) == "table")
      for socket in [idle, slow, admitted, server] { try socket.close() }
    }
  }

  @Test(
    "A client that is refused is told so before it is closed, however much it sends, and the server is told nothing")
  func refused() async throws {
    try await Gated.run { gated in
      let client = try gated.connect()
      try client.send(String(repeating: "a", count: 1 << 24))
      #expect(client.text().hasPrefix("HTTP/1.1 431 "))
      let other = try gated.connect()
      try other.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
      #expect(other.text().hasPrefix("HTTP/1.1 403 "))
      let good = try gated.connect()
      try good.send(Self.request)
      #expect(try gated.accept().text(Self.request.utf8.count) == Self.request, "the first that the server is told of")
      for socket in [client, other, good] { try socket.close() }
    }
  }

  @Test("Of more than 32 connections without the token the oldest is closed after 50 ms, and none that has named it")
  func connections() async throws {
    try await Gated.run { gated in
      let admitted = try gated.connect()
      try admitted.send("GET /table HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(gated.token.text)\r\n\r\n")
      let server = try gated.accept()
      #expect(server.text(1).isEmpty == false)
      let idle = try (0..<Admission.Limit.connections).map { _ in try gated.connect() }
      try idle[31].send(Self.request)
      let last = try gated.accept()
      gated.advance(by: .milliseconds(49))
      let more = try (0..<3).map { _ in try gated.connect() }
      // The gate has looked at the three when it has passed two of these on.
      for _ in 0..<2 {
        try admitted.send("a")
        #expect(server.text(1) == "a")
      }
      try idle[0].send(Self.request)
      let first = try gated.accept()
      #expect(first.text(Self.request.utf8.count) == Self.request, "in its first 50 ms")
      gated.advance(by: .milliseconds(1))
      for socket in idle.prefix(3) { #expect(socket.text() == "") }
      for socket in [idle[3], more[2]] {
        try socket.send(Self.request)
        #expect(try gated.accept().text(Self.request.utf8.count) == Self.request, "the oldest of 32, and the newest")
      }
      try server.send("table")
      #expect(admitted.text(5) == "table")
      for socket in idle + more + [admitted, server, first, last] { try socket.close() }
    }
  }

  @Test("A client that sends no more receives its answer, or is closed after five seconds without one")
  func silence() async throws {
    try await Gated.run { gated in
      let admission = "GET /table HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(gated.token.text)\r\n\r\n"
      let (client, other) = (try gated.connect(), try gated.connect())
      try client.send(Self.request)
      shutdown(client.file.rawValue, Int32(SHUT_WR))
      let server = try gated.accept()
      #expect(server.text() == Self.request, "the server is told that no more comes")
      try server.send("answer")
      try server.close()
      #expect(client.text() == "answer")
      try other.send(admission)
      shutdown(other.file.rawValue, Int32(SHUT_WR))
      let slow = try gated.accept()
      #expect(slow.text() == admission)
      gated.advance(by: .seconds(5))
      #expect(other.text() == "")
      for socket in [client, other, slow] { try socket.close() }
    }
  }

  @Test("A server that accepts nothing does not keep the gate from answering")
  func backlog() async throws {
    try await Gated.run(backlog: 1) { gated in
      // On Linux two wait at the server, one more than the backlog.
      let clients = try (0..<3).map { _ in
        let client = try gated.connect()
        try client.send(Self.request)
        return client
      }
      let other = try gated.connect()
      try other.send("\r\n\r\n")
      #expect(other.text().hasPrefix("HTTP/1.1 400 "))
      // A gate that waits for room at the server is let go.
      let server = try gated.accept()
      for socket in clients + [other, server] { try socket.close() }
    }
  }

  @Test("A connection that has closed its files leaves their numbers alone, also when both ends were ready")
  func numbers() throws {
    let folder = try PrivateFolder()
    let listener = try Socket(domain: AF_UNIX)
    try listener.bind(to: .unix(path: folder.socket))
    try listener.listen()
    defer {
      try? listener.close()
      folder.remove()
    }
    // Another test can take the number first: then this one tries again.
    var isTaken = false
    for _ in 0..<1_000 where !isTaken {
      let client = try Socket(domain: AF_UNIX)
      try client.connect(to: .unix(path: folder.socket))
      let accepted = Socket(file: try listener.accept().file)
      try Gate.prepare(accepted)
      var connection = GatedConnection(accepted, AccessToken(), at: .now)
      try client.send("GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n\r\n")
      connection.clientIsReady(folder.socket, at: .now)
      let number = try #require(connection.server?.file.rawValue)
      let server = Socket(file: try listener.accept().file)
      try server.send("answer")
      try client.send("no frame")
      connection.clientIsReady(folder.socket, at: .now)
      #expect(connection.isClosed)
      let file = fcntl(listener.file.rawValue, F_DUPFD, number)
      isTaken = file == number
      connection.serverIsReady(at: .now)
      #expect(fcntl(file, F_GETFD) != -1, "the file that has the number now is open")
      close(file)
      for socket in [client, server] { try socket.close() }
    }
    #expect(isTaken)
  }

  @Test("A child of the program keeps neither the port nor a connection open")
  func children() async throws {
    let left = Mutex<(client: Socket, server: Socket, gated: Gated, child: pid_t)?>(nil)
    try await Gated.run { gated in
      let client = try gated.connect()
      try client.send(Self.request)
      let server = try gated.accept()
      #expect(server.text(Self.request.utf8.count) == Self.request)
      var child: pid_t = 0
      let arguments = [strdup("sh"), strdup("-c"), strdup("kill -STOP $$"), nil]
      #expect(posix_spawn(&child, "/bin/sh", nil, nil, arguments, [nil]) == 0)
      for argument in arguments { free(argument) }
      // Until it runs its own program, a child has every file.
      waitpid(child, nil, WUNTRACED)
      left.withLock { [child] in $0 = (client, server, gated, child) }
    }
    let (client, server, gated, child) = try #require(left.withLock { $0 })
    defer {
      kill(child, SIGKILL)
      waitpid(child, nil, 0)
    }
    #expect(throws: Never.self) { try gated.listenAgain() }
    #expect(client.text() == "")
    #expect(server.text() == "")
    for socket in [client, server] { try socket.close() }
  }

  @Test("Once the gate has ended its connections are closed, and its port is free")
  func ends() async throws {
    let left = Mutex<(client: Socket, gated: Gated)?>(nil)
    try await Gated.run { gated in
      let client = try gated.connect()
      left.withLock { $0 = (client, gated) }
    }
    let (client, gated) = try #require(left.withLock { $0 })
    #expect(client.text() == "")
    #expect(throws: SocketError.self) { try gated.connect() }
    try client.close()
  }
}
