#if SQLite
import Foundation
import RemoteTestSupport
import Testing
import Tidings
import TidingsRemote
import TidingsTesting

@testable import TidingsJournal

// A journal opens the files that are its own, for their user alone.
extension JournalIdentityTests {
  @Test("The file and its logs are readable for their user alone")
  func mode() async throws {
    let journal = try Journal(path)
    for file in files() where FileManager.default.fileExists(atPath: file) {
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(file)")
    }
    let mode = try FileManager.default.attributesOfItem(atPath: bells)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    await journal.close()
  }

  @Test("The database of another program is refused with a sentence and stays as it is")
  func foreign() throws {
    try execute("CREATE TABLE notes (text TEXT); PRAGMA user_version = 1")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect {
      try Journal(path)
    } throws: {
      "\($0)".contains("another program")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test("A relative path leads to the same file when the process changes its folder")
  func relative() throws {
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let relative = String(repeating: "../", count: depth) + path.dropFirst()
    let store = try JournalStore(relative, .process, busy: .seconds(5), maximumSize: nil, owner: "x")
    #expect(store.path.hasPrefix("/") && FileManager.default.fileExists(atPath: path))
    store.close()
  }

  @Test("A missing folder is an error, unless it is asked for")
  func missing() async throws {
    let deep = folder.path + "/a/b/journal.db"
    #expect {
      try Journal(deep)
    } throws: {
      "\($0)".contains("does not exist")
    }
    await (try Journal(deep, makesFolder: true)).close()
  }

  @Test("A file of the version before is read, and continued")
  func earlier() async throws {
    let journal = try Journal(path)
    try await journal.store([
      RemoteMessage(subject: "test.a", id: "1", origin: "o", schema: "Int", version: 1, body: Data("1".utf8))
    ])
    await journal.close()
    // As it was: without identity and number, values counted from 1, an attempt counted with the claim.
    try execute(
      """
      DROP TABLE identity; PRAGMA application_id = 0;
      INSERT INTO claim VALUES ('billing', 1, 1, 1, '1-gone', 0); INSERT INTO consumer VALUES ('billing', 1, 1);
      """)
    let relay = try relay()
    let handled = Recorder<Int>()
    relay.event("a", of: Int.self, delivery: .kept).handle(as: "billing") { _, message in handled(message.attempt) }
    #expect(await handled.values(atLeast: 1) == [2])
    await relay.close()
  }
}
#endif
