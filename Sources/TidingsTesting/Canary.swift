/// An object whose end is noticed. A closure that captures one shows when its captures are released.
public final class Canary: Sendable {
  private let cage: Locked<Int>

  fileprivate init(_ cage: Locked<Int>) { self.cage = cage }

  deinit { cage.withLock { $0 -= 1 } }

  /// Does nothing. A closure that calls it holds the canary, optimised or not.
  @inline(never)
  public func touch() {}
}

/// Makes canaries and counts those that live.
///
/// ```swift
/// let canaries = Canaries()
/// let token = event.observe { [canary = canaries.make()] _ in canary.touch() }
/// token.cancel()
/// #expect(canaries.alive == 0)
/// ```
public final class Canaries: Sendable {
  private let cage = Locked(0)

  public init() {}

  /// How many of them are alive.
  public var alive: Int { cage.withLock { $0 } }

  public func make() -> Canary {
    cage.withLock { $0 += 1 }
    return Canary(cage)
  }
}
