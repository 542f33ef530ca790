import FlyingFox
import FlyingSocks
import Foundation
import Testing

@testable import TidingsInspector

@Suite("Serving the page, where nothing can listen")
struct ServeTests {
  @Test("A port that is taken is reported with the error of the system")
  func takenPort() async throws {
    let folder = try PrivateFolder()
    defer { folder.remove() }
    let other = try Gate(port: 0, to: folder.socket, AccessToken())
    let error = await #expect(throws: SocketError.self) {
      try await Inspector().serve(port: other.port) { _ in Issue.record("it serves") }
    }
    #expect(error?.isTakenAddress == true, "\(error as Any)")
    withExtendedLifetime(other) {}
  }

  @Test("A server that cannot listen is reported with the error of the system, and not as a wait that was in vain")
  func takenServer() async throws {
    let folder = try PrivateFolder()
    defer { folder.remove() }
    let (other, gate) = try (
      Gate(port: 0, to: folder.socket, AccessToken()), Gate(port: 0, to: folder.socket, AccessToken())
    )
    let pool = LastingPool(HTTPServer.defaultPool())
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: other.port), pool: pool, logger: .disabled)
    let error = await #expect(throws: SocketError.self) {
      try await Inspector().run(server, in: folder, pool, behind: gate) { Issue.record("it listens") }
    }
    #expect(error?.isTakenAddress == true, "\(error as Any)")
    withExtendedLifetime(other) {}
  }
}

extension SocketError {
  fileprivate var isTakenAddress: Bool {
    if case .failed(_, EADDRINUSE, _) = self { true } else { false }
  }
}
