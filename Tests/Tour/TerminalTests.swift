#if os(Linux)
import Foundation
import Glibc
import Testing

@testable import tour

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
    var (ends, before, after): ((Int32, Int32), termios, termios) = ((0, 0), termios(), termios())
    try #require(openpty(&ends.0, &ends.1, nil, nil, nil) == 0)
    tcgetattr(ends.1, &before)
    let (master, slave) = (FileHandle(fileDescriptor: ends.0), FileHandle(fileDescriptor: ends.1))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "tour")
    process.arguments = ["--interactive"]
    (process.standardInput, process.standardOutput, process.standardError) = (slave, slave, slave)
    try process.run()
    defer { if process.isRunning { process.terminate() } }
    for (text, keys) in [
      ("ctrl-d: leave", "10x"),
      ("“x” cannot be part of a whole number.", "50\t"),
      ("price", String(repeating: "\u{7F}", count: 8) + "\u{1B}[200~USD 9,999\u{1B}[201~\r"),
      ("Not bought. Too far off the last close.", "\u{1B}"),
      ("Nothing bought yet.", "\r"),
      ("Bought so far: 1050 at 223.02.", "\u{4}"),
    ] {
      // Reads until the text has come, and forgets what came before it.
      var screen = ""
      while !screen.contains(text) {
        let data = master.availableData
        try #require(!data.isEmpty, "the program has ended: \(screen)")
        screen += String(decoding: data, as: UTF8.self)
      }
      master.write(Data(keys.utf8))
    }
    process.waitUntilExit()
    tcgetattr(ends.1, &after)
    #expect(process.terminationStatus == 0)
    #expect(after.c_lflag == before.c_lflag && after.c_iflag == before.c_iflag)
  }

  @Test func `Bytes are keys, wherever they are cut`() {
    let bytes = Array("1€\u{1B}[200~x\u{1B}[201~٣\u{1B}[D\u{1B}OH\u{1B}[Z\u{1B}[24~\u{3}".utf8)
    let typed: [Key] = [.character("1"), .character("€"), .paste("x"), .character("٣")]
    // Not after the first byte of a sequence, which alone is the escape key.
    for cut in 1..<bytes.count where bytes[cut - 1] != 0x1B {
      var decoder = KeyDecoder()
      let keys = decoder.keys(in: bytes[..<cut]) + decoder.keys(in: bytes[cut...])
      #expect(keys == typed + [.left, .home, .previousField, .quit])
    }
  }
}
#endif
