/// An array of which old copies stay as they are while a new one is edited: a tree of leaves by position.
///
/// A copy takes constant time. An edit takes O(log *n*), and shares all but one path of nodes with the other copies.
struct PersistentArray<Element> {
  /// Nil if there are no elements.
  private(set) var root: Node?

  init() {}
  init(root: Node?) { self.root = root }

  var count: Int { root?.count ?? 0 }
  var isEmpty: Bool { root == nil }

  subscript(offset: Int) -> Element {
    @inline(__always) get {
      precondition(offset >= 0 && offset < count, "Index out of range")
      let (leaf, offset) = root.unsafelyUnwrapped.leaf(of: offset)
      return leaf._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Leaf<Element>.self).elements[offset] }
    }
    set { replace(at: offset, with: newValue) }
  }
  @inline(__always)
  mutating func replace(at offset: Int, with element: Element) {
    precondition(offset >= 0 && offset < count, "Index out of range")
    own()
    withUnsafePointer(to: element) { root.unsafelyUnwrapped.replace(at: offset, copying: $0) }
  }

  mutating func append(_ element: Element) { insert(element, at: count) }

  @inline(__always)
  mutating func insert(_ element: Element, at offset: Int) {
    precondition(offset >= 0 && offset <= count, "Index out of range")
    if root == nil {
      root = Leaf(element)
      return
    }
    own()
    let node = root.unsafelyUnwrapped
    let next = withUnsafePointer(to: element) { node.insert(at: offset, isLast: true, copying: $0) }
    if let next { root = Branch([node, next]) }
  }

  @inline(__always) @discardableResult
  mutating func remove(at offset: Int) -> Element {
    let element = self[offset]
    own()
    let node = root.unsafelyUnwrapped
    node.remove(at: offset)
    if node.count == 0 {
      root = nil
    } else {
      while let node = root, node.level > 0, let child = unsafeDowncast(node, to: Branch.self).onlyChild {
        root = child
      }
    }
    return element
  }

  /// Makes this copy the only owner of the root.
  @inline(__always)
  private mutating func own() {
    if !isKnownUniquelyReferenced(&root) { root = root?.copy() }
  }
}

extension PersistentArray: Sendable where Element: Sendable {}
