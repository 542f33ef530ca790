import Foundation
import Tidings
import TidingsPersistence

// Counts in two values that are always set together, and prints each number when it was saved.
//
//   persistence-writer FILE KEY
let (path, key) = (CommandLine.arguments[1], CommandLine.arguments[2])
let store = PersistentStore(file: URL(filePath: path), interval: .milliseconds(1))
let number = store.value("\(key).number", default: 0)
let text = store.value("\(key).text", default: "0")
while true {
  transaction {
    number.update { $0 += 1 }
    text.set("\(number.value)")
  }
  let saved = number.value
  do { try await store.save() } catch { exit(2) }
  FileHandle.standardOutput.write(Data("\(saved)\n".utf8))
}
