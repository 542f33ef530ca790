#if SQLite
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The datagram socket of a process with an earlier version of the library, which wakes by sockets instead of pipes. While an
/// application is updated, processes of both versions may share a journal: a process that can be connected to lives, and keeps its
/// claims. Processes of the earlier version take those with pipes for exited, which nothing here can change.
enum EarlierSocket {
  /// Whether the process of that socket lives; if so, it may be woken.
  static func probe(_ path: String, wakes: Bool) -> WakePipe.Peer {
    guard var address = makeAddress(path) else { return .alive }
    #if canImport(Glibc)
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    #else
    let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    guard descriptor >= 0 else { return .alive }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // The call takes the address of every family by one type, and reads the given number of bytes.
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard connected == 0 else { return errno == ECONNREFUSED ? .exited : errno == ENOENT ? .missing : .alive }
    var byte: UInt8 = 1
    // A socket that is full has been woken already.
    if wakes { _ = send(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) }
    return .alive
  }

  /// Nil if the path is longer than a socket's address, so that it cannot be asked.
  private static func makeAddress(_ path: String) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      guard bytes.count < buffer.count else { return false }
      buffer.copyBytes(from: bytes)
      return true
    }
    return fits ? address : nil
  }
}
#endif
