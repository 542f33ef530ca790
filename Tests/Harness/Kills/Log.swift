#if SQLite && NATS && os(Linux)
import Foundation

/// Microseconds of a clock that all processes of the machine share, and that nobody sets.
typealias Moment = Int64
extension Moment { static func seconds(_ seconds: Double) -> Moment { Moment(seconds * 1_000_000) } }
func now() -> Moment {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Moment(time.tv_sec) * 1_000_000 + Moment(time.tv_nsec) / 1_000
}

/// The lines of one process in a file. A line that was written before a kill is there after it.
struct Log: Sendable {
  private let descriptor: Int32
  init(_ path: String) { descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600) }
  func callAsFunction(_ text: String) {
    let line = Array("\(now()) \(text)\n".utf8)
    _ = write(descriptor, line, line.count)
  }
}

/// Reads what has been added to a log since it was last read.
final class LogReader {
  private let path: String
  private var descriptor: Int32 = -1
  private var rest: [UInt8] = []
  init(_ path: String) { self.path = path }
  deinit { close() }

  /// Calls `take` with the moment and the words of each new line. The last word is the rest of the line.
  func read(_ take: (Moment, [Substring]) -> Void) {
    if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Foundation.read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return }
      rest += bytes[..<count]
      guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
      for line in String(decoding: rest[..<end], as: UTF8.self).split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 3)
        if words.count > 1, let moment = Moment(words[0]) { take(moment, Array(words[1...])) }
      }
      rest.removeFirst(end + 1)
    }
  }
  func close() {
    if descriptor >= 0 { _ = Foundation.close(descriptor) }
    descriptor = -1
  }
}
#endif
