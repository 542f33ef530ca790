/// One edit of a dictionary, as it was made: what was under the key and what is there after it.
public struct DictionaryEdit<Key: Hashable & Sendable, Element: Sendable>: Sendable {
  public let key: Key
  /// Nil if there was nothing.
  public let old: Element?
  /// Nil if it was removed.
  public let new: Element?
}

extension DictionaryEdit: Equatable where Element: Equatable {}

/// What has changed of a dictionary: the edits as they were made, and what it is now.
///
/// ```swift
/// let following = prices.differences.observe { difference in
///   for key in difference.keys { print(key, difference.elements[key] as Any) }
/// }
/// ```
public struct DictionaryDifference<Key: Hashable & Sendable, Element: Sendable>: Sendable {
  /// The dictionary after the change.
  public let elements: [Key: Element]
  /// The edits that lead there, in order; a key may occur more than once.
  ///
  /// Of a reset, the removal of all that was there and the insertion of all that is there now, in any order.
  public let edits: [DictionaryEdit<Key, Element>]
  /// The dictionary was replaced altogether, is notified for the first time, or has seen more edits since the last
  /// notification than are kept.
  public let isReset: Bool

  /// The keys under which something was set or removed, also where it was equal to what there was.
  public var keys: Set<Key> { Set(edits.map(\.key)) }

  init(from old: DictionaryState<Key, Element>?, to new: DictionaryState<Key, Element>) {
    elements = new.elements
    if let old, let edits = new.log.edits(since: old.log.id) {
      (self.edits, isReset) = (edits, false)
    } else {
      let removals = (old?.elements ?? [:]).map { DictionaryEdit<Key, Element>(key: $0, old: $1, new: nil) }
      (edits, isReset) = (removals + new.elements.map { .init(key: $0, old: nil, new: $1) }, true)
    }
  }

  /// Makes another dictionary, which is what this one was before the change, what it is now.
  ///
  /// - Complexity: O(1) for a reset, else O(*k*) in the number of edits.
  public func apply(to elements: inout [Key: Element]) {
    if isReset {
      elements = self.elements
    } else {
      for edit in edits { elements[edit.key] = edit.new }
    }
  }
}

/// A dictionary and how it came to be what it is. Two are equal when they are the same state.
struct DictionaryState<Key: Hashable & Sendable, Element: Sendable>: Sendable, Equatable {
  private(set) var elements: [Key: Element]
  private(set) var log = EditLog<DictionaryEdit<Key, Element>>()

  init(_ elements: [Key: Element]) { self.elements = elements }

  static func == (one: Self, other: Self) -> Bool { one.log.id == other.log.id }

  /// Edits the dictionary, and notes the edits, if there are any.
  mutating func edit<R, E: Error>(_ body: (inout DictionaryEditor<Key, Element>) throws(E) -> R) throws(E) -> R {
    var editor = DictionaryEditor(elements)
    // The editor has the only reference of this value.
    elements = [:]
    let result: R
    do throws(E) { result = try body(&editor) } catch {
      elements = editor.elements
      throw error
    }
    elements = editor.elements
    if !editor.edits.isEmpty { log.append(editor.edits, size: elements.count) }
    return result
  }
}

/// The dictionary in ``ObservedDictionary/edit(isolation:_:)``, whose changes are noted as edits.
public struct DictionaryEditor<Key: Hashable & Sendable, Element: Sendable> {
  /// The dictionary as it is now.
  public private(set) var elements: [Key: Element]
  private(set) var edits: [DictionaryEdit<Key, Element>] = []

  init(_ elements: [Key: Element]) { self.elements = elements }

  /// What is under the key. Setting it is one edit, and none if there was nothing and is nothing.
  public subscript(key: Key) -> Element? {
    get { elements[key] }
    set {
      let old = newValue.map { elements.updateValue($0, forKey: key) } ?? elements.removeValue(forKey: key)
      if old != nil || newValue != nil { edits.append(DictionaryEdit(key: key, old: old, new: newValue)) }
    }
  }

  /// What is under the key, or what is given where there is nothing.
  public subscript(key: Key, default fallback: @autoclosure () -> Element) -> Element {
    get { elements[key] ?? fallback() }
    set { self[key] = newValue }
  }

  /// Removes what is under the keys whose elements satisfy the predicate: an edit for each.
  public mutating func removeAll(where isRemoved: (Key, Element) throws -> Bool) rethrows {
    for (key, element) in elements where try isRemoved(key, element) { self[key] = nil }
  }
}
