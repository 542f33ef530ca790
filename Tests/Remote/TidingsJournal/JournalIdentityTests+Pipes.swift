#if SQLite
import Foundation
import RemoteTestSupport
import Testing
import Tidings
import TidingsRemote
import TidingsTesting

@testable import TidingsJournal

// Processes wake each other by pipes in a folder, which others may clean.
extension JournalIdentityTests {
  @Test("In the folder of pipes only those of exited processes are removed")
  func pipes() async throws {
    let relay = try relay()
    let placed = relay.event("orders.placed", of: Int.self, delivery: .kept)
    let others = ["\(bells)/notes.txt", "\(bells)/1-abc", "\(bells)/x-y"]
    for other in others { #expect(FileManager.default.createFile(atPath: other, contents: Data("keep".utf8))) }
    #expect(mkfifo("\(bells)/1-left", 0o600) == 0)
    #expect(mkfifo("\(bells)/x-left", 0o600) == 0)
    for number in 1...5 { try await placed.send(number) }
    for other in others {
      #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data("keep".utf8), "\(other)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(bells)/1-left"))
    #expect(FileManager.default.fileExists(atPath: "\(bells)/x-left"))
    await relay.close()
  }

  @Test("A journal in a folder whose path is longer than a socket's address wakes other processes")
  func longPath() async throws {
    let long = folder.path + "/" + String(repeating: "f", count: 200)
    let (first, second) = (
      try Journal(long + "/journal.db", makesFolder: true), try Journal(long + "/journal.db")
    )
    await first.close()
    await second.close()
    let (woken, waker) = (WakePipe(in: long + "/bells"), WakePipe(in: long + "/bells"))
    try woken.make()
    try waker.make()
    let (wakes, wake) = AsyncStream<Void>.makeStream()
    woken.listen {
      wake.yield()
      return true
    }
    waker.wakeOthers()
    for await _ in wakes { break }
    #expect(waker.isAlive(woken.name))
    woken.close()
    waker.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: long + "/bells") == [])
  }

  @Test("A folder that a cleaner has removed is made again, and its living owners keep what they have claimed")
  func cleaners() async throws {
    let (first, second) = (try Journal(path), try Journal(path))
    first.open { _ in }
    second.open { _ in }
    try await first.store([
      RemoteMessage(subject: "a", id: "1", origin: "o", schema: "s", version: 1, body: Data())
    ])
    let claimed = try await first.claim(1, of: "a", as: "billing")
    try FileManager.default.removeItem(atPath: bells)
    let stealing = Task { try await second.claim(1, of: "a", as: "billing") }
    #expect(
      await eventually { (try? FileManager.default.contentsOfDirectory(atPath: bells).count) == 2 })
    try await first.settle([(claimed[0], .acknowledged)], of: "a", as: "billing")
    stealing.cancel()
    if case .success(let stolen) = await stealing.result { #expect(stolen.isEmpty) }
    await first.close()
    await second.close()
  }

  @Test("A pipe that was closed is not made again by a later look")
  func closedPipe() throws {
    let pipe = WakePipe(in: bells)
    try pipe.make()
    pipe.close()
    try pipe.make()
    #expect(try FileManager.default.contentsOfDirectory(atPath: bells) == [])
  }
}
#endif
