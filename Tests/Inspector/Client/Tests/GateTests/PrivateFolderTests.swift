import FlyingSocks
import Foundation
import Testing

@testable import TidingsInspector

@Suite("The folder of the server's socket")
struct PrivateFolderTests {
  private let files = FileManager.default

  @Test("Its user alone can open it, and it is removed with the socket")
  func permissions() throws {
    let (one, other) = (try PrivateFolder(), try PrivateFolder())
    let path = String(one.socket.dropLast("/s".count))
    #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
    #expect(files.createFile(atPath: one.socket, contents: nil))
    one.remove()
    #expect(!files.fileExists(atPath: path))
    #expect(files.fileExists(atPath: String(other.socket.dropLast("/s".count))), "that of another inspector is left")
    other.remove()
  }

  @Test("It is made where it can be written and the path leaves room for a socket, or not at all")
  func parents() throws {
    let folder = try PrivateFolder(in: ["/tmp"])
    let parent = String(folder.socket.dropLast("/s".count))
    defer { try? files.removeItem(atPath: parent) }
    // The address of a socket has 103 bytes, of which `/tid-` and six letters, and `/s`, take thirteen.
    let path = { parent + "/" + String(repeating: "a", count: $0 - parent.utf8.count - 1) }
    let (longest, long) = (path(90), path(91))
    for path in [longest, long] { try files.createDirectory(atPath: path, withIntermediateDirectories: true) }
    let made = try PrivateFolder(in: ["/nonexistent", long, longest + "/", parent])
    #expect(made.socket.hasPrefix(longest + "/tid-"))
    #expect(made.socket.utf8.count == 103)
    let socket = try Socket(domain: AF_UNIX)
    try socket.bind(to: .unix(path: made.socket))
    #expect(files.fileExists(atPath: made.socket))
    try socket.close()
    made.remove()
    #expect(throws: SocketError.self) { try PrivateFolder(in: ["/nonexistent", long]) }
  }
}
