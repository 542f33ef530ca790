import Synchronization
import TestSupport
import Tidings
import TidingsTesting

/// A handler that is added and cancelled while others emit, with what it received and what was done to it.
final class FuzzHandler: Sendable {
  enum Route: CaseIterable {
    case plain, throwing, once, owned, ownedByActor, target, stream, async, asyncNewest, hook

    /// Whether the handler has a queue in any case, and none of its calls is made in the call that delivers.
    var isQueued: Bool { [.target, .stream, .async, .asyncNewest].contains(self) }
    var isAsync: Bool { self == .async || self == .asyncNewest }
  }

  let number: Int
  let route: Route
  /// The operators before it.
  let chain: FuzzChain
  let source: FuzzSource
  /// The second source of `merge` or `zip`.
  let other: FuzzSource?
  /// The actor on which it runs.
  let actor: Int?
  /// Whether nothing is done to it but by itself.
  let isPrivate: Bool
  /// Whether nothing is done to it at all.
  let isLasting: Bool
  let home: TestActor?
  /// Whether it was added with `observe(with:)` of that actor: then the source keeps it, not its token.
  let isOwnedByActor: Bool
  let clock: FuzzClock
  let addBegin: Int
  private let addEnd = Atomic(Int.max)
  let token = Locked<Subscription?>(nil)
  let owner: Locked<(any AnyObject & Sendable)?>
  let calls = Locked<[FuzzCall]>([])
  let operations = Locked<[FuzzOperation]>([])
  let failures = (thrown: Tally(), received: Tally())
  /// Whether the consumer of a stream has found the end.
  let hasEnded = Atomic(false)

  init(
    _ number: Int, _ route: Route, _ chain: FuzzChain, _ source: FuzzSource, _ other: FuzzSource?, actor: Int?,
    home: TestActor?,
    isOwnedByActor: Bool, isPrivate: Bool, isLasting: Bool, _ clock: FuzzClock
  ) {
    (self.number, self.route, self.chain, self.source, self.other) = (number, route, chain, source, other)
    sources = [source] + [other].compactMap(\.self)
    (self.actor, self.home, self.isOwnedByActor) = (actor, home, isOwnedByActor)
    (self.isPrivate, self.isLasting, self.clock) = (isPrivate, isLasting, clock)
    switch route {
    case .owned: owner = Locked(FuzzOwner())
    case .ownedByActor: owner = Locked(FuzzActor())
    default: owner = Locked(nil)
    }
    addBegin = clock.tick()
  }

  /// When `observe` had returned.
  var addedAt: Int { addEnd.load(ordering: .acquiring) }

  func added() { addEnd.store(clock.tick(), ordering: .releasing) }

  /// The sources whose values it receives.
  let sources: [FuzzSource]

  /// Whether several threads may call it at the same time.
  var isConcurrent: Bool {
    source.policy == .immediate && actor == nil && chain.isTransparent && route != .ownedByActor && !route.isQueued
  }

  /// Whether it runs in the call that delivers, on any thread.
  var isInPlace: Bool {
    actor == nil && chain.isTransparent && route != .ownedByActor && route != .hook && !route.isQueued
  }

  /// Whether its calls may nest: it emits in place what it then receives.
  var mayNest: Bool {
    isConcurrent || source.isHook || (source.policy == .immediate && chain.isTransparent && !route.isQueued)
  }

  /// Whether dropping the token cancels, and the token is nowhere but here.
  var mayDropToken: Bool {
    isPrivate && !isConcurrent && [.plain, .throwing, .target, .async, .asyncNewest].contains(route)
      && addedAt != .max && !isOwnedByActor
  }

  func begin(_ item: FuzzItem) -> Int {
    calls.withLock { calls in
      calls.append(
        FuzzCall(
          value: item.value, old: item.old, partner: item.partner, ordinal: item.ordinal, thread: Threads.current,
          isOnActor: home?.isHere ?? true, begin: clock.tick()))
      return calls.count - 1
    }
  }

  func end(_ call: Int) {
    let end = clock.tick()
    calls.withLock { $0[call].end = end }
  }

  /// Does it and notes when.
  func perform(_ verb: FuzzOperation.Verb, by actor: Int?, inside: FuzzHandler?) {
    // Others may find it before it was added.
    guard token.current != nil || verb == .releaseOwner else { return }
    let begin = clock.tick()
    switch verb {
    case .pause: token.current?.pause()
    case .resume: token.current?.resume()
    case .cancel: token.current?.cancel()
    case .dropToken: token.current = nil
    case .releaseOwner: owner.current = nil
    case .finish, .cancelAll: break
    }
    note(
      FuzzOperation(
        verb: verb, begin: begin, end: verb == .releaseOwner ? .max : clock.tick(), thread: Threads.current,
        actor: actor, inside: inside?.number, isCertain: verb != .releaseOwner))
  }

  func finish() async {
    guard let token = token.current else { return }
    let begin = clock.tick()
    await token.finish()
    note(FuzzOperation(verb: .finish, begin: begin, end: clock.tick(), thread: nil, actor: nil, inside: nil))
  }

  private func note(_ operation: FuzzOperation) { operations.withLock { $0.append(operation) } }
}

extension FuzzHandler: CustomStringConvertible {
  var hasLostItsOwner: Bool { (route == .owned || route == .ownedByActor) && owner.current == nil }

  /// Whether nothing that ends it can have happened. What `zip` waits for is not known here, and the last values of two sources
  /// may be more than a buffer holds.
  var mustReceiveFinalValues: Bool {
    route != .once && !hasLostItsOwner && !chain.has(.zip) && (route != .asyncNewest || other == nil)
      && token.withLock { $0 }?.isActive == true
  }

  /// Whether its sources give no more values.
  var isBehindTheEnd: Bool { sources.allSatisfy(\.finish.isFinished) }

  var description: String {
    let place = actor.map { isOwnedByActor ? " owned by actor \($0)" : " formed on actor \($0)" } ?? ""
    return
      "handler \(number) (\(route)\(place)\(chain.steps.map { " behind \($0)" }.joined())) of \(source.policy) source \(source.number)"
      + (other.map { " and \($0.number)" } ?? "")
  }
}

/// An object to which a handler is bound.
final class FuzzOwner: Sendable {}

/// An actor that lives no longer than it is kept.
actor FuzzActor {}
