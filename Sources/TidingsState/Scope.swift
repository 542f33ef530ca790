public import Tidings

/// Subscriptions, streams and tasks that end together: what belongs to a screen, a connection, a test.
///
/// ```swift
/// let scope = Scope()
/// price.observe { change in print(change.new) }.store(in: scope)
/// scope.task { for await trade in trades { await store(trade) } }
/// await scope.finish()
/// ```
///
/// It ends when it is cancelled or destroyed. Once `cancel()` has returned, no call of a handler in it begins, its streams give
/// nothing more, and its tasks are cancelled; what is added later ends immediately. A task that is over and a
/// subscription that has ended leave it by themselves.
///
/// Every member may be used from any thread at any time, also from a handler or a task in it, except that `finish()` is not
/// awaited by a task or handler in the scope, which would wait for itself.
public final class Scope: Sendable {
  let members = ScopeMembers()

  /// An empty scope.
  public init() {}
  deinit { members.cancel() }

  /// Whether it has not ended.
  public var isActive: Bool { !members.hasEnded }

  /// Adds a subscription, which then lives as long as the scope.
  ///
  /// - Complexity: O(1), amortized.
  public func add(_ subscription: Subscription) { members.add(subscription) }

  /// Adds a stream: it ends with the scope for all its consumers, and what waits in it is dropped.
  ///
  /// ```swift
  /// for await trade in scope.add(traded.stream()) { show(trade) }
  /// ```
  ///
  /// - Returns: The same stream.
  @discardableResult
  public func add<Element>(_ stream: EventStream<Element>) -> EventStream<Element> {
    members.add(stream.subscription)
    return stream
  }

  /// Starts a task that is cancelled with the scope.
  ///
  /// ```swift
  /// scope.task { await refresh() }
  /// ```
  ///
  /// - Parameters:
  ///   - priority: As of any task.
  ///   - operation: Runs on the actor on which it was formed, as in `Task { }`. Should respect cancellation.
  /// - Returns: The task, to be awaited or cancelled on its own.
  @discardableResult
  public func task(
    priority: TaskPriority? = nil,
    @_inheritActorContext _ operation: @escaping @isolated(any) @Sendable () async -> Void
  ) -> Task<Void, Never> {
    let (members, number) = (members, members.reserve())
    let task = Task(priority: priority) {
      await operation()
      members.leave(number)
    }
    members.enter(task, as: number)
    return task
  }

  /// A scope that ends with this one, and may end before.
  ///
  /// ```swift
  /// let row = scope.child()
  /// ```
  public func child() -> Scope {
    let child = Scope()
    members.add(child.members)
    return child
  }

  /// Ends the scope: cancels everything in it. Cancelling twice does nothing.
  public func cancel() { members.cancel() }

  /// Ends the scope, and returns when no handler in it is running and every task in it is over.
  ///
  /// Tasks that ignore their cancellation are waited for.
  public func finish() async {
    members.cancel()
    await members.finish()
  }
}

extension Subscription {
  /// Keeps this subscription for as long as the scope lasts.
  ///
  /// ```swift
  /// price.observe { change in print(change.new) }.store(in: scope)
  /// ```
  public func store(in scope: Scope) { scope.add(self) }
}
