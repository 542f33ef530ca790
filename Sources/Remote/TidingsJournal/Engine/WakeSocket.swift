#if SQLite
import Foundation
import Synchronization
import Tidings
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
  private struct State {
    var descriptor: Descriptor?
    /// Called when another process has written.
    var wake: (@Sendable () -> Bool)?
    var isClosed = false
    /// How often this process has looked.
    var looks = 0
    /// Owners whose sockets are missing, since which look.
    var missing: [String: Int] = [:]
  }
  private let state = Lock(State())
  private var path: String { "\(folder)/\(name)" }

  /// A socket's descriptor, closed when neither the listening thread nor the `WakeSocket` references it any more.
  ///
  /// The system reuses the number of a closed descriptor for the next file or connection that the process opens. A wake-up sent
  /// through a number that was closed too early would be written into that connection.
  private final class Descriptor: Sendable {
    let number: Int32
    private let ended = Atomic(false)
    init(_ number: Int32) { self.number = number }
    /// The thread that listens ends, within a second.
    func end() { ended.store(true, ordering: .releasing) }
    var isEnded: Bool { ended.load(ordering: .acquiring) }
    deinit { systemClose(number) }
  }

  init(in folder: String) {
    self.folder = folder
    name = "\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
  }
  deinit { close() }

  /// The process of a socket's name; nil for a name that no socket of a journal has.
  private static func process(of name: String) -> Int32? {
    let words = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(String.init)
    guard words.compactMap(\.self).count == 2, let process = words[0].flatMap({ Int32($0) }), process > 0,
      let word = words[1], (1...13).contains(word.utf8.count),
      word.utf8.allSatisfy({ (48...57).contains($0) || (97...122).contains($0) })
    else { return nil }
    return process
  }
  /// Nil if there is no such file.
  private static func isSocket(_ path: String) -> Bool? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Makes the socket, and, at each look, again where a cleaner has removed it or the folder.
  func bind() throws {
    let (isClosed, isMade) = state.withLock { state in
      state.looks += 1
      return (state.isClosed, state.descriptor != nil)
    }
    if isClosed || isMade && Self.isSocket(path) != nil { return }
    if mkdir(folder, 0o700) != 0, errno != EEXIST {
      throw TransportError.rejected("journal: \(folder): \(String(cString: strerror(errno)))")
    }
    let (path, descriptor) = (path, Descriptor(try Self.makeSocket()))
    guard let bound = Self.withAddress(path, { systemBind(descriptor.number, $0, $1) }) else {
      throw TransportError.rejected("journal: the path is too long for a socket: \(path)")
    }
    guard bound == 0 else { throw TransportError.rejected("journal: \(path): \(String(cString: strerror(errno)))") }
    var old: Descriptor?
    var wake: (@Sendable () -> Bool)?
    let isNeeded = state.withLock { state in
      guard !state.isClosed else { return false }
      (old, wake) = (state.descriptor, state.wake)
      state.descriptor = descriptor
      return true
    }
    // It was closed meanwhile, and removed no socket.
    guard isNeeded else {
      unlink(path)
      return
    }
    old?.end()
    if let wake { Self.listen(descriptor, wake) }
  }

  /// Calls `wake` on a thread of its own whenever another process has written, until the socket is closed.
  func listen(_ wake: @escaping @Sendable () -> Bool) {
    let descriptor = state.withLock { state in
      state.wake = wake
      return state.descriptor
    }
    if let descriptor { Self.listen(descriptor, wake) }
  }
  private static func listen(_ descriptor: Descriptor, _ wake: @escaping @Sendable () -> Bool) {
    let thread = Thread {
      var byte: UInt8 = 0
      while true {
        let count = recv(descriptor.number, &byte, 1, 0)
        if descriptor.isEnded { break }
        if count < 0, [EINTR, EAGAIN, EWOULDBLOCK].contains(errno) { continue }
        if count < 0 || !wake() { break }
      }
    }
    thread.name = "Tidings.Journal"
    thread.start()
  }

  /// Wakes every other process, and removes the sockets of those that have exited.
  func wakeOthers() {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    // The folder may have files of others, which are not touched.
    for other in names where other != name && Self.process(of: other) != nil {
      let path = "\(folder)/\(other)"
      if !send(to: path), errno == ECONNREFUSED, Self.isSocket(path) == true { unlink(path) }
    }
  }
  private func send(to path: String) -> Bool {
    guard let descriptor = state.withLock({ $0.descriptor }) else { return false }
    var byte: UInt8 = 1
    // A socket that is full has been woken already.
    return Self.withAddress(path) { sendto(descriptor.number, &byte, 1, Int32(MSG_DONTWAIT), $0, $1) } ?? -1 >= 0
  }

  /// Whether the process of that socket lives.
  func isAlive(_ other: String) -> Bool {
    if other == name { return true }
    guard let process = Self.process(of: other) else { return false }
    guard let probe = try? Self.makeSocket() else { return true }
    defer { systemClose(probe) }
    let connected = Self.withAddress("\(folder)/\(other)") { connect(probe, $0, $1) } ?? -1
    let error = errno
    if connected != 0, error == ENOENT, kill(process, 0) == 0 || errno != ESRCH {
      // A cleaner may have removed the socket of a living process, which makes it again when it looks.
      return state.withLock { state in
        let since = state.missing[other] ?? state.looks
        if state.missing.count > 1_000 { state.missing = [:] }
        state.missing[other] = since
        return state.looks - since < Self.grace
      }
    }
    _ = state.withLock { $0.missing.removeValue(forKey: other) }
    return connected == 0 || (error != ECONNREFUSED && error != ENOENT)
  }
  /// Counted in looks: when the machine stops for seconds, the other process has had no time to make its socket again.
  private static let grace = 6

  /// Wakes the listening thread for the last time, and removes the socket from the folder. May be called twice.
  func close() {
    let descriptor = state.withLock { state in
      state.isClosed = true
      return state.descriptor
    }
    guard let descriptor else { return }
    descriptor.end()
    _ = send(to: path)
    if Self.isSocket(path) == true { unlink(path) }
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
    // A thread that listens to a socket whose path is gone can be woken by none.
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
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

private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  bind(descriptor, address, length)
}
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
#endif
