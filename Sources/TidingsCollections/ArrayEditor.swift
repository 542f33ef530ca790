/// The array in ``ObservedArray/edit(isolation:_:)``: any mutation of a collection, each noted as an edit.
///
/// ```swift
/// tasks.edit { tasks in
///   tasks.append("write")
///   tasks[0] += "!"
///   tasks.move(from: 2, to: 0)
///   tasks.removeAll { $0.isEmpty }
/// }
/// ```
public struct ArrayEditor<Element: Sendable>: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  private(set) var elements: [Element] = []
  private(set) var edits: [ArrayEdit<Element>] = []

  /// An empty one, which edits nothing: a requirement of `RangeReplaceableCollection`.
  public init() {}
  init(_ elements: [Element]) { self.elements = elements }

  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }

  /// Setting an element is one edit, a replacement.
  public subscript(index: Int) -> Element {
    get { elements[index] }
    set {
      edits.append(.replace(elements[index], with: newValue, at: index))
      elements[index] = newValue
    }
  }

  /// What every other insertion and removal is made of: a removal for each element that goes, from the end, and an insertion for
  /// each that comes.
  public mutating func replaceSubrange(_ range: Range<Int>, with new: some Collection<Element>) {
    for index in range.reversed() { edits.append(.remove(elements[index], at: index)) }
    for (offset, element) in new.enumerated() { edits.append(.insert(element, at: range.lowerBound + offset)) }
    elements.replaceSubrange(range, with: new)
  }

  /// Takes the element out at one index and puts it in at another, counted without it: one edit.
  public mutating func move(from: Int, to: Int) {
    if from == to { return }
    let element = elements.remove(at: from)
    elements.insert(element, at: to)
    edits.append(.move(element, from: from, to: to))
  }

  /// Exchanges two elements: two replacements.
  public mutating func swapAt(_ one: Int, _ other: Int) {
    if one == other { return }
    let (first, second) = (elements[one], elements[other])
    self[one] = second
    self[other] = first
  }
}
