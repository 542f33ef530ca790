/// The cleanup after the last run of an effect: closures that end what it has begun, and the effects that it has made.
final class RunCleanup: Sendable {
  /// The actor of the effect.
  let home: (any Actor)?
  private let items = Lock<[Item]>([])

  private enum Item: Sendable {
    case call(@isolated(any) @Sendable () -> Void)
    /// The run keeps the token. If no other code does, releasing it cancels.
    case token(Subscription)
  }

  init(on home: (any Actor)?) { self.home = home }

  func add(_ call: @escaping @isolated(any) @Sendable () -> Void) { add(.call(call)) }
  func keep(_ effect: Subscription) { add(.token(effect)) }
  private func add(_ item: Item) { items.withLock { $0.append(item) } }

  /// Ends what the run has left, the newest first. Closures of the actor `here` and of none are called in place, those of other
  /// actors by a task.
  @_optimize(size)
  func callAsFunction(on here: (any Actor)?) {
    var left = items.withLock { items in
      defer { items = [] }
      return items
    }
    while let item = left.popLast() {
      guard case .call(let call) = item else { continue }
      let home = call.isolation
      if home == nil || address(home) == address(here) { plain(call)() } else { Task { await call() } }
    }
  }
}
