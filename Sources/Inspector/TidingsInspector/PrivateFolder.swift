#if Inspector
import FlyingSocks
import Foundation

/// A folder that its user alone can open, for the server's socket.
struct PrivateFolder {
  private let path: String
  var socket: String { path + "/" + Self.socketName }

  // Not the user's own temporary folder, whose path can be longer than the address of a socket may be.
  private static let parent = "/tmp"
  private static let prefix = "tidings-inspector-"
  private static let socketName = "server"

  /// - Throws: An error of the system, when it cannot be made.
  init() throws {
    Self.removeLeft()
    var template = Array("\(Self.parent)/\(Self.prefix)\(getpid())-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SocketError.makeFailed("MakeFolder") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func remove() { Self.remove(path) }

  /// Removes a socket and its folder, if that holds nothing else.
  private static func remove(_ path: String) {
    unlink("\(path)/\(socketName)")
    rmdir(path)
  }

  /// Removes what processes that were killed have left.
  private static func removeLeft() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
      let words = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
      guard words.count == 2, let process = Int32(words[0]), process > 0, kill(process, 0) == -1, errno == ESRCH
      else { continue }
      remove("\(parent)/\(name)")
    }
  }
}
#endif
