// The operations on many elements, whose cost is that of the elements or of the whole.
extension PersistentArray {
  /// Makes a tree of the elements: O(*n*).
  init(_ elements: some Collection<Element>) {
    self = elements.withContiguousStorageIfAvailable(Self.init(buffer:)) ?? Self(array: ContiguousArray(elements))
  }
  private init(array: ContiguousArray<Element>) { self = array.withUnsafeBufferPointer(Self.init(buffer:)) }

  /// Nodes have room, so that the first insertions need not split them.
  private init(buffer: UnsafeBufferPointer<Element>) {
    self.init()
    guard let base = buffer.baseAddress, !buffer.isEmpty else { return }
    var nodes: [Node] = Self.parts(of: buffer.count, atMost: Leaf<Element>.limit * 3 / 4).map { range in
      Leaf(copying: base + range.lowerBound, count: range.count)
    }
    while nodes.count > 1 { nodes = Self.parts(of: nodes.count, atMost: 12).map { Branch(nodes[$0]) } }
    self.init(root: nodes[0])
  }
  /// Divides a number of things into parts of about one size.
  private static func parts(of count: Int, atMost size: Int) -> [Range<Int>] {
    let parts = (count + size - 1) / size
    return (0..<parts).map { $0 * count / parts..<($0 + 1) * count / parts }
  }

  /// Calls the closure with the elements of each leaf, in order.
  func forEachLeaf(_ body: (UnsafeBufferPointer<Element>) -> Void) {
    var offset = 0
    while offset < count {
      let leaf = root.unsafelyUnwrapped.leaf(of: offset).leaf
      leaf._withUnsafeGuaranteedRef { leaf in
        body(UnsafeBufferPointer(start: unsafeDowncast(leaf, to: Leaf<Element>.self).elements, count: leaf.count))
        offset += leaf.count
      }
    }
  }

  /// The elements as an array: O(*n*).
  var array: [Element] {
    Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      forEachLeaf { leaf in
        (buffer.baseAddress! + initialized).initialize(from: leaf.baseAddress!, count: leaf.count)
        initialized += leaf.count
      }
    }
  }

  /// The results of a closure for each element: O(*n*).
  func map<Output>(_ transform: (Element) -> Output) -> PersistentArray<Output> {
    var output = ContiguousArray<Output>()
    output.reserveCapacity(count)
    forEachLeaf { for element in $0 { output.append(transform(element)) } }
    return PersistentArray<Output>(output)
  }

  /// Replaces elements one by one, or makes a new tree where that takes less time.
  mutating func replaceSubrange(_ range: Range<Int>, with new: [Element]) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Index out of range")
    if isWorthRebuilding(after: range.count + new.count) {
      var all = array
      all.replaceSubrange(range, with: new)
      self = Self(all)
    } else {
      for offset in range.reversed() { remove(at: offset) }
      for (index, element) in new.enumerated() { insert(element, at: range.lowerBound + index) }
    }
  }

  /// Removes the elements at ascending offsets.
  mutating func remove(at offsets: [Int]) {
    if isWorthRebuilding(after: offsets.count) {
      var all = array
      all.removeSubranges(RangeSet(offsets, within: all))
      self = Self(all)
    } else {
      for offset in offsets.reversed() { remove(at: offset) }
    }
  }
  private func isWorthRebuilding(after edits: Int) -> Bool { edits > 16 && edits > count / 16 }
}
