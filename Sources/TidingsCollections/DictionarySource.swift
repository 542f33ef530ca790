public import Tidings

/// A dictionary that notifies of differences: an ``ObservedDictionary``, or the result of `mapValues` or `filter` of one.
public protocol DictionarySource<Key, Element>: ValueSource where Value == [Key: Element] {
  /// The type of the keys.
  associatedtype Key: Hashable & Sendable
  /// The type of the elements.
  associatedtype Element: Sendable

  /// The dictionary with its edits.
  var contents: DictionaryContents<Key, Element> { get }
}

/// A dictionary with its edits, for the operators of this module.
public struct DictionaryContents<Key: Hashable & Sendable, Element: Sendable>: Sendable {
  let states: any ValueSource<DictionaryState<Key, Element>>
  init(_ states: any ValueSource<DictionaryState<Key, Element>>) { self.states = states }
}

extension DictionarySource {
  public var value: [Key: Element] { contents.states.value.elements }
  public func attach(
    _ handler: EventHandler<Change<[Key: Element]>>, sendingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    contents.states.attach(handler, sendingInitial: sendingInitial, isolation: isolation) { change in
      Change(old: change.old?.elements, new: change.new.elements)
    }
  }
  public var reader: ValueReader<[Key: Element]> {
    let states = contents.states.reader
    return ValueReader { states.value.elements }
  }

  /// The dictionary as it is now, sharing its storage with later ones.
  ///
  /// It has the elements of `value`, which is made of it for the first reader of each state. Later edits leave it as it is.
  ///
  /// - Complexity: O(1), and what the dictionary itself costs.
  public var snapshot: DictionarySnapshot<Key, Element> { contents.states.value.snapshot }

  /// The number of elements, as a value that notifies when the number differs.
  ///
  /// - Complexity: O(1) for a change, and what the dictionary itself costs.
  public var count: Derived<Int> { contents.states.reader.count }

  /// Whether the dictionary is empty, as a value.
  public var isEmpty: Derived<Bool> { contents.states.reader.isEmpty }

  /// The changes of the dictionary, as an event of differences.
  ///
  /// ```swift
  /// let following = prices.differences.observe { difference in difference.apply(to: &mirror) }
  /// ```
  ///
  /// There is one difference for each change of the value, in order and without a gap. A transaction is one difference.
  public var differences: DictionaryDifferences<Key, Element> { DictionaryDifferences(contents: contents) }

  /// The element for one key, as a value. It notifies when the key is set or, if the element is `Equatable`, when it
  /// differs.
  ///
  /// ```swift
  /// let apple = prices.element(for: "AAPL")   // Derived<Double?>
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The derived value, nil while the key has no element.
  /// - Complexity: A change of the dictionary costs one look-up for each such value that is read or observed.
  public func element(
    for key: Key, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Element?> {
    let states = contents.states.reader
    return Derived(nil, file: file, line: line) { states.value.tree[key] }
  }

  /// The results of `transform` for each element, with the same keys.
  ///
  /// - Parameters:
  ///   - transform: Runs once for each element that is set, on any thread. Only reads. If it reads values, the result
  ///     follows these too.
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: A dictionary that follows this one.
  /// - Complexity: A change costs a call of `transform` and O(log *n*) for each edit.
  public func mapValues<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Output, file: StaticString = #fileID, line: UInt = #line
  ) -> DerivedDictionary<Key, Output> {
    derived(file, line, isFilter: false) { _, element in transform(element) }
  }

  /// The elements for which `isIncluded` returns true, with their keys.
  ///
  /// - Parameters:
  ///   - isIncluded: Runs once for each element that is set, on any thread. Only reads. If it reads values, the result
  ///     follows these too.
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: A dictionary that follows this one.
  /// - Complexity: A change costs a call of `isIncluded` and O(log *n*) for each edit.
  public func filter(
    _ isIncluded: @escaping @Sendable (Key, Element) -> Bool, file: StaticString = #fileID, line: UInt = #line
  ) -> DerivedDictionary<Key, Element> {
    derived(file, line, isFilter: true) { key, element in isIncluded(key, element) ? element : nil }
  }

  private func derived<Output: Sendable>(
    _ file: StaticString, _ line: UInt, isFilter: Bool, _ transform: @escaping @Sendable (Key, Element) -> Output?
  ) -> DerivedDictionary<Key, Output> {
    let (input, memo) = (
      contents.states.reader, StageMemo()
    )
    return DerivedDictionary(
      Derived(nil, file: file, line: line) {
        let input = input.value
        return memo.next(input.log, restart: { DictionaryStage(input, isFilter: isFilter, transform) }) { stage in
          unsafeDowncast(stage, to: DictionaryStage<Key, Element, Output>.self).output
        }
      })
  }
}
