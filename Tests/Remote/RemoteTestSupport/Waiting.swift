import TidingsTesting

/// Whether it comes true within five minutes; looked at again whenever other tasks have had a turn.
public func eventually(_ condition: () async -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(300)
  while await !condition() {
    if ContinuousClock.now > end { return false }
    await Task.yield()
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
