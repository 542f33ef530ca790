public import Tidings

/// An array that notifies of what was edited: for lists and tables that are not to be loaded anew.
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
/// Differences are what was done, and not found by comparing. `map`, `filter` and `sorted(by:)` give arrays that follow it edit
/// by edit: their closures run for the elements that were edited and no others.
///
/// It is a value, as an `Observed<[Element]>` is: readable from any thread and in a `Derived`, with `observe`, streams and an
/// unbroken chain of changes. In a ``/Tidings/transaction(isolation:_:)`` its edits appear together with all other writes, and are
/// one difference; they are applied again to a newer array if another thread has edited it meanwhile.
///
/// - Complexity: an edit is O(*n*) in memory traffic, as the array before it stays readable: its storage is copied, once an
///   `edit` however many edits it makes. No element is compared, and no closure runs for one that was not edited.
public final class ObservedArray<Element: Sendable>: ArraySource {
  let state: Observed<ArrayState<Element>>
  public var contents: ArrayContents<Element> { ArrayContents(state) }

  /// - Parameters:
  ///   - elements: What is in it first.
  ///   - label: The name in reports.
  ///   - maximumDepth: How deep handlers may cause each other before it counts as a cycle and is rejected with a report.
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
  /// One change and one difference, of all the edits that `body` makes; none if it makes none. As in `update`, `body` runs
  /// again on the newer array if another thread has edited it meanwhile, so it does nothing else. If it throws, nothing is written.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - body: Makes the edits.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` throws.
  /// - Complexity: O(*n*) for one copy of the storage, that of `body`, and what the handlers do.
  @discardableResult
  public func edit<R, E: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping (inout ArrayEditor<Element>) throws(E) -> R
  ) throws(E) -> R {
    try state.update(isolation: isolation) { state throws(E) in try state.edit(body) }
  }

  /// Replaces the array altogether: a reset to whoever follows the edits.
  ///
  /// - Parameters:
  ///   - elements: What is in it from now on.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  public func set(_ elements: [Element], isolation: isolated (any Actor)? = #isolation) {
    state.set(ArrayState(elements), isolation: isolation)
  }

  /// Adds an element at the end.
  public func append(_ element: Element, isolation: isolated (any Actor)? = #isolation) {
    edit(isolation: isolation) { $0.append(element) }
  }

  /// Removes all elements that satisfy the predicate, and no others: an edit for each.
  public func removeAll(
    isolation: isolated (any Actor)? = #isolation, where isRemoved: @escaping (Element) -> Bool
  ) {
    edit(isolation: isolation) { elements in
      for index in elements.indices.reversed() where isRemoved(elements[index]) { elements.remove(at: index) }
    }
  }

  /// What this array looks like now: label, subscriptions and where they were made, changes that wait.
  public var diagnosis: Diagnosis { state.diagnosis }
}

/// An array that follows another edit by edit: what `map`, `filter` and `sorted(by:)` give.
///
/// It is computed when somebody looks, as a `Derived` is. What was computed follows the edits since; where those are not known, after
/// a reset, or when threads that read at the same moment compute beside each other, it is computed from the whole.
public final class DerivedArray<Element: Sendable>: ArraySource {
  let state: Derived<ArrayState<Element>>
  public var contents: ArrayContents<Element> { ArrayContents(state) }

  init(_ state: Derived<ArrayState<Element>>) { self.state = state }
}
