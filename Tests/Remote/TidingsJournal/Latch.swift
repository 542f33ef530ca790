#if SQLite
import TidingsTesting

/// Holds tasks up until it is opened.
final class Latch: Sendable {
  private let opened = Recorder<Bool>()
  func open() { opened(true) }
  func wait() async { _ = await opened.values(atLeast: 1) }
}
#endif
