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
public struct ArrayEditor<Element: Sendable>: RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
  Sendable
{
  public typealias Index = Int
  public typealias Indices = Range<Int>
  public typealias SubSequence = Slice<ArrayEditor>
  public typealias Iterator = ArraySnapshot<Element>.Iterator

  var tree: PersistentArray<Element>
  var recording: Recording

  /// Makes an empty editor, which edits no array: a requirement of `RangeReplaceableCollection`.
  public init() { self.init(PersistentArray(), Recording()) }
  init(_ tree: PersistentArray<Element>, _ recording: Recording) {
    (self.tree, self.recording) = (tree, recording)
  }

  /// The elements as they are now, in O(1): later edits leave it as it is.
  public var snapshot: ArraySnapshot<Element> { ArraySnapshot(tree) }
  public func makeIterator() -> Iterator { snapshot.makeIterator() }

  public var startIndex: Int { 0 }
  public var endIndex: Int { tree.count }

  /// An element. Setting it is one edit, a replacement.
  ///
  /// - Complexity: O(log *n*).
  public subscript(index: Int) -> Element {
    get { tree[index] }
    set { replace(index, with: newValue) }
  }
  /// A range of elements. Setting it is a replacement for each element; if the number of elements differs, all are removed
  /// and inserted.
  ///
  /// - Complexity: O(1) to read.
  public subscript(bounds: Range<Int>) -> Slice<ArrayEditor> {
    get { Slice(base: self, bounds: bounds) }
    set { replace(bounds, with: newValue) }
  }
  /// A range of elements as a slice of an array, for code that names this type.
  ///
  /// - Complexity: O(*n*) to read.
  @_disfavoredOverload
  public subscript(bounds: Range<Int>) -> ArraySlice<Element> {
    get { tree.array[bounds] }
    set { replace(bounds, with: newValue) }
  }
  private mutating func replace(_ bounds: Range<Int>, with new: some RandomAccessCollection<Element>) {
    if new.count == bounds.count {
      for (index, element) in zip(bounds, new) { self[index] = element }
    } else {
      replaceSubrange(bounds, with: new)
    }
  }

  /// Replaces a range of elements: a removal for each old element, from the end, and an insertion for each new one.
  ///
  /// - Parameters:
  ///   - range: The elements to remove.
  ///   - new: The elements to insert.
  /// - Complexity: O(log *n*) for each edit, at most O(*n*) for all.
  public mutating func replaceSubrange(_ range: Range<Int>, with new: some Collection<Element>) {
    // A lazy collection may give other elements each time.
    let new = Array(new)
    for index in range.reversed() { record(.init(kind: .remove, offset: index), tree[index]) }
    for (offset, element) in new.enumerated() {
      record(.init(kind: .insert, offset: range.lowerBound + offset), element)
    }
    tree.replaceSubrange(range, with: new)
  }

  /// Appends an element: one edit.
  ///
  /// - Parameter element: The element.
  /// - Complexity: O(log *n*).
  public mutating func append(_ element: Element) { insert(element, at: tree.count) }

  /// Appends elements: one edit for each.
  ///
  /// - Parameter elements: The elements.
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    replaceSubrange(tree.count..<tree.count, with: Array(elements))
  }

  /// Inserts an element: one edit.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - index: Its index after the insertion.
  /// - Complexity: O(log *n*).
  public mutating func insert(_ element: Element, at index: Int) { insertInPlace(element, at: index) }

  /// Removes an element: one edit.
  ///
  /// - Parameter index: The index of the element.
  /// - Returns: The element.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove(at index: Int) -> Element { removeInPlace(at: index) }

  /// Removes the elements that satisfy the predicate: a removal for each, from the end.
  ///
  /// - Parameter isRemoved: Returns true for an element to remove.
  /// - Throws: What the predicate throws.
  public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    var removed: [Int] = []
    for (index, element) in snapshot.enumerated() where try isRemoved(element) { removed.append(index) }
    for index in removed.reversed() { record(.init(kind: .remove, offset: index), tree[index]) }
    tree.remove(at: removed)
  }

  /// Moves an element to another index, counted after its removal: one edit.
  ///
  /// - Parameters:
  ///   - from: The index of the element.
  ///   - to: Its index after the move.
  /// - Complexity: O(log *n*).
  public mutating func move(from: Int, to: Int) { moveInPlace(from: from, to: to) }

  /// Exchanges two elements: two replacements.
  ///
  /// - Parameters:
  ///   - one: The index of one element.
  ///   - other: The index of the other.
  /// - Complexity: O(log *n*).
  public mutating func swapAt(_ one: Int, _ other: Int) {
    if one == other { return }
    let (first, second) = (tree[one], tree[other])
    self[one] = second
    self[other] = first
  }
}
