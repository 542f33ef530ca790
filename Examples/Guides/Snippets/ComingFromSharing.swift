// swift-format-ignore-file: OnlyOneTrailingClosureArgument

import Foundation
import Tidings

/// A value that a file keeps.
struct Stored<Value: Codable & Equatable & Sendable>: Sendable {
  let value: Observed<Value>
  private let saving: Subscription

  init(_ initial: Value, in file: URL) {
    let stored = try? JSONDecoder().decode(Value.self, from: Data(contentsOf: file))
    value = Observed(stored ?? initial, changes: .distinct)
    saving = value.observe(onError: { print("not stored:", $0) }) { change in
      try JSONEncoder().encode(change.new).write(to: file)
    }
  }
}

let file = FileManager.default.temporaryDirectory.appending(path: "volume-\(UUID()).json")
let volume = Stored(0.5, in: file)
volume.value.update { $0 += 0.25 }
print("stored:", Stored(0.0, in: file).value.value)
try FileManager.default.removeItem(at: file)
