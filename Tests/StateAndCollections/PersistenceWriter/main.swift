import Foundation
import Tidings
import TidingsCollections
import TidingsPersistence

// Counts in two values and an array that always change together, and prints each number when it was saved.
//
//   persistence-writer FILE KEY
let (path, key) = (CommandLine.arguments[1], CommandLine.arguments[2])
let store = PersistentStore(file: URL(filePath: path), interval: .milliseconds(1))
let number = store.value("\(key).number", default: 0)
let text = store.value("\(key).text", default: "0")
let last = store.collection("\(key).last", as: ObservedArray.self, default: [0])
while true {
  transaction {
    number.update { $0 += 1 }
    let next = number.value
    text.set("\(next)")
    last.edit { last in
      last.append(next)
      if last.count > 3 { last.removeFirst() }
    }
  }
  let saved = number.value
  do { try await store.save() } catch { exit(2) }
  FileHandle.standardOutput.write(Data("\(saved)\n".utf8))
}
