public import Tidings

/// An array that notifies of differences: an ``ObservedArray``, or what `map`, `filter` and `sorted(by:)` make of one.
///
/// It is a value, whose `value` is the array: it can be read in a `Derived`, observed, streamed. Beside that it has its
/// ``differences``.
public protocol ArraySource<Element>: ValueSource where Value == [Element] {
  /// What is in the array.
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
    _ handler: EventHandler<Change<[Element]>>, tellingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    contents.states.attach(handler, tellingInitial: tellingInitial, isolation: isolation) { change in
      Change(old: change.old?.elements, new: change.new.elements)
    }
  }
  public var reader: ValueReader<[Element]> {
    let states = contents.states.reader
    return ValueReader { states.value.elements }
  }

  /// How many elements there are, as a value.
  ///
  /// ```swift
  /// let count = open.count   // Derived<Int>
  /// ```
  ///
  /// Notified when the number differs, not for each edit.
  ///
  /// - Complexity: O(1) for a change, and what the array itself takes.
  public var count: Derived<Int> {
    let states = contents.states.reader
    return Derived { states.value.elements.count }
  }

  /// Whether there are no elements, as a value.
  public var isEmpty: Derived<Bool> {
    let states = contents.states.reader
    return Derived { states.value.elements.isEmpty }
  }

  /// What changes of the array, as an event of differences.
  ///
  /// ```swift
  /// let following = tasks.differences.observe { difference in difference.apply(to: &mirror) }
  /// ```
  ///
  /// One difference for each change of the value, in order and without a gap: each leads from what the one before has led to. A
  /// transaction is one difference, of all its edits.
  public var differences: ArrayDifferences<Element> { ArrayDifferences(contents: contents) }
}

/// The differences of an array, as an event: see ``ArraySource/differences``.
public struct ArrayDifferences<Element: Sendable>: EventSource {
  let contents: ArrayContents<Element>

  public func attach(_ handler: EventHandler<ArrayDifference<Element>>) -> Subscription {
    attach(handler, tellingInitial: false, isolation: nil)
  }
  private func attach(
    _ handler: EventHandler<ArrayDifference<Element>>, tellingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    contents.states.attach(handler, tellingInitial: tellingInitial, isolation: isolation) { change in
      ArrayDifference(from: change.old, to: change.new)
    }
  }

  /// Calls the handler with the array of this moment as a reset, and then with every difference from that on.
  ///
  /// ```swift
  /// let showing = tasks.differences.observe(.initial) { difference in list.show(difference) }
  /// ```
  ///
  /// None is lost or delivered twice in between. As with any value, the handler runs on its actor.
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
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (ArrayDifference<Element>) -> Void,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(EventHandler(handler, file: file, line: line), tellingInitial: true, isolation: isolation)
  }
}
