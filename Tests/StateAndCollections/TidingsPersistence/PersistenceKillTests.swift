import Foundation
import Testing
import Tidings
import TidingsCollections
import TidingsPersistence

@Suite("A store whose process is killed")
struct PersistenceKillTests {
  /// Two processes write into one file and are killed at random, a hundred times in all.
  @Test(
    """
    47. When `save()` of a `PersistentStore` has returned, everything that was set before is stored. If its process is killed, what is \
    stored is what one of its savings has written, as a whole, with what other processes have saved.
    """)
  func kills() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tidings-persistence-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "values.json")
    var acknowledged = ["a": 0, "b": 0]
    for _ in 0..<50 {
      let writers = try acknowledged.keys.map { key in (key, try Writer(file, key)) }
      for (key, writer) in writers {
        for number in writer.kill(after: Int.random(in: 0...12)) {
          #expect(number > acknowledged[key]!)
          acknowledged[key] = number
        }
      }
      let problems = Problems()
      let store = PersistentStore(file: file, onProblem: { problems.add($0) })
      for (key, number) in acknowledged {
        let found = store.value("\(key).number", default: 0).value
        // A number may have been saved and not been printed any more.
        #expect(found == number || found == number + 1)
        #expect(store.value("\(key).text", default: "0").value == "\(found)")
        let last = store.collection("\(key).last", as: ObservedArray.self, default: [0])
        #expect(last.value == Array(max(0, found - 2)...found))
        acknowledged[key] = found
      }
      #expect(problems.all.isEmpty)
    }
    #expect(acknowledged.values.allSatisfy { $0 > 0 })
    let rest = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("unreadable") }
    #expect(rest.isEmpty)
  }

  private struct Writer {
    private let process = Process()
    private let output = Pipe()
    init(_ file: URL, _ key: String) throws {
      process.executableURL = Self.executable
      process.arguments = [file.path, key]
      process.standardOutput = output
      try process.run()
    }
    /// Kills it when it has acknowledged some numbers, in the middle of the next; returns all that it has acknowledged.
    func kill(after count: Int) -> [Int] {
      var text = Data()
      while text.count(where: { $0 == UInt8(ascii: "\n") }) < count {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        text += more
      }
      Foundation.kill(process.processIdentifier, SIGKILL)
      text += output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      // The last line may be cut off.
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      return lines.dropLast().compactMap { Int($0) }
    }
    /// Built into the folder of the test's own program.
    private static var executable: URL {
      URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "persistence-writer")
    }
  }
}
