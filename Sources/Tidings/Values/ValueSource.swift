/// A value that notifies its handlers when it changes: what ``Observed`` and ``Derived`` have in common.
public protocol ValueSource<Value>: EventSource where Payload == Change<Value> {
  /// The type of the value that the source holds.
  associatedtype Value: Sendable

  /// The current value. A read in the closure of a `Derived` makes it a dependency.
  var value: Value { get }

  /// Adds a handler that one of the verbs has made. A type that wraps a source passes it on to that source.
  ///
  /// - Parameters:
  ///   - handler: The handler, attached at most once.
  ///   - sendingInitial: Whether the handler first receives the current value, with `old` nil.
  ///   - isolation: The caller's actor; a handler on it receives the current value in place.
  /// - Returns: The subscription that the source made.
  func attach(
    _ handler: EventHandler<Change<Value>>, sendingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription

  /// The value for what depends on it. The reader retains the value, never the source.
  var reader: ValueReader<Value> { get }
}

extension ValueSource {
  /// Calls the handler with the current value, and then with every change, for as long as the subscription is kept.
  ///
  /// ```swift
  /// subscription = price.observe(.initial) { change in label.text = "\(change.new)" }
  /// ```
  ///
  /// The chain is unbroken: `old` of each change is `new` of the one before. A handler on another actor receives the first
  /// value through its queue like the others.
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - handler: Called with the current value and each change.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1), and the first call if it is made in place.
  public func observe(
    _ option: ObserveOption,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Change<Value>) -> Void,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(EventHandler(handler, CallSite(file: file, line: line)), sendingInitial: true, isolation: isolation)
  }

  public func attach(_ handler: EventHandler<Change<Value>>) -> Subscription {
    attach(handler, sendingInitial: false, isolation: nil)
  }
}
