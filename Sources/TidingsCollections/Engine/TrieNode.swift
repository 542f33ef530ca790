/// A node of a tree of keys by their hash values: a bucket with keys and elements, or a branch with nodes of the level below.
///
/// Trees share nodes as those of arrays do: see `Node`. A level takes five bits of the hash value.
class TrieNode: @unchecked Sendable {  // changed only through its only reference, which one thread has
  /// The number of keys below.
  final var count: Int
  init(count: Int) { self.count = count }

  func copy() -> TrieNode { fatalError("overridden") }

  /// Sets the element for a key.
  ///
  /// - Parameter bucket: Makes a bucket with the item.
  /// - Returns: The node that takes the place of this one, or this one.
  func set(_ item: TrieItem, _ shift: UInt, _ bucket: () -> TrieNode) -> TrieNode { fatalError("overridden") }

  /// Removes a key, which is there.
  ///
  /// - Returns: The node that takes the place of this one, or this one.
  func remove(_ item: TrieItem, _ shift: UInt) -> TrieNode { fatalError("overridden") }

  /// Adds copies of the items of another bucket to this bucket, which has none of their keys.
  func absorb(_ other: TrieNode) { fatalError("overridden") }

  /// The bucket that has a hash value, if there is one.
  @inline(__always)
  final func bucket(_ hash: UInt) -> Unmanaged<TrieNode>? {
    var (node, left) = (Unmanaged.passUnretained(self), hash)
    while let branch = node._withUnsafeGuaranteedRef({ $0 as? TrieBranch }) {
      guard let child = branch.child(left) else { return nil }
      (node, left) = (child, left >> TrieBranch.bits)
    }
    return node
  }
}

/// A key and an element by their addresses, and the hash value of the key.
struct TrieItem {
  let hash: UInt
  let key: UnsafeRawPointer
  /// Nil where it means nothing.
  var element: UnsafeRawPointer?
}

/// A node with up to 32 children, in the order of their five bits.
final class TrieBranch: TrieNode, @unchecked Sendable {  // as `TrieNode`
  static var bits: UInt { 5 }
  /// Which children there are.
  private var map: UInt32
  private(set) var children: ContiguousArray<TrieNode>

  init() {
    (map, children) = (0, [])
    super.init(count: 0)
  }
  private init(_ other: TrieBranch) {
    (map, children) = (other.map, other.children)
    super.init(count: other.count)
  }
  override func copy() -> TrieNode { TrieBranch(self) }

  private func place(_ hash: UInt) -> (index: Int, bit: UInt32) {
    let bit: UInt32 = 1 << UInt32(hash & 31)
    return ((map & (bit - 1)).nonzeroBitCount, bit)
  }
  func child(_ hash: UInt) -> Unmanaged<TrieNode>? {
    let (index, bit) = place(hash)
    return map & bit == 0 ? nil : Unmanaged.passUnretained(children[index])
  }
  private func ownChild(_ index: Int) -> TrieNode {
    if !isKnownUniquelyReferenced(&children[index]) { children[index] = children[index].copy() }
    return children[index]
  }

  override func set(_ item: TrieItem, _ shift: UInt, _ bucket: () -> TrieNode) -> TrieNode {
    let (index, bit) = place(item.hash >> shift)
    if map & bit == 0 {
      map |= bit
      children.insert(bucket(), at: index)
      count += 1
      return self
    }
    let child = ownChild(index)
    let before = child.count
    let new = child.set(item, shift + Self.bits, bucket)
    if new !== child { children[index] = new }
    count += new.count - before
    return self
  }

  override func remove(_ item: TrieItem, _ shift: UInt) -> TrieNode {
    let (index, bit) = place(item.hash >> shift)
    let child = ownChild(index)
    let new = child.remove(item, shift + Self.bits)
    count -= 1
    if new.count == 0 {
      children.remove(at: index)
      map &= ~bit
    } else if new !== child {
      children[index] = new
    }
    // Children with so few keys are buckets.
    if count > 4 || count == 0 { return self }
    let bucket = children[0].copy()
    for other in children.dropFirst() { bucket.absorb(other) }
    return bucket
  }
}

