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

/// A named pipe of one process in the folder of a journal. Another process wakes it with a byte. That a process has it open for reading
/// is the sign that it lives: the system closes it when the process is killed.
///
/// It is no socket, whose address has at most 103 bytes on Apple systems: a container's folder on iOS alone has 86. Short names for
/// sockets fail there: a link in the temporary folder, which lies in a container as well; a descriptor's path, which Linux alone has; a
/// change of the folder, which all threads share. The name of a pipe may be as long as any path.
final class WakePipe: Sendable {
  let name: String
  private let folder: String
  private struct State {
    var ends: Ends?
    /// Called when another process has written.
    var wake: (@Sendable () -> Bool)?
    var isClosed = false
    /// How often this process has looked.
    var looks = 0
    /// Owners whose pipes are missing, since which look.
    var missing: [String: Int] = [:]
  }
  private let state = Lock(State())
  private var path: String { "\(folder)/\(name)" }

  /// Both ends of the process's own pipe, closed when neither the listening thread nor the `WakePipe` references them any more.
  ///
  /// The system reuses the number of a closed descriptor for the next file or connection that the process opens. A read from a
  /// number that was closed too early would take the bytes of that connection.
  private final class Ends: Sendable {
    let reader: Int32
    /// Keeps a read waiting while no other process has the pipe open, and ends it at the end. It never blocks.
    private let writer: Int32
    private let ended = Atomic(false)
    init(reader: Int32, writer: Int32) { (self.reader, self.writer) = (reader, writer) }
    /// The thread that listens ends. A pipe that is full wakes it, too.
    func end() {
      ended.store(true, ordering: .releasing)
      var byte: UInt8 = 1
      _ = write(writer, &byte, 1)
    }
    var isEnded: Bool { ended.load(ordering: .acquiring) }
    deinit {
      systemClose(reader)
      systemClose(writer)
    }
  }

  init(in folder: String) {
    self.folder = folder
    name = "\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
  }
  deinit { close() }

  /// The process of a pipe's name; nil for a name that no pipe of a journal has.
  private static func process(of name: String) -> Int32? {
    let words = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(String.init)
    guard words.compactMap(\.self).count == 2, let process = words[0].flatMap({ Int32($0) }), process > 0,
      let word = words[1], (1...13).contains(word.utf8.count),
      word.utf8.allSatisfy({ (48...57).contains($0) || (97...122).contains($0) })
    else { return nil }
    return process
  }
  /// The file itself, not what a link leads to; nil if there is no such file.
  private static func look(at path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }
  private static func kind(of path: String) -> mode_t? { look(at: path).map { $0.st_mode & S_IFMT } }
  private static func isPipe(_ path: String) -> Bool { kind(of: path) == S_IFIFO }

