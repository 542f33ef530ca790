extension DictionarySnapshot {
  /// Walks from bucket to bucket.
  public struct Iterator: IteratorProtocol {
    private var nodes: [TrieNode]
    private var bucket: TrieBucket<Key, Value>?
    private var index = 0

    init(nodes: [TrieNode]) { self.nodes = nodes }

    public mutating func next() -> (key: Key, value: Value)? {
      while true {
        if let bucket, index < bucket.count {
          defer { index += 1 }
          return (bucket.keys[index], bucket.elements[index])
        }
        guard let node = nodes.popLast() else { return nil }
        if let branch = node as? TrieBranch {
          nodes += branch.children
        } else {
          (bucket, index) = (unsafeDowncast(node, to: TrieBucket<Key, Value>.self), 0)
        }
      }
    }
  }
}

@available(*, unavailable)
extension DictionarySnapshot.Iterator: Sendable {}
