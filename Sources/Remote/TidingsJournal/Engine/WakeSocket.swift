#if SQLite
import Foundation
import TidingsRemote

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A datagram socket of one process in the folder of a journal. Another process wakes it with a byte; and that it can be
/// connected to is the sign that its process lives, for the system closes it when the process is killed.
final class WakeSocket: Sendable {
  let name: String
  private let folder: String
  private let descriptor: Descriptor

  /// A socket's descriptor, closed when neither the listening thread nor the `WakeSocket` references it any more.
  ///
  /// The system reuses the number of a closed descriptor for the next file or connection that the process opens. A wake-up sent
  /// through a number that was closed too early would be written into that connection.
  private final class Descriptor: Sendable {
    let number: Int32
    init(_ number: Int32) { self.number = number }
    deinit { systemClose(number) }
  }

  init(in folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    name = "\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    let path = "\(folder)/\(name)"
    let descriptor = Descriptor(try Self.makeSocket())
    self.descriptor = descriptor
    guard let bound = Self.withAddress(path, { bind(descriptor.number, $0, $1) }) else {
      throw TransportError.rejected("journal: the path is too long for a socket: \(path)")
    }
    guard bound == 0 else { throw TransportError.rejected("journal: \(path): \(String(cString: strerror(errno)))") }
  }
  deinit { close() }

  /// Calls `wake` on a thread of its own whenever another process has written, until the socket is closed.
  func listen(_ wake: @escaping @Sendable () -> Bool) {
    let descriptor = descriptor
    let thread = Thread {
      var byte: UInt8 = 0
      while recv(descriptor.number, &byte, 1, 0) >= 0 || errno == EINTR {
        if !wake() { break }
      }
    }
    thread.name = "Tidings.Journal"
    thread.start()
  }

  /// Wakes every other process, and removes the sockets of those that have exited.
  func wakeOthers() {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    for other in names where other != name {
      let path = "\(folder)/\(other)"
      if !send(to: path), errno == ECONNREFUSED { unlink(path) }
    }
  }
  private func send(to path: String) -> Bool {
    var byte: UInt8 = 1
    // A socket that is full has been woken already.
    return Self.withAddress(path) { sendto(descriptor.number, &byte, 1, Int32(MSG_DONTWAIT), $0, $1) } ?? -1 >= 0
  }

  /// Whether the process of that socket lives.
  func isAlive(_ other: String) -> Bool {
    if other == name { return true }
    guard let probe = try? Self.makeSocket() else { return true }
    defer { systemClose(probe) }
    let connected = Self.withAddress("\(folder)/\(other)") { connect(probe, $0, $1) } ?? -1
    return connected == 0 || (errno != ECONNREFUSED && errno != ENOENT)
  }

  /// Wakes the listening thread for the last time, and removes the socket from the folder. May be called twice.
  func close() {
    _ = send(to: "\(folder)/\(name)")
    unlink("\(folder)/\(name)")
  }

  private static func makeSocket() throws -> Int32 {
    #if canImport(Glibc)
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    #else
    let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    guard descriptor >= 0 else { throw TransportError.rejected("journal: \(String(cString: strerror(errno)))") }
    // A child process would keep the socket alive when this one has been killed.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  /// Nil if the path is too long.
  private static func withAddress<R>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      guard bytes.count < buffer.count else { return false }
      buffer.copyBytes(from: bytes)
      return true
    }
    guard fits else { return nil }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
#endif
