#if SQLite
import Foundation

/// One end of a TCP connection within this machine, or what listens for them; closed with its object.
final class Connection: Sendable {
  private let descriptor: Int32
  private init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }

  private convenience init?() {
    #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return nil }
    self.init(descriptor)
  }

  /// On a port of the system's choice.
  static func listen() -> Connection? {
    guard let made = Connection() else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return made.call(bind, &address) && Foundation.listen(made.descriptor, 16) == 0 ? made : nil
  }

  /// Both ends of a new connection.
  func makePair() -> [Connection]? {
    var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    let isKnown = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
    }
    guard isKnown, let here = Connection(), here.call(connect, &address),
      case let there = accept(descriptor, nil, nil), there >= 0
    else { return nil }
    return [here, Connection(there)]
  }

  /// How many bytes have come, without waiting.
  var received: Int {
    var bytes = [UInt8](repeating: 0, count: 64)
    return max(0, recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)))
  }

  private func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ address: inout sockaddr_in
  ) -> Bool {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
#endif
