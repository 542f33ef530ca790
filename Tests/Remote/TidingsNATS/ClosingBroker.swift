#if NATS
import Foundation
import TidingsTesting

/// A broker of the test's own that answers the greeting of each connection, and closes it then.
final class ClosingBroker: Sendable {
  let url: String
  /// When connections were accepted.
  let accepted = Recorder<ContinuousClock.Instant>()
  private let descriptor: Int32

  init() throws {
    #if canImport(Glibc)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw CocoaError(.featureUnsupported) }
    url = "nats://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    Thread { [descriptor, accepted] in
      while case let client = accept(descriptor, nil, nil), client >= 0 {
        accepted(.now)
        Self.greet(client)
        close(client)
      }
    }.start()
  }
  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  private static func greet(_ client: Int32) {
    func say(_ line: String) { _ = send(client, line + "\r\n", line.utf8.count + 2, 0) }
    say(#"INFO {"server_id":"closing","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576}"#)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var text = ""
    while !text.contains("PING\r\n"), case let count = recv(client, &bytes, bytes.count, 0), count > 0 {
      text += String(decoding: bytes[..<count], as: UTF8.self)
    }
    say("PONG")
  }
}
#endif
