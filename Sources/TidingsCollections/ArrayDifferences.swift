public import Tidings

/// The differences of an array, as an event: see ``ArraySource/differences``.
public struct ArrayDifferences<Element: Sendable>: EventSource {
  let contents: ArrayContents<Element>

  public func attach(_ handler: EventHandler<ArrayDifference<Element>>) -> Subscription {
    attach(handler, sendingInitial: false, isolation: nil)
  }
  private func attach(
    _ handler: EventHandler<ArrayDifference<Element>>, sendingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    contents.states.attach(handler, sendingInitial: sendingInitial, isolation: isolation) { change in
      ArrayDifference(from: change.old, to: change.new)
    }
  }

  /// Calls the handler with the current array as a reset, and then with every difference.
  ///
  /// ```swift
  /// let showing = tasks.differences.observe(.initial) { difference in list.show(difference) }
  /// ```
  ///
  /// No difference is lost or delivered twice. As with any value, the handler runs on its actor.
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - handler: Receives the differences.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  public func observe(
    _ option: ObserveOption,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (ArrayDifference<Element>) -> Void,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(EventHandler(handler, file: file, line: line), sendingInitial: true, isolation: isolation)
  }

  /// Calls the handler with the owner and the current array as a reset, and then with every difference, until the
  /// owner is deinitialized.
  ///
  /// ```swift
  /// tasks.differences.observe(.initial, with: list) { list, difference in list.show(difference) }
  /// ```
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - owner: Held weakly and handed to the handler, which should not capture it.
  ///   - handler: Receives the owner and the differences.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    _ option: ObserveOption, with owner: Owner,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, ArrayDifference<Element>) -> Void,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      EventHandler(to: owner, handler, file: file, line: line), sendingInitial: true, isolation: isolation)
  }

  /// Calls the handler with the current array as a reset, and then with every difference, on the actor that owns it.
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - owner: Held weakly and handed to the handler.
  ///   - handler: Runs on the owner, with the differences.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  @discardableResult
  public func observe<Owner: Actor>(
    _ option: ObserveOption, with owner: Owner,
    _ handler: @escaping @Sendable (isolated Owner, ArrayDifference<Element>) -> Void,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      EventHandler(onOwner: owner, handler, file: file, line: line), sendingInitial: true, isolation: isolation)
  }

  /// The current array as a reset, and then its differences, as an asynchronous sequence for a slow consumer.
  ///
  /// ```swift
  /// for await difference in tasks.differences.stream(.initial) { await replica.apply(difference) }
  /// ```
  ///
  /// Each difference has all edits since the one before. So a consumer that is slow receives fewer differences, and nothing
  /// is buffered for it but the edits that the array keeps. If there were more, the next difference is a reset.
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The stream, already subscribed.
  /// - Complexity: A change costs O(1), and the consumer pays for what it takes.
  public func stream(
    _ option: ObserveOption, isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line
  ) -> DifferenceStream<ArrayDifference<Element>> {
    DifferenceStream(
      contents.states.stream(.latest, isolation: isolation, file: file, line: line),
      ArrayDifference<Element>.init(from:to:))
  }
}
