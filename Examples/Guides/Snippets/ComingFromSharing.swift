// swift-format-ignore-file: OnlyOneTrailingClosureArgument

import Foundation
import Tidings

/// A value that a file keeps.
struct Stored<Value: Codable & Equatable & Sendable>: Sendable {
  let value: Observed<Value>
  private let saving: Subscription

  /// A file that cannot be decoded is an error: the initial value would overwrite it.
  init(_ initial: Value, in file: URL) throws {
    let isStored = FileManager.default.fileExists(atPath: file.path)
    let stored = isStored ? try JSONDecoder().decode(Value.self, from: Data(contentsOf: file)) : initial
    value = Observed(stored, changes: .distinct)
    // Asynchronous: whoever sets the value does not wait for the disk, and of several values the newest is written.
    saving = value.observe(buffering: .newest(1), onError: { print("not stored:", $0) }) { change async throws in
      try JSONEncoder().encode(change.new).write(to: file, options: .atomic)
    }
  }
  /// Returns when the newest value is in the file.
  func flush() async { await saving.drained() }
}

let file = FileManager.default.temporaryDirectory.appending(path: "volume-\(UUID()).json")
let volume = try Stored(0.5, in: file)
volume.value.update { $0 += 0.25 }
await volume.flush()
print("stored:", try Stored(0.0, in: file).value.value)
try FileManager.default.removeItem(at: file)
