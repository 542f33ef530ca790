public import Tidings

/// A dictionary that notifies of differences: an ``ObservedDictionary``, or what `mapValues` and `filter` make of one.
public protocol DictionarySource<Key, Element>: ValueSource where Value == [Key: Element] {
  associatedtype Key: Hashable & Sendable
  /// What is under a key.
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
    _ handler: EventHandler<Change<[Key: Element]>>, tellingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    contents.states.attach(handler, tellingInitial: tellingInitial, isolation: isolation) { change in
      Change(old: change.old?.elements, new: change.new.elements)
    }
  }
  public var reader: ValueReader<[Key: Element]> {
    let states = contents.states.reader
    return ValueReader { states.value.elements }
  }

  /// How many elements there are, as a value: notified when the number differs.
  ///
  /// - Complexity: O(1) for a change, and what the dictionary itself takes.
  public var count: Derived<Int> {
    let states = contents.states.reader
    return Derived { states.value.elements.count }
  }

  /// Whether there are no elements, as a value.
  public var isEmpty: Derived<Bool> {
    let states = contents.states.reader
    return Derived { states.value.elements.isEmpty }
  }

  /// What changes of the dictionary, as an event of differences.
  ///
  /// ```swift
  /// let following = prices.differences.observe { difference in difference.apply(to: &mirror) }
  /// ```
  ///
  /// One difference for each change of the value, in order and without a gap. A transaction is one difference.
  public var differences: DictionaryDifferences<Key, Element> { DictionaryDifferences(contents: contents) }

  /// What is under one key, as a value: notified when something is set there, or when it differs if it can be compared.
  ///
  /// ```swift
  /// let apple = prices.element(for: "AAPL")   // Derived<Double?>
  /// ```
  ///
  /// - Complexity: a change of the dictionary costs a look-up for each such value that is looked at.
  public func element(
    for key: Key, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Element?> {
    let states = contents.states.reader
    return Derived(nil, file: file, line: line) { states.value.elements[key] }
  }

  /// What `transform` makes of each element, under the same keys.
  ///
  /// - Parameters:
  ///   - transform: Runs once for each element that is set, on any thread; only reads. What values it reads are no dependencies.
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: A dictionary that follows this one.
  /// - Complexity: a change costs a call of `transform` for each edit, and a copy of the storage.
  public func mapValues<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Output, file: StaticString = #fileID, line: UInt = #line
  ) -> DerivedDictionary<Key, Output> {
    derived(file, line) { _, element in transform(element) }
  }

  /// The elements that `isIncluded` keeps, under their keys.
  ///
  /// - Parameters:
  ///   - isIncluded: Runs once for each element that is set, on any thread; only reads. What values it reads are no dependencies.
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: A dictionary that follows this one.
  /// - Complexity: a change costs a call of `isIncluded` for each edit, and a copy of the storage, if the result has changed.
  public func filter(
    _ isIncluded: @escaping @Sendable (Key, Element) -> Bool, file: StaticString = #fileID, line: UInt = #line
  ) -> DerivedDictionary<Key, Element> {
    derived(file, line) { key, element in isIncluded(key, element) ? element : nil }
  }

  private func derived<Output: Sendable>(
    _ file: StaticString, _ line: UInt, _ transform: @escaping @Sendable (Key, Element) -> Output?
  ) -> DerivedDictionary<Key, Output> {
    let (input, memo) = (contents.states.reader, StageMemo<DictionaryState<Key, Output>>())
    return DerivedDictionary(
      Derived(nil, file: file, line: line) {
        let input = input.value
        return untracked {
          memo.next(
            input.log,
            resume: { output, edits in
              output.edit { output in
                for edit in edits { output[edit.key] = edit.new.flatMap { transform(edit.key, $0) } }
              }
              return true
            },
            restart: {
              var output: [Key: Output] = [:]
              for (key, element) in input.elements { output[key] = transform(key, element) }
              return DictionaryState(output)
            })
        }
      })
  }
}

/// The differences of a dictionary, as an event: see ``DictionarySource/differences``.
public struct DictionaryDifferences<Key: Hashable & Sendable, Element: Sendable>: EventSource {
  let contents: DictionaryContents<Key, Element>

  public func attach(_ handler: EventHandler<DictionaryDifference<Key, Element>>) -> Subscription {
    attach(handler, tellingInitial: false, isolation: nil)
  }
  private func attach(
    _ handler: EventHandler<DictionaryDifference<Key, Element>>, tellingInitial: Bool,
    isolation: isolated (any Actor)?
  ) -> Subscription {
    contents.states.attach(handler, tellingInitial: tellingInitial, isolation: isolation) { change in
      DictionaryDifference(from: change.old, to: change.new)
    }
  }

  /// Calls the handler with the dictionary of this moment as a reset, and then with every difference from that on.
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - handler: Receives the differences.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription that keeps the handler.
  public func observe(
    _ option: ObserveOption,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (DictionaryDifference<Key, Element>) -> Void,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(EventHandler(handler, file: file, line: line), tellingInitial: true, isolation: isolation)
  }
}
