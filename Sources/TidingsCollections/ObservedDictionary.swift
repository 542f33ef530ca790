public import Tidings

/// A dictionary that notifies of the keys that were edited.
///
/// ```swift
/// let prices = ObservedDictionary(["MSFT": 39.81])
/// let following = prices.differences.observe { difference in difference.apply(to: &mirror) }
/// prices.set(200, for: "AAPL")
/// prices.edit { prices in
///   prices["MSFT"] = nil
///   prices["AMZN", default: 0] += 70
/// }
/// ```
///
/// Differences are the recorded edits, and are not found by comparing; `mapValues` and `filter` follow it key by key. It is
/// a value, like an ``ObservedArray``, with the same behavior on threads and in transactions.
///
/// - Complexity: An edit costs O(log *n*): the dictionary before it stays readable, and shares with the new one all storage but
///   what the edit changes. `value` is made for the first reader of each state of the dictionary, in O(*n*);
///   ``DictionarySource/snapshot`` is made in O(1).
public final class ObservedDictionary<Key: Hashable & Sendable, Element: Sendable>: DictionarySource {
  let state: Observed<DictionaryState<Key, Element>>
  public var contents: DictionaryContents<Key, Element> { DictionaryContents(state) }

  /// Makes a dictionary.
  ///
  /// - Parameters:
  ///   - elements: The initial elements.
  ///   - label: The name in reports.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  public init(
    _ elements: [Key: Element] = [:], label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    // An edit that does nothing is no change.
    state = Observed(
      DictionaryState(elements), label: label, changes: .distinct, maximumDepth: maximumDepth, file: file, line: line)
  }

  /// Edits the dictionary, atomically: no edit of another thread is lost or seen in between.
  ///
  /// It is one change and one difference, with all the edits that `body` makes; none if it makes none. As in `update`,
  /// `body` runs again on the newer dictionary if another thread has edited it meanwhile, so it should have no other effect.
  /// If it throws, nothing is written.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - body: Makes the edits.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` throws.
  /// - Complexity: That of `body`, O(log *n*) for each of its edits, and what the handlers do.
  @discardableResult
  public func edit<R, E: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (inout DictionaryEditor<Key, Element>) throws(E) -> R
  ) throws(E) -> R {
    try state.update(isolation: isolation) { state throws(E) in try DictionaryState.edit(&state, body) }
  }

  /// The element for a key. A read in the closure of a `Derived` makes the whole dictionary a dependency.
  ///
  /// - Parameter key: The key.
  /// - Complexity: O(log *n*) on average.
  public subscript(key: Key) -> Element? {
    get { state.value.tree[key] }
    @available(*, unavailable, message: "use set(_:for:), or edit { … } to change it in place")
    set { fatalError("use set(_:for:)") }
  }

  /// Sets the element for a key, or removes it if the element is nil: one edit.
  ///
  /// - Parameters:
  ///   - element: The element, or nil.
  ///   - key: The key.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Complexity: O(log *n*) on average, and what the handlers do.
  public func set(_ element: Element?, for key: Key, isolation: isolated (any Actor)? = #isolation) {
    edit(isolation: isolation) { $0[key] = element }
  }

  /// Removes the element for a key: one edit, or none if there is no element.
  ///
  /// ```swift
  /// let last = prices.remove("MSFT")
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Returns: The element that was removed.
  /// - Complexity: O(log *n*) on average, and what the handlers do.
  @discardableResult
  public func remove(_ key: Key, isolation: isolated (any Actor)? = #isolation) -> Element? {
    edit(isolation: isolation) { $0.removeValue(forKey: key) }
  }

  /// Removes all elements. Observers of the differences receive a reset; an empty dictionary does not change.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  public func removeAll(isolation: isolated (any Actor)? = #isolation) {
    edit(isolation: isolation) { $0.removeAll() }
  }

  /// Removes the keys whose elements satisfy the predicate: one edit for each.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - isRemoved: Returns true for a key and element to remove.
  public func removeAll(
    isolation: isolated (any Actor)? = #isolation, where isRemoved: @escaping (Key, Element) -> Bool
  ) {
    edit(isolation: isolation) { $0.removeAll(where: isRemoved) }
  }

  /// Replaces the dictionary as a whole. Observers of the differences receive a reset.
  ///
  /// - Parameters:
  ///   - elements: The new elements.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  public func set(_ elements: [Key: Element], isolation: isolated (any Actor)? = #isolation) {
    state.set(DictionaryState(elements), isolation: isolation)
  }

  /// A snapshot of this dictionary for people: label, subscriptions, where they were made, and changes that wait.
  public var diagnostics: Diagnostics { state.diagnostics }
}

/// A dictionary that follows another key by key: the result of `mapValues` and `filter`.
///
/// It is computed lazily, like a ``DerivedArray``.
public final class DerivedDictionary<Key: Hashable & Sendable, Element: Sendable>: DictionarySource {
  let state: Derived<DictionaryState<Key, Element>>
  public var contents: DictionaryContents<Key, Element> { DictionaryContents(state) }

  init(_ state: Derived<DictionaryState<Key, Element>>) { self.state = state }
}
