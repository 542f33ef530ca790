/// Holds tasks up until it is opened, as a gate does threads.
package final class Latch: Sendable {
  private let opened = Recorder<Bool>()

  package init() {}

  package var isOpen: Bool { !opened.values.isEmpty }
  package func open() { opened(true) }
  package func wait() async { _ = await opened.values(atLeast: 1) }
}
