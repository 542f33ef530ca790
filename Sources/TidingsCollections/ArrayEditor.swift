/// The array in ``ObservedArray/edit(isolation:_:)``: every mutation of a collection is recorded as an edit.
///
/// ```swift
/// tasks.edit { tasks in
///   tasks.append("write")
///   tasks[0] += "!"
///   tasks.move(from: 2, to: 0)
///   tasks.removeAll { $0.isEmpty }
/// }
/// ```
///
/// Assigning another editor replaces the array as a whole, as `tasks = tasks.filter { … }` and `removeAll()` do. Observers
/// of the differences receive a reset.
public struct ArrayEditor<Element: Sendable>: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  private(set) var elements: [Element]
  private(set) var recording: Recording<ArrayEdit<Element>>

  /// Makes an empty editor, which edits no array: a requirement of `RangeReplaceableCollection`.
  public init() { self.init([], Recording()) }
  init(_ elements: [Element], _ recording: Recording<ArrayEdit<Element>>) {
    (self.elements, self.recording) = (elements, recording)
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }

  /// An element. Setting it is one edit, a replacement.
  public subscript(index: Int) -> Element {
    get { elements[index] }
    set {
      recording.append(.replace(elements[index], with: newValue, at: index))
      elements[index] = newValue
    }
  }

  /// A range of elements. Setting it is a replacement for each element; if the number of elements differs, all are removed
  /// and inserted.
  public subscript(bounds: Range<Int>) -> ArraySlice<Element> {
    get { elements[bounds] }
    set {
      if newValue.count == bounds.count {
        for (index, element) in zip(bounds, newValue) { self[index] = element }
      } else {
        replaceSubrange(bounds, with: newValue)
      }
    }
  }

  /// Replaces a range of elements: a removal for each old element, from the end, and an insertion for each new one.
  ///
  /// Every other insertion and removal calls this.
  ///
  /// - Parameters:
  ///   - range: The elements to remove.
  ///   - new: The elements to insert.
  public mutating func replaceSubrange(_ range: Range<Int>, with new: some Collection<Element>) {
    // A lazy collection may give other elements each time.
    let new = Array(new)
    for index in range.reversed() { recording.append(.remove(elements[index], at: index)) }
    for (offset, element) in new.enumerated() { recording.append(.insert(element, at: range.lowerBound + offset)) }
    elements.replaceSubrange(range, with: new)
  }

  /// Removes the elements that satisfy the predicate: a removal for each, from the end.
  ///
  /// - Parameter isRemoved: Returns true for an element to remove.
  /// - Throws: What the predicate throws.
  public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    let removed = try indices.filter { try isRemoved(elements[$0]) }
    for index in removed.reversed() { recording.append(.remove(elements[index], at: index)) }
    elements.removeSubranges(RangeSet(removed, within: elements))
  }

  /// Moves an element to another index, counted after its removal: one edit.
  ///
  /// - Parameters:
  ///   - from: The index of the element.
  ///   - to: Its index after the move.
  public mutating func move(from: Int, to: Int) {
    if from == to { return }
    let element = elements.remove(at: from)
    elements.insert(element, at: to)
    recording.append(.move(element, from: from, to: to))
  }

  /// Exchanges two elements: two replacements.
  ///
  /// - Parameters:
  ///   - one: The index of one element.
  ///   - other: The index of the other.
  public mutating func swapAt(_ one: Int, _ other: Int) {
    if one == other { return }
    let (first, second) = (elements[one], elements[other])
    self[one] = second
    self[other] = first
  }
}

extension ArrayEditor: CollectionEditor {}
