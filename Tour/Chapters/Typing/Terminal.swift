import Foundation

/// A terminal in which keys come one by one, until it is closed.
final class Terminal {
  struct NoTerminal: Error {}
  private var usual = termios()

  init() throws(NoTerminal) {
    guard isatty(STDIN_FILENO) != 0, isatty(STDOUT_FILENO) != 0, tcgetattr(STDIN_FILENO, &usual) == 0 else {
      throw NoTerminal()
    }
    var raw = usual
    cfmakeraw(&raw)
    raw.c_oflag = usual.c_oflag
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
    write("\u{1B}[?2004h")  // what is pasted comes in brackets
  }

  /// Leaves the terminal as it was.
  func close() {
    write("\u{1B}[?2004l")
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &usual)
  }

  func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

  /// Waits for bytes; nil at the end.
  func keys() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count > 0 { return Array(bytes.prefix(count)) }
      if count == 0 || errno != EINTR { return nil }
    }
  }
}
