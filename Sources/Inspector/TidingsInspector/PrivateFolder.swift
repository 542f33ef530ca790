#if Inspector
import FlyingSocks
import Foundation

/// A folder that its user alone can open, for the server's socket.
struct PrivateFolder {
  private let path: String
  var socket: String { path + Self.socketName }

  // Short names, as the path of an iOS application's temporary folder leaves few bytes of the address of a socket.
  private static let name = "tid-XXXXXX"
  private static let socketName = "/s"
  /// The bytes of the address of a socket, with the zero at its end: 104 on Apple systems, 108 on Linux.
  private static let longest = 104

  /// - Parameter parents: Where it may be; the first one that is short enough and can be written is taken.
  /// - Throws: An error of the system, when it cannot be made.
  init(in parents: [String] = [NSTemporaryDirectory(), "/tmp"]) throws {
    for parent in parents {
      var template = Array((parent.hasSuffix("/") ? parent : parent + "/").appending(Self.name).utf8CString)
      guard template.count + Self.socketName.utf8.count <= Self.longest, mkdtemp(&template) != nil else { continue }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return
    }
    throw SocketError.makeFailed("MakeFolder")
  }

  /// Removes the socket and the folder.
  func remove() {
    removeSocket()
    rmdir(path)
  }
  func removeSocket() { unlink(socket) }
}
#endif
