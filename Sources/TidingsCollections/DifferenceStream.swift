public import Tidings

/// The differences of an array or a dictionary as an asynchronous sequence: the whole as a reset, and then the edits.
///
/// ```swift
/// for await difference in tasks.differences.stream(.initial) { await replica.apply(difference) }
/// ```
///
/// The consumer takes the newest state when it requests a difference, and receives the edits since the state that it took
/// before. The last difference always leads to the last state that was written.
///
/// An iterator is for one task at a time. Each has a chain of its own, which begins with a reset.
public struct DifferenceStream<Difference: Sendable>: AsyncSequence, Sendable {
  /// Never fails.
  public typealias Failure = Never
  /// The subscription through which the stream receives: to cancel, pause or resume from elsewhere.
  public let subscription: Subscription
  private let makeSteps: @Sendable () -> Steps<Difference>

  init<State: CollectionState>(
    _ states: EventStream<State>, _ difference: @escaping @Sendable (_ from: State?, _ to: State) -> Difference
  ) {
    subscription = states.subscription
    makeSteps = { StateSteps(states, difference) }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(steps: makeSteps()) }

  /// Takes the differences of one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let steps: Steps<Difference>

    /// Waits for the next difference.
    ///
    /// - Parameter isolation: The actor on which the caller continues.
    /// - Returns: The difference; nil when the stream has ended or the task is cancelled.
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Difference? {
      await steps.next(isolation: isolation)
    }
    /// Without isolation: for code that knows the protocol alone.
    @_disfavoredOverload
    public mutating func next() async -> Difference? { await next(isolation: nil) }
  }
}
@available(*, unavailable)
extension DifferenceStream.Iterator: Sendable {}

/// An iterator's states, as differences.
private class Steps<Difference: Sendable> {
  func next(isolation: isolated (any Actor)?) async -> Difference? { fatalError("overridden") }
}
private final class StateSteps<State: CollectionState, Difference: Sendable>: Steps<Difference> {
  private let difference: @Sendable (_ from: State?, _ to: State) -> Difference
  private var states: EventStream<State>.Iterator
  private var last: State?

  init(_ states: EventStream<State>, _ difference: @escaping @Sendable (_ from: State?, _ to: State) -> Difference) {
    (self.states, self.difference) = (states.makeAsyncIterator(), difference)
  }
  override func next(isolation: isolated (any Actor)?) async -> Difference? {
    var next: State?
    repeat { next = await states.next(isolation: isolation) } while next != nil && next == last
    defer { last = next }
    return next.map { difference(last, $0) }
  }
}
