/// One edit of an array, as it was made. Offsets are those at the time of the edit: edits are applied one after the other.
public enum ArrayEdit<Element: Sendable>: Sendable {
  /// The element was inserted at the offset; the elements from there on moved up by one.
  case insert(Element, at: Int)
  /// The element was removed from the offset; the elements after it moved down by one.
  case remove(Element, at: Int)
  /// `new` replaced `old` at the offset.
  case replace(Element, with: Element, at: Int)
  /// The element was removed from the first offset and inserted at the second, counted after its removal.
  case move(Element, from: Int, to: Int)
}

extension ArrayEdit: Equatable where Element: Equatable {}
extension ArrayEdit: Hashable where Element: Hashable {}

extension ArrayEdit {
  /// Applies the edit to another array, which must be equal to this one before the edit.
  ///
  /// - Parameter elements: The other array.
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
