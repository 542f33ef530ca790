import Synchronization
import Tidings
import TidingsTesting

/// A handler that is added and cancelled while others emit, with what it received and what was done to it.
final class FuzzHandler: Sendable {
  enum Route: CaseIterable {
    case plain, viaOperator, merged, throwing, once, owned, ownedByActor, target, stream, hook
  }

  let number: Int
  let route: Route
  let source: FuzzSource
  /// The second source of a merge.
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
  let consumer = Locked<Task<Void, Never>?>(nil)

  init(
    _ number: Int, _ route: Route, _ source: FuzzSource, _ other: FuzzSource?, actor: Int?, home: TestActor?,
    isOwnedByActor: Bool, isPrivate: Bool, isLasting: Bool, _ clock: FuzzClock
  ) {
    (self.number, self.route, self.source, self.other) = (number, route, source, other)
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

  /// Whether several threads may call it at the same time.
  var isConcurrent: Bool {
    source.policy == .immediate && actor == nil && ![.merged, .ownedByActor, .target, .stream].contains(route)
  }

  /// Whether it runs in the call that delivers, on whichever thread.
  var isInPlace: Bool { actor == nil && ![.merged, .ownedByActor, .target, .stream, .hook].contains(route) }

  /// Whether its calls may nest: it emits in place what it then receives.
  var mayNest: Bool {
    isConcurrent || source.isHook || (source.policy == .immediate && ![.merged, .target, .stream].contains(route))
  }

  /// Whether dropping the token cancels, and the token is nowhere but here.
  var mayDropToken: Bool {
    isPrivate && !isConcurrent && [.plain, .viaOperator, .merged, .throwing, .target].contains(route)
      && addedAt != .max && !isOwnedByActor
  }

  func begin(_ value: Int, _ old: Int?) -> Int {
    calls.withLock { calls in
      calls.append(
        FuzzCall(
          value: value, old: old, thread: Threads.current, isOnActor: home?.isHere ?? true, begin: clock.tick()))
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

  /// Whether nothing that ends it can have happened.
  var mustReceiveFinalValues: Bool {
    route != .once && !hasLostItsOwner && token.withLock { $0 }?.isActive == true
  }

  var description: String {
    let place = actor.map { isOwnedByActor ? " owned by actor \($0)" : " formed on actor \($0)" } ?? ""
    return "handler \(number) (\(route)\(place)) of \(source.policy) source \(source.number)"
      + (other.map { " and \($0.number)" } ?? "")
  }
}

/// An object to which a handler is bound.
final class FuzzOwner: Sendable {}

/// An actor that lives no longer than it is kept.
actor FuzzActor {}
