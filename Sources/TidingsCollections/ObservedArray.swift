public import Tidings

/// An array that notifies of its edits: for lists and tables that are not to be reloaded.
///
/// ```swift
/// let tasks = ObservedArray(["read", "write"])
/// let following = tasks.differences.observe { difference in difference.apply(to: &mirror) }
/// tasks.edit { tasks in
///   tasks.append("rest")
///   tasks.move(from: 2, to: 0)
/// }
/// ```
///
/// Differences are the recorded edits, and are not found by comparing. `map`, `filter` and `sorted(by:)` give arrays that
/// follow it edit by edit: their closures run only for the elements that were edited.
///
/// It is a value, like an `Observed<[Element]>`: readable from any thread and in a `Derived`, with `observe`, streams and an
/// unbroken chain of changes. In a ``/Tidings/transaction(isolation:_:)`` its edits appear together with all other writes,
/// and are one difference. They are applied again to a newer array if another thread has edited it meanwhile.
///
/// - Complexity: An edit costs O(log *n*): the array before it stays readable, and shares with the new one all storage but what
///   the edit changes. No element is compared, and no closure runs for an element that was not edited. `value` is made for the
///   first reader of each state of the array, in O(*n*); ``ArraySource/snapshot`` is made in O(1).
public final class ObservedArray<Element: Sendable>: ArraySource {
  let state: Observed<ArrayState<Element>>
  public var contents: ArrayContents<Element> { ArrayContents(state) }

  /// Makes an array.
  ///
  /// - Parameters:
  ///   - elements: The initial elements.
  ///   - label: The name in reports.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  public init(
    _ elements: [Element] = [], label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    // An edit that does nothing is no change.
    state = Observed(
      ArrayState(elements), label: label, changes: .distinct, maximumDepth: maximumDepth, file: file, line: line)
  }

  /// Edits the array, atomically: no edit of another thread is lost or seen in between.
  ///
  /// ```swift
  /// tasks.edit { $0.append("rest") }
  /// ```
  ///
  /// It is one change and one difference, with all the edits that `body` makes; none if it makes none. As in `update`,
  /// `body` runs again on the newer array if another thread has edited it meanwhile, so it should have no other effect. If
  /// it throws, nothing is written.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - body: Makes the edits.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` throws.
  /// - Complexity: That of `body`, O(log *n*) for each of its edits, and what the handlers do.
  @discardableResult
  public func edit<R, E: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping (inout ArrayEditor<Element>) throws(E) -> R
  ) throws(E) -> R {
    try state.update(isolation: isolation) { state throws(E) in try ArrayState.edit(&state, body) }
  }

  /// Replaces the array as a whole. Observers of the differences receive a reset.
  ///
  /// - Parameters:
  ///   - elements: The new elements.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  public func set(_ elements: [Element], isolation: isolated (any Actor)? = #isolation) {
    state.set(ArrayState(elements), isolation: isolation)
  }

  /// A snapshot of this array for people: label, subscriptions, where they were made, and changes that wait.
  public var diagnostics: Diagnostics { state.diagnostics }
}

/// An array that follows another edit by edit: the result of `map`, `filter` and `sorted(by:)`.
///
/// It is computed lazily, like a `Derived`. The memoized output follows the edits since the last computation. It is computed
/// from the whole input where the edits are not known, after a reset, or when threads that read simultaneously compute
/// independently of each other.
public final class DerivedArray<Element: Sendable>: ArraySource {
  let state: Derived<ArrayState<Element>>
  public var contents: ArrayContents<Element> { ArrayContents(state) }

  init(_ state: Derived<ArrayState<Element>>) { self.state = state }
}
