public import Foundation
public import TidingsTesting

/// A process of a test's own, whose lines are recorded. It is ended with its standard input, or killed.
public final class ChildProcess: Sendable {
  /// The output from which lines are recorded.
  public enum Output: Sendable { case standard, error }

  public let lines = Recorder<String>()
  public let identifier: Int32
  private let input: FileHandle
  private let exited = Recorder<Int32>()
  private let outputEnded = Recorder<Bool>()
  /// The lines, and nil after the last.
  private let log = Recorder<String?>()
  public struct HasEnded: Error {}

  /// A program that is built beside the bundle of the tests.
  public convenience init(_ program: String, _ arguments: String...) throws { try self.init(program, arguments) }
  public convenience init(_ program: String, _ arguments: [String]) throws {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    try self.init(running: folder.appendingPathComponent(program), arguments)
  }

  public init(running program: URL, _ arguments: [String], recording source: Output = .standard) throws {
    let process = Process()
    (process.executableURL, process.arguments) = (program, arguments)
    let (output, input) = (Pipe(), Pipe())
    process.standardInput = input
    switch source {
    case .standard: process.standardOutput = output
    case .error: process.standardError = output
    }
    process.terminationHandler = { [exited] in exited($0.terminationStatus) }
    try process.run()
    let identifier = process.processIdentifier
    self.identifier = identifier
    self.input = input.fileHandleForWriting
    let (lines, log, outputEnded, exited, reading) = (lines, log, outputEnded, exited, output.fileHandleForReading)
    Thread {
      var rest = Data()
      while case let data = reading.availableData, !data.isEmpty {
        rest.append(data)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
          lines(line)
          log(line)
          rest = Data(rest[rest.index(after: end)...])
        }
      }
      log(nil)
      outputEnded(true)
      if let status = Self.status(of: identifier) { exited(status) }
    }.start()
  }

  /// The status with which a process ends; waits for that. Nil if Foundation has collected it, and calls its handler.
  ///
  /// Foundation's handler alone is not relied on: on Linux it was once not called, and the process remained a zombie.
  private static func status(of identifier: Int32) -> Int32? {
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0 { if errno != EINTR { return nil } }
    #if canImport(Darwin)
    return information.si_status
    #else
    return information._sifields._sigchld.si_status
    #endif
  }

  /// The first line with a text; waits for it.
  ///
  /// - Throws: `HasEnded`.
  @discardableResult
  public func line(containing text: String) async throws -> String {
    var count = 0
    while true {
      let lines = await log.values(atLeast: count + 1)
      for line in lines[count...] {
        guard let line else { throw HasEnded() }
        if line.contains(text) { return line }
      }
      count = lines.count
    }
  }

  public var hasExited: Bool { !exited.values.isEmpty }
  /// `kill -9`; returns when it has exited.
  public func kill() async {
    Foundation.kill(identifier, SIGKILL)
    _ = await exit()
  }
  /// Lets it end; returns its status.
  public func end() async -> Int32 {
    try? input.close()
    return await exit()
  }
  /// Its status, when it has ended and its last line is recorded.
  public func exit() async -> Int32 {
    _ = await outputEnded.values(atLeast: 1)
    return await exited.values(atLeast: 1)[0]
  }
}
