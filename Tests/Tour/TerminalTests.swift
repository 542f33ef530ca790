#if os(Linux)
import Foundation
import Glibc
import Testing

/// The line editor as a person meets it: a process of its own, with a terminal.
struct TerminalTests {
  @Test(.timeLimit(.minutes(20)))
  func `In a terminal a trade is typed, corrected and bought, and the terminal is left as it was`() async throws {
    // On a thread of its own: reading waits.
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      Thread { done.resume(with: Result { try Self.buy() }) }.start()
    }
  }

  private static func buy() throws {
    let session = try Session(["--interactive"])
    try session.wait(for: "ctrl-d: leave")
    session.send("10x")
    try session.wait(for: "“x” cannot be part of a whole number.")
    session.send("50\t")
    session.send(String(repeating: "\u{7F}", count: 8) + "\u{1B}[200~USD 9,999\u{1B}[201~\r")
    try session.wait(for: "Not bought. Too far off the last close.")
    session.send("\u{1B}")
    try session.wait(for: "Nothing bought yet.")
    session.send("\r")
    try session.wait(for: "Bought so far: 1050 at 223.02.")
    session.send("\u{4}")
    #expect(session.status() == 0)
    #expect(session.isAsBefore)
  }
}

private final class Session {
  struct Ended: Error { let screen: String }
  private let process = Process()
  private let master: FileHandle
  private let slave: Int32
  private let before: termios
  private var screen = ""

  init(_ arguments: [String]) throws {
    var (master, slave): (Int32, Int32) = (0, 0)
    try #require(openpty(&master, &slave, nil, nil, nil) == 0)
    (self.master, self.slave) = (FileHandle(fileDescriptor: master), slave)
    var settings = termios()
    tcgetattr(slave, &settings)
    before = settings
    let terminal = FileHandle(fileDescriptor: slave)
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
      path: "tour")
    process.arguments = arguments
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
  }
  deinit { if process.isRunning { process.terminate() } }

  func send(_ keys: String) { master.write(Data(keys.utf8)) }

  /// Reads until the text has come, and forgets what came before it.
  func wait(for text: String) throws {
    while !screen.contains(text) {
      let data = master.availableData
      if data.isEmpty { throw Ended(screen: screen) }
      screen += String(decoding: data, as: UTF8.self)
    }
    screen = ""
  }

  func status() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  var isAsBefore: Bool {
    var now = termios()
    tcgetattr(slave, &now)
    return now.c_lflag == before.c_lflag && now.c_iflag == before.c_iflag
  }
}
#endif
