/// The dictionary in ``ObservedDictionary/edit(isolation:_:)``: every mutation is recorded as an edit.
///
/// Assigning an editor of another dictionary replaces this one as a whole.
public struct DictionaryEditor<Key: Hashable & Sendable, Element: Sendable>: Sendable {
  private(set) var tree: PersistentDictionary<Key, Element>
  var recording: Recording

  init() { self.init(PersistentDictionary(), Recording()) }
  init(_ tree: PersistentDictionary<Key, Element>, _ recording: Recording) {
    (self.tree, self.recording) = (tree, recording)
  }

  /// The current dictionary.
  ///
  /// - Complexity: O(*n*), each time: it is copied. A key is looked up in the editor itself, or in ``snapshot``.
  public var elements: [Key: Element] { tree.dictionary }
  /// The elements as they are now, in O(1): later edits leave it as it is.
  public var snapshot: DictionarySnapshot<Key, Element> { DictionarySnapshot(tree) }
  /// The number of keys.
  public var count: Int { tree.count }
  /// Whether there are no keys.
  public var isEmpty: Bool { tree.isEmpty }

  /// The element for a key. Setting it is one edit; setting nil where there is none is no edit.
  ///
  /// - Complexity: O(log *n*) on average.
  public subscript(key: Key) -> Element? {
    get { tree[key] }
    set {
      let old = newValue.map { tree.updateValue($0, forKey: key) } ?? tree.removeValue(forKey: key)
      if old != nil || newValue != nil { record(DictionaryEdit(key: key, old: old, new: newValue)) }
    }
  }

  private mutating func record(_ edit: DictionaryEdit<Key, Element>) {
    guard let batch = recording.openBatch({ DictionaryEditBatch<Key, Element>(before: $0) }) else { return }
    unsafeDowncast(batch, to: DictionaryEditBatch<Key, Element>.self).append(edit)
  }

  /// The element for a key, or a default value where there is none.
  public subscript(key: Key, default fallback: @autoclosure () -> Element) -> Element {
    get { tree[key] ?? fallback() }
    set { self[key] = newValue }
  }

  /// Removes the element for a key: one edit, or none if there is no element.
  ///
  /// - Parameter key: The key.
  /// - Returns: The element that was removed.
  @discardableResult
  public mutating func removeValue(forKey key: Key) -> Element? {
    let old = tree[key]
    self[key] = nil
    return old
  }

  /// Removes all elements. Observers of the differences receive a reset.
  public mutating func removeAll() { self = Self() }

  /// Removes the keys whose elements satisfy the predicate: one edit for each.
  ///
  /// - Parameter isRemoved: Returns true for a key and element to remove.
  /// - Throws: What the predicate throws.
  public mutating func removeAll(where isRemoved: (Key, Element) throws -> Bool) rethrows {
    for (key, element) in snapshot where try isRemoved(key, element) { self[key] = nil }
  }
}