/// A node with up to eight items; with more only where their hash values are equal.
final class TrieBucket<Key: Hashable, Element>: TrieNode, @unchecked Sendable {  // as `TrieNode`
  private static var limit: Int { 8 }
  private(set) var hashes: ContiguousArray<UInt> = []
  private(set) var keys: UnsafeMutablePointer<Key>
  private(set) var elements: UnsafeMutablePointer<Element>
  private var capacity: Int

  private init(capacity: Int) {
    (keys, elements) = (.allocate(capacity: capacity), .allocate(capacity: capacity))
    self.capacity = capacity
    super.init(count: 0)
  }
  deinit {
    keys.deinitialize(count: count)
    elements.deinitialize(count: count)
    keys.deallocate()
    elements.deallocate()
  }
  convenience init(_ item: TrieItem) {
    self.init(capacity: Self.limit)
    append(item)
  }
  override func copy() -> TrieNode {
    let copy = TrieBucket(capacity: capacity)
    copy.keys.initialize(from: keys, count: count)
    copy.elements.initialize(from: elements, count: count)
    (copy.hashes, copy.count) = (hashes, count)
    return copy
  }

  private func append(_ item: TrieItem) {
    if count == capacity { grow() }
    // By their values, here and in the other nodes: a copy of one element of an array reads a whole stride, which a variable of a type
    // without a size does not have.
    (keys + count).initialize(to: item.key.assumingMemoryBound(to: Key.self).pointee)
    (elements + count).initialize(to: item.element.unsafelyUnwrapped.assumingMemoryBound(to: Element.self).pointee)
    hashes.append(item.hash)
    count += 1
  }
  private func grow() {
    let (newKeys, newElements) = (
      UnsafeMutablePointer<Key>.allocate(capacity: 2 * capacity),
      UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
    )
    newKeys.moveInitialize(from: keys, count: count)
    newElements.moveInitialize(from: elements, count: count)
    keys.deallocate()
    elements.deallocate()
    (keys, elements, capacity) = (newKeys, newElements, 2 * capacity)
  }

  func index(of key: UnsafePointer<Key>, _ hash: UInt) -> Int? {
    for index in 0..<count where hashes[index] == hash && keys[index] == key.pointee { return index }
    return nil
  }

  override func set(_ item: TrieItem, _ shift: UInt, _ bucket: () -> TrieNode) -> TrieNode {
    if let index = index(of: item.key.assumingMemoryBound(to: Key.self), item.hash) {
      elements[index] = item.element.unsafelyUnwrapped.assumingMemoryBound(to: Element.self).pointee
      return self
    }
    append(item)
    if count <= Self.limit || shift >= UInt(UInt.bitWidth) || hashes.allSatisfy({ $0 == item.hash }) { return self }
    let branch = TrieBranch()
    for index in 0..<count {
      let item = TrieItem(hash: hashes[index], key: keys + index, element: elements + index)
      _ = branch.set(item, shift) { TrieBucket(item) }
    }
    return branch
  }

  override func remove(_ item: TrieItem, _ shift: UInt) -> TrieNode {
    guard let index = index(of: item.key.assumingMemoryBound(to: Key.self), item.hash) else { return self }
    count -= 1
    hashes.swapAt(index, count)
    hashes.removeLast()
    (keys + index).deinitialize(count: 1)
    (elements + index).deinitialize(count: 1)
    if index < count {
      (keys + index).moveInitialize(from: keys + count, count: 1)
      (elements + index).moveInitialize(from: elements + count, count: 1)
    }
    return self
  }

  override func absorb(_ other: TrieNode) {
    let other = unsafeDowncast(other, to: TrieBucket.self)
    for index in 0..<other.count {
      append(TrieItem(hash: other.hashes[index], key: other.keys + index, element: other.elements + index))
    }
  }
}
