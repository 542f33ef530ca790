import Foundation

/// Another process of this program. It ends with its standard input.
///
/// Unchecked: one thread at a time reads its lines.
final class ChildProcess: @unchecked Sendable {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private var rest = Data()

  init(_ arguments: String...) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = arguments
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
  }

  /// Its next line; waits for it on this thread.
  func line() -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = Data(rest[rest.index(after: end)...]) }
        return String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
      }
      guard case let data = output.fileHandleForReading.availableData, !data.isEmpty else { return nil }
      rest.append(data)
    }
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// For the child: returns when its standard input has ended.
  static func inputEnds() async {
    await withCheckedContinuation { continuation in
      Thread {
        while readLine() != nil {}
        continuation.resume()
      }.start()
    }
  }
}
