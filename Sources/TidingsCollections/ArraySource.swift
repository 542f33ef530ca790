public import Tidings

/// An array that notifies of differences: an ``ObservedArray``, or the result of `map`, `filter` or `sorted(by:)` of one.
///
/// It is a value source whose `value` is the array: it can be read in a `Derived`, observed and streamed. In addition it has
/// its ``differences``.
public protocol ArraySource<Element>: ValueSource where Value == [Element] {
  /// The type of the elements.
  associatedtype Element: Sendable

  /// The array with its edits.
  var contents: ArrayContents<Element> { get }
}

/// An array with its edits, for the operators of this module.
public struct ArrayContents<Element: Sendable>: Sendable {
  let states: any ValueSource<ArrayState<Element>>
  init(_ states: any ValueSource<ArrayState<Element>>) { self.states = states }
}

extension ArraySource {
  public var value: [Element] { contents.states.value.elements }
  public func attach(
    _ handler: EventHandler<Change<[Element]>>, sendingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    contents.states.attach(handler, sendingInitial: sendingInitial, isolation: isolation) { change in
      Change(old: change.old?.elements, new: change.new.elements)
    }
  }
  public var reader: ValueReader<[Element]> {
    let states = contents.states.reader
    return ValueReader { states.value.elements }
  }

  /// The array as it is now, as a collection that shares its storage with later ones.
  ///
  /// ```swift
  /// for task in tasks.snapshot.prefix(20) { show(task) }
  /// ```
  ///
  /// It has the elements of `value`, which is made of it for the first reader of each state. Later edits leave it as it is.
  ///
  /// - Complexity: O(1), and what the array itself costs.
  public var snapshot: ArraySnapshot<Element> { ArraySnapshot(contents.states.value.tree) }

  /// The number of elements, as a value.
  ///
  /// ```swift
  /// let count = open.count   // Derived<Int>
  /// ```
  ///
  /// It notifies when the number differs, not for each edit.
  ///
  /// - Complexity: O(1) for a change, and what the array itself costs.
  public var count: Derived<Int> { contents.states.reader.count }

  /// Whether the array is empty, as a value.
  public var isEmpty: Derived<Bool> { contents.states.reader.isEmpty }

  /// The changes of the array, as an event of differences.
  ///
  /// ```swift
  /// let following = tasks.differences.observe { difference in difference.apply(to: &mirror) }
  /// ```
  ///
  /// There is one difference for each change of the value, in order and without a gap: each begins where the one before
  /// ended. A transaction is one difference, with all its edits.
  public var differences: ArrayDifferences<Element> { ArrayDifferences(contents: contents) }
}