  /// Makes the pipe, and, at each look, again where a cleaner has removed it or the folder.
  func make() throws {
    let (isClosed, made) = state.withLock { state in
      state.looks += 1
      return (state.isClosed, state.ends)
    }
    if isClosed { return }
    if let made, Self.kind(of: path) != nil {
      share(made.reader)
      return
    }
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.problem(with: folder) }
    // Other processes look at the final name alone: until the pipe is open it would be removed as one whose process has exited.
    let draft = "\(folder)/\(Self.draftPrefix)\(name)"
    guard mkfifo(draft, 0o600) == 0 || errno == EEXIST else { throw Self.problem(with: draft) }
    let reader = systemOpen(draft, O_RDONLY)
    guard reader >= 0 else { throw Self.problem(with: draft) }
    let writer = systemOpen(draft, O_WRONLY)
    guard writer >= 0 else {
      defer { systemClose(reader) }
      throw Self.problem(with: draft)
    }
    let ends = Ends(reader: reader, writer: writer)
    share(reader)
    // The thread that listens is to wait.
    guard fcntl(reader, F_SETFL, 0) == 0, rename(draft, path) == 0 else { throw Self.problem(with: path) }
    var old: Ends?
    var wake: (@Sendable () -> Bool)?
    let isNeeded = state.withLock { state in
      guard !state.isClosed else { return false }
      (old, wake) = (state.ends, state.wake)
      state.ends = ends
      return true
    }
    // It was closed meanwhile, and removed no pipe.
    guard isNeeded else {
      unlink(path)
      return
    }
    old?.end()
    if let wake { Self.listen(ends, wake) }
  }
  private static let draftPrefix = "new-"
  /// Lets the users that may write in the folder open the pipe. A process that cannot open it counts this one as alive for ever.
  ///
  /// The mode is set afterwards, because the mask of the process restricts that of a new file. No other user gets access: one that may
  /// only read could hold the pipe open when its process has exited, and could wake none.
  private func share(_ pipe: Int32) {
    var (parent, status) = (stat(), stat())
    guard stat(folder, &parent) == 0, fstat(pipe, &status) == 0 else { return }
    let writers = parent.st_mode & 0o022
    let mode = 0o600 | writers | writers << 1
    // The pipe stays one of its user alone if the file system refuses.
    if status.st_mode & 0o777 != mode { _ = fchmod(pipe, mode) }
  }
  private static func problem(with path: String) -> TransportError {
    .rejected("journal: \(path): \(String(cString: strerror(errno)))")
  }

  /// Calls `wake` on a thread of its own whenever another process has written, until the pipe is closed.
  func listen(_ wake: @escaping @Sendable () -> Bool) {
    let ends = state.withLock { state in
      state.wake = wake
      return state.ends
    }
    if let ends { Self.listen(ends, wake) }
  }
  private static func listen(_ ends: Ends, _ wake: @escaping @Sendable () -> Bool) {
    let thread = Thread {
      // Several bytes that have come wake once.
      var bytes = [UInt8](repeating: 0, count: 64)
      while true {
        let count = read(ends.reader, &bytes, bytes.count)
        if ends.isEnded { break }
        if count < 0, errno == EINTR { continue }
        if count <= 0 || !wake() { break }
      }
    }
    thread.name = "Tidings.Journal"
    thread.start()
  }

  /// Wakes every other process, and removes the pipes of those that have exited.
  func wakeOthers() {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    // The folder may have files of others, which are not touched.
    for other in names where other != name {
      let path = "\(folder)/\(other)"
      let isDraft = other.hasPrefix(Self.draftPrefix)
      let final = isDraft ? String(other.dropFirst(Self.draftPrefix.count)) : other
      guard Self.process(of: final) != nil else { continue }
      let isLeft = isDraft ? Self.isLeft(draft: path) : Self.send(to: path) == .exited
      if isLeft, [S_IFIFO, S_IFSOCK].contains(Self.kind(of: path)) { unlink(path) }
    }
  }
  /// Whether the process of a draft was killed before it gave the pipe its name. A living one opens its draft immediately, and
  /// one that was stopped for a minute makes another pipe at its next look.
  private static func isLeft(draft path: String) -> Bool {
    guard isPipe(path), probe(path) == .exited, let status = look(at: path) else { return false }
    #if canImport(Darwin)
    let made = status.st_mtimespec.tv_sec
    #else
    let made = status.st_mtim.tv_sec
    #endif
    return time(nil) - made > 60
  }

  enum Peer: Equatable { case alive, exited, missing }
  /// Whether the process of that pipe lives; if so, it is woken.
  private static func send(to path: String) -> Peer {
    probe(path, wakesSocket: true) { descriptor, status in
      // While this process reads as well, a write raises no SIGPIPE though the other process exits meanwhile.
      let reader = systemOpen(path, O_RDONLY)
      guard reader >= 0 else { return }
      defer { systemClose(reader) }
      var same = stat()
      guard fstat(reader, &same) == 0, same.st_ino == status.st_ino, same.st_dev == status.st_dev else { return }
      var byte: UInt8 = 1
      // A pipe that is full has been woken already.
      _ = write(descriptor, &byte, 1)
    }
  }
  private static func probe(
    _ path: String, wakesSocket: Bool = false, _ body: (Int32, stat) -> Void = { _, _ in }
  ) -> Peer {
    // Fails where no process has the pipe open for reading, and for a socket.
    let descriptor = systemOpen(path, O_WRONLY)
    guard descriptor >= 0 else {
      let error = errno
      if kind(of: path) == S_IFSOCK { return EarlierSocket.probe(path, wakes: wakesSocket) }
      return error == ENXIO ? .exited : error == ENOENT ? .missing : .alive
    }
    defer { systemClose(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return .exited }
    body(descriptor, status)
    return .alive
  }

  /// Whether the process of that pipe lives.
  func isAlive(_ other: String) -> Bool {
    if other == name { return true }
    guard let process = Self.process(of: other) else { return false }
    let peer = Self.probe("\(folder)/\(other)")
    if peer == .missing, kill(process, 0) == 0 || errno != ESRCH {
      // A cleaner may have removed the pipe of a living process, which makes it again when it looks.
      return state.withLock { state in
        let since = state.missing[other] ?? state.looks
        if state.missing.count > 1_000 { state.missing = [:] }
        state.missing[other] = since
        return state.looks - since < Self.grace
      }
    }
    _ = state.withLock { $0.missing.removeValue(forKey: other) }
    return peer == .alive
  }
  /// Counted in looks: when the machine stops for seconds, the other process has had no time to make its pipe again.
  private static let grace = 6

  /// Wakes the listening thread for the last time, and removes the pipe from the folder. May be called twice.
  func close() {
    let ends = state.withLock { state in
      state.isClosed = true
      return state.ends
    }
    guard let ends else { return }
    ends.end()
    if Self.isPipe(path) { unlink(path) }
  }
}

/// Never waits, follows no link, and is not inherited by a child process, which would keep the pipe open when this one is killed.
private func systemOpen(_ path: String, _ mode: Int32) -> Int32 {
  open(path, mode | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
}
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
#endif
