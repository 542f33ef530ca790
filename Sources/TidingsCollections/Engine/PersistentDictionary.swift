/// A dictionary of which old copies stay as they are while a new one is edited: a tree of buckets by hash value.
///
/// A copy takes constant time. An edit takes O(log *n*), and shares all but one path of nodes with the other copies.
struct PersistentDictionary<Key: Hashable, Element> {
  /// Nil if there are no keys.
  private(set) var root: TrieNode?

  init() {}
  init(_ elements: [Key: Element]) {
    for (key, element) in elements { set(element, for: key) }
  }

  var count: Int { root?.count ?? 0 }
  var isEmpty: Bool { root == nil }

  private static func hash(_ key: Key) -> UInt { UInt(bitPattern: key.hashValue) }

  subscript(key: Key) -> Element? {
    let hash = Self.hash(key)
    guard let node = root?.bucket(hash) else { return nil }
    return node._withUnsafeGuaranteedRef { node in
      let bucket = unsafeDowncast(node, to: TrieBucket<Key, Element>.self)
      return withUnsafePointer(to: key) { bucket.index(of: $0, hash) }.map { bucket.elements[$0] }
    }
  }

  mutating func set(_ element: Element, for key: Key) {
    withUnsafePointer(to: key) { key in
      withUnsafePointer(to: element) { element in
        let item = TrieItem(hash: Self.hash(key.pointee), key: key, element: element)
        if root == nil {
          root = TrieBucket<Key, Element>(item)
        } else {
          own()
          root = root.unsafelyUnwrapped.set(item, 0) { TrieBucket<Key, Element>(item) }
        }
      }
    }
  }

  /// Sets the element for a key.
  ///
  /// - Returns: The element before.
  mutating func updateValue(_ element: Element, forKey key: Key) -> Element? {
    let old = self[key]
    set(element, for: key)
    return old
  }

  /// Removes a key.
  ///
  /// - Returns: The element before; nil if there is none.
  mutating func removeValue(forKey key: Key) -> Element? {
    guard let old = self[key] else { return nil }
    own()
    withUnsafePointer(to: key) { key in
      root = root.unsafelyUnwrapped.remove(TrieItem(hash: Self.hash(key.pointee), key: key), 0)
    }
    if count == 0 { root = nil }
    return old
  }

  private mutating func own() {
    if !isKnownUniquelyReferenced(&root) { root = root?.copy() }
  }

  /// Calls the closure with each key and element.
  private func forEach(_ body: (Key, Element) throws -> Void) rethrows {
    var nodes = root.map { [$0] } ?? []
    while let node = nodes.popLast() {
      if let branch = node as? TrieBranch {
        nodes += branch.children
      } else {
        let bucket = unsafeDowncast(node, to: TrieBucket<Key, Element>.self)
        for index in 0..<bucket.count { try body(bucket.keys[index], bucket.elements[index]) }
      }
    }
  }

  /// The elements as a dictionary: O(*n*).
  var dictionary: [Key: Element] {
    var result = [Key: Element](minimumCapacity: count)
    forEach { result[$0] = $1 }
    return result
  }
}

extension PersistentDictionary: Sendable where Key: Sendable, Element: Sendable {}
