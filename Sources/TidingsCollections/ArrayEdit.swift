/// One edit of an array, as it was made. Offsets are those at the time of the edit: edits are applied one after the other.
public enum ArrayEdit<Element: Sendable>: Sendable {
  /// The element is at the offset now, and what was there and behind it one further.
  case insert(Element, at: Int)
  /// The element was at the offset, and what was behind it is there now.
  case remove(Element, at: Int)
  /// `new` is where `old` was.
  case replace(Element, with: Element, at: Int)
  /// The element was taken out at the first offset and put in at the second, counted without it.
  case move(Element, from: Int, to: Int)
}

extension ArrayEdit: Equatable where Element: Equatable {}
extension ArrayEdit: Hashable where Element: Hashable {}

extension ArrayEdit {
  /// Makes the edit in another array that is as this one was.
  ///
  /// - Complexity: That of the operation on an array.
  public func apply(to elements: inout [Element]) {
    switch self {
    case .insert(let element, let offset): elements.insert(element, at: offset)
    case .remove(_, let offset): elements.remove(at: offset)
    case .replace(_, let new, let offset): elements[offset] = new
    case .move(_, let from, let to): elements.insert(elements.remove(at: from), at: to)
    }
  }
}
