#if SQLite
import Foundation
import RemoteTestSupport
import Testing

@testable import TidingsJournal

/// The folder of pipes, which processes of several users and of an earlier version share.
@Suite("The journal's pipes", .timeLimit(.minutes(10)))
struct WakePipeTests {
  private let folder: Folder
  private var bells: String { folder.path + "/bells" }
  init() throws {
    folder = try Folder()
    _ = try folder.make("bells")
  }

  private func mode(of pipe: WakePipe) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: "\(bells)/\(pipe.name)")[.posixPermissions] as? Int
  }

  @Test(
    "A pipe can be opened by the users who may write in its folder, and by no others",
    arguments: [(0o700, 0o600), (0o755, 0o600), (0o770, 0o660), (0o775, 0o660), (0o1777, 0o666)])
  func shared(folder: Int, pipe: Int) throws {
    #expect(chmod(bells, mode_t(folder)) == 0)
    let wake = WakePipe(in: bells)
    try wake.make()
    #expect(try mode(of: wake) == pipe)
  }

  @Test("A pipe follows at the next look when its folder is given to more users or fewer")
  func changedFolder() throws {
    #expect(chmod(bells, 0o700) == 0)
    let wake = WakePipe(in: bells)
    try wake.make()
    #expect(chmod(bells, 0o770) == 0)
    try wake.make()
    #expect(try mode(of: wake) == 0o660)
    #expect(chmod(bells, 0o700) == 0)
    try wake.make()
    #expect(try mode(of: wake) == 0o600)
  }

  @Test("A pipe that a killed process has not yet named is removed, and no other file with such a name")
  func drafts() throws {
    let names = ["new-1-left", "new-1-recent", "new-1-open", "new-x-left", "other-1-left"]
    for name in names { #expect(mkfifo("\(bells)/\(name)", 0o600) == 0) }
    let file = "\(bells)/new-1-file"
    #expect(FileManager.default.createFile(atPath: file, contents: Data()))
    let reader = open("\(bells)/new-1-open", O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let hourAgo = Date(timeIntervalSinceNow: -3_600)
    for name in names + ["new-1-file"] where name != "new-1-recent" {
      try FileManager.default.setAttributes([.modificationDate: hourAgo], ofItemAtPath: "\(bells)/\(name)")
    }
    let wake = WakePipe(in: bells)
    try wake.make()
    wake.wakeOthers()
    let left = try FileManager.default.contentsOfDirectory(atPath: bells)
    #expect(Set(left) == Set(names + ["new-1-file", wake.name]).subtracting(["new-1-left"]))
  }

  @Test("A process that listens with the socket of an earlier version is alive and woken, until it has exited")
  func earlierVersion() throws {
    let wake = WakePipe(in: bells)
    try wake.make()
    let name = "\(getpid())-earlier"
    let socket = try #require(EarlierListener("\(bells)/\(name)"))
    #expect(wake.isAlive(name))
    wake.wakeOthers()
    #expect(wake.isAlive(name))
    #expect(socket.received == 1)
    // As the system does it for a process that is killed.
    socket.end()
    #expect(!wake.isAlive(name))
    wake.wakeOthers()
    #expect(try FileManager.default.contentsOfDirectory(atPath: bells) == [wake.name])
  }

  @Test("A socket that is none of a journal stays where it is")
  func foreignSocket() throws {
    let wake = WakePipe(in: bells)
    try wake.make()
    let socket = try #require(EarlierListener("\(bells)/1-stream", isStream: true))
    wake.wakeOthers()
    #expect(FileManager.default.fileExists(atPath: "\(bells)/1-stream"))
    socket.end()
  }
}

/// A socket that is bound in a folder of pipes.
private final class EarlierListener {
  private let descriptor: Int32
  init?(_ path: String, isStream: Bool = false) {
    #if canImport(Glibc)
    descriptor = socket(AF_UNIX, Int32((isStream ? SOCK_STREAM : SOCK_DGRAM).rawValue), 0)
    #else
    descriptor = socket(AF_UNIX, isStream ? SOCK_STREAM : SOCK_DGRAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0 else { return nil }
  }
  func end() { close(descriptor) }

  /// How many bytes have come, without waiting.
  var received: Int {
    var bytes = [UInt8](repeating: 0, count: 64)
    return max(0, recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)))
  }
}
#endif
