public import Tidings

/// Subscriptions, streams and tasks with a common lifetime: those of a screen, a connection, a test.
///
/// ```swift
/// let scope = Scope()
/// price.observe { change in print(change.new) }.store(in: scope)
/// scope.task { for await trade in trades { await store(trade) } }
/// await scope.finish()
/// ```
///
/// A scope ends when it is cancelled or deinitialized. Once `cancel()` has returned, no call of its handlers begins, its
/// streams deliver nothing more, and its tasks are cancelled. What is added later ends immediately. A completed task and a
/// subscription that has ended are removed from the scope.
///
/// Every member may be used from any thread at any time, also in a handler or task of the scope. The exception is
/// `finish()`: a task or handler of the scope must not await it, because it would wait for itself.
public final class Scope: Sendable {
  let members = ScopeMembers()

  /// Makes an empty scope.
  public init() {}
  deinit { members.cancel() }

  /// Whether the scope has not ended.
  public var isActive: Bool { !members.hasEnded }

  /// Adds a subscription, which is then cancelled with the scope.
  ///
  /// - Parameter subscription: The subscription, which the scope retains.
  /// - Complexity: O(1), amortized.
  public func add(_ subscription: Subscription) { members.add(subscription) }

  /// Adds a stream: it ends with the scope for all its consumers, and the values that wait in it are dropped.
  ///
  /// ```swift
  /// for await trade in scope.add(traded.stream()) { show(trade) }
  /// ```
  ///
  /// - Parameter stream: The stream.
  /// - Returns: The same stream.
  /// - Complexity: O(1), amortized.
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
  ///   - priority: The task's priority, as in `Task { }`.
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

  /// Makes a scope that ends with this one, and may end before.
  ///
  /// ```swift
  /// let row = scope.child()
  /// ```
  ///
  /// - Returns: The child.
  public func child() -> Scope {
    let child = Scope()
    members.add(child.members)
    return child
  }

  /// Ends the scope: cancels everything in it. Cancelling twice does nothing.
  public func cancel() { members.cancel() }

  /// Ends the scope, and returns when no handler in it is running and every task in it has completed.
  ///
  /// Tasks that ignore their cancellation are waited for.
  public func finish() async {
    members.cancel()
    await members.finish()
  }
}

extension Subscription {
  /// Adds this subscription to a scope, which keeps it until it ends.
  ///
  /// ```swift
  /// price.observe { change in print(change.new) }.store(in: scope)
  /// ```
  ///
  /// - Parameter scope: The scope.
  public func store(in scope: Scope) { scope.add(self) }
}
