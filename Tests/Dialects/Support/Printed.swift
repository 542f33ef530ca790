import TidingsTesting

/// The lines that the `print` of a documentation test has noted, of one test after another.
final class Printed: Sendable {
  private let current = Locked(Recorder<String>())
  func note(_ items: [Any]) {
    let line = items.map { "\($0)" }.joined(separator: " ")
    current.current(line)
  }
  func start() -> Recorder<String> {
    current.withLock { recorder in
      recorder = Recorder()
      return recorder
    }
  }
}
