/// An object whose deinitialization is detected: it shows when the captures of a closure are released.
public final class Canary: Sendable {
  private let living: Locked<Int>

  fileprivate init(_ living: Locked<Int>) { self.living = living }

  deinit { living.withLock { $0 -= 1 } }

  /// Does nothing. A closure that calls it retains the canary, with or without optimization.
  @inline(never)
  public func touch() {}
}

/// Makes canaries and counts those that are alive.
///
/// ```swift
/// let canaries = Canaries()
/// let token = event.observe { [canary = canaries.make()] _ in canary.touch() }
/// token.cancel()
/// #expect(canaries.alive == 0)
/// ```
public final class Canaries: Sendable {
  private let living = Locked(0)

  /// Makes a counter without canaries.
  public init() {}

  /// The number of canaries that are alive.
  public var alive: Int { living.current }

  /// Makes a canary.
  ///
  /// - Returns: The canary, which counts as alive until it is deinitialized.
  public func make() -> Canary {
    living.withLock { $0 += 1 }
    return Canary(living)
  }

  /// Whether at most the given number of canaries are left, immediately or soon. The capture of a value waits for
  /// computations in progress on other threads, and tests run concurrently.
  package func quiesce(atMost count: Int = 0) async -> Bool { await eventually { alive <= count } }
}
