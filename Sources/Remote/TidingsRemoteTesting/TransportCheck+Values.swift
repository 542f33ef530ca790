import Foundation
import TidingsRemote
import TidingsTesting

extension TransportCheck {
  static let values = [
    TransportCheck("A value is written on the revision that is expected, and on no other") { kit in
      let (first, second) = (try await kit.connect(), try await kit.connect())
      let key = TransportUnderTest.unique("written")
      guard case .written(let revision) = try await first.write(Data("1".utf8), to: key, expecting: 0) else {
        throw TransportViolation(description: "the first write was rejected")
      }
      let rejected = try await second.write(Data("2".utf8), to: key, expecting: 0)
      let current = StoredValue(Data("1".utf8), revision: revision)
      try require(rejected == .conflict(current), "written on no value, though there is one: \(rejected)")
      guard case .written(let next) = try await second.write(Data("2".utf8), to: key, expecting: revision) else {
        throw TransportViolation(description: "the write on the current revision was rejected")
      }
      try require(next > revision, "revision \(next) follows \(revision)")
      let stale = try await first.write(Data("3".utf8), to: key, expecting: revision)
      try require(
        stale == .conflict(StoredValue(Data("2".utf8), revision: next)), "written on a stale revision: \(stale)")
      await first.close()
      await second.close()
    },

    TransportCheck("Of writes on one revision by several processes one succeeds") { kit in
      let key = TransportUnderTest.unique("one")
      let answers = try await withThrowingTaskGroup(of: WriteAnswer.self) { group in
        for index in 0..<6 {
          let transport = try await kit.connect()
          group.addTask {
            let answer = try await transport.write(Data("\(index)".utf8), to: key, expecting: 0)
            await transport.close()
            return answer
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let written = answers.filter { if case .written = $0 { true } else { false } }
      try require(written.count == 1, "\(written.count) of 6 were written")
    },

    TransportCheck("A process that watches a key is given what it holds, nothing at first, and the last value always") {
      kit in
      let (writer, watcher) = (try await kit.connect(), try await kit.connect())
      let key = TransportUnderTest.unique("watched")
      let seen = Recorder<StoredValue?>()
      let token = try watcher.watch(key) { seen($0) }
      let first = await seen.values(atLeast: 1)
      try require(first[0] == nil, "an empty key holds \(String(describing: first[0]))")
      var revision: UInt64 = 0
      for number in 1...50 {
        guard
          case .written(let new) = try await writer.write(Data("\(number)".utf8), to: key, expecting: revision)
        else { throw TransportViolation(description: "write \(number) was rejected") }
        revision = new
      }
      try await last(Data("50".utf8), in: seen)
      let late = Recorder<StoredValue?>()
      let lateToken = try writer.watch(key) { late($0) }
      try await last(Data("50".utf8), in: late)
      withExtendedLifetime((token, lateToken)) {}
      await writer.close()
      await watcher.close()
    },
  ]

  /// Returns when it has come; revisions must not decrease.
  private static func last(_ body: Data, in seen: Recorder<StoredValue?>) async throws {
    var count = 1
    while true {
      let values = await seen.values(atLeast: count)
      let revisions = values.map { $0?.revision ?? 0 }
      try require(zip(revisions, revisions.dropFirst()).allSatisfy(<=), "revisions went backwards: \(revisions)")
      if values.last??.body == body { return }
      count = values.count + 1
    }
  }
}
