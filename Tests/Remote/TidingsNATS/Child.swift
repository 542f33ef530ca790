#if NATS
import Foundation
import TidingsTesting

/// A process of the test's own, whose lines are recorded. It is ended with its standard input, or killed.
final class Child: Sendable {
  let lines = Recorder<String>()
  private let input: FileHandle
  let identifier: Int32
  private let exited = Recorder<Int32>()

  init(_ arguments: String...) throws {
    let process = Process()
    // Beside the bundle of the tests.
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    process.executableURL = folder.appendingPathComponent("nats-process")
    process.arguments = arguments
    let (output, input) = (Pipe(), Pipe())
    (process.standardOutput, process.standardInput) = (output, input)
    process.terminationHandler = { [exited] in exited($0.terminationStatus) }
    try process.run()
    identifier = process.processIdentifier
    self.input = input.fileHandleForWriting
    let (lines, reading) = (lines, output.fileHandleForReading)
    Thread {
      var rest = Data()
      while case let data = reading.availableData, !data.isEmpty {
        rest.append(data)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          lines(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
          rest = Data(rest[rest.index(after: end)...])
        }
      }
    }.start()
  }

  /// `kill -9`; returns when it is gone.
  func kill() async {
    Foundation.kill(identifier, SIGKILL)
    _ = await exited.values(atLeast: 1)
  }
  /// Lets it end; returns its status.
  func end() async -> Int32 {
    try? input.close()
    return await exited.values(atLeast: 1)[0]
  }
}

#endif
