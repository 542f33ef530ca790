import TidingsTesting

// The tests of transports are built in a package of their own, which does not see the test kit's functions of these names.

/// Whether it comes true within five minutes and a thousand turns of the tasks that are ready.
public func eventually(_ condition: () async -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(300)
  var turns = 0
  while await !condition() {
    if turns > 1_000, ContinuousClock.now > end { return false }
    await Task.yield()
    turns += 1
  }
  return true
}

/// Holds tasks up until it is opened.
public final class Latch: Sendable {
  private let opened = Recorder<Bool>()
  public init() {}
  public func open() { opened(true) }
  public var isOpen: Bool { !opened.values.isEmpty }
  public func wait() async { _ = await opened.values(atLeast: 1) }
}
