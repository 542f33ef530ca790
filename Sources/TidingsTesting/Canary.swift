/// An object whose end is noticed. A closure that captures one shows when its captures are released.
public final class Canary: Sendable {
  private let cage: Cage

  fileprivate init(_ cage: Cage) { self.cage = cage }

  deinit { cage.add(-1) }

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
  private let cage = Cage()

  public init() {}

  /// How many of them are alive.
  public var alive: Int { cage.alive }

  public func make() -> Canary {
    cage.add(1)
    return Canary(cage)
  }

  /// Whether no more than so many are left, at once or soon. What a value captured waits for computations that are under way
  /// on other threads, and tests run beside each other.
  ///
  /// Waits on a thread of its own: what is to go may need one of those that run tasks, of which there are few.
  package func settle(atMost count: Int = 0) async -> Bool {
    if alive <= count { return true }
    return await withCheckedContinuation { continuation in
      Threads.start { [cage] in continuation.resume(returning: cage.wait(atMost: count, seconds: 300)) }
    }
  }
}
