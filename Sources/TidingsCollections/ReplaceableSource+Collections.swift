public import Tidings

extension ObservedArray: ReplaceableSource {
  /// Makes the array equal to other elements, atomically, by edits.
  ///
  /// An element is found again by its `id` if it is `Identifiable`, otherwise by itself if it is `Hashable`, otherwise by its index. See
  /// ``set(_:diffing:isolation:)``, to which another identity can be passed.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - body: Is passed the current elements, and returns the new ones, or nil to leave them. It may run again, as that of
  ///     ``edit(isolation:_:)``.
  /// - Complexity: That of ``set(_:diffing:isolation:)``.
  public func replaceContents(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping (_ current: [Element]) -> [Element]?
  ) {
    edit(isolation: isolation) { editor in
      let old = Array(editor.snapshot)
      if let new = body(old) { editor.become(new, matching: matches(of: identities(of: new), in: identities(of: old))) }
    }
  }

  public func observeEdits(_ handler: @escaping @Sendable () -> Void) -> Subscription {
    state.observe { _ in handler() }
  }
}

/// The identity of each element, as far as its type has one.
private func identities<Element>(of elements: [Element]) -> [AnyHashable] {
  func identity(of element: some Identifiable) -> AnyHashable { AnyHashable(element.id) }
  return elements.enumerated().map { index, element in
    if let element = element as? any Identifiable { return identity(of: element) }
    return element as? AnyHashable ?? AnyHashable(index)
  }
}

extension ObservedDictionary: ReplaceableSource {
  /// Makes the dictionary equal to another, atomically: an edit for each key whose element differs. Elements that are not `Equatable` are
  /// taken to differ.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - body: Is passed the current elements, and returns the new ones, or nil to leave them. It may run again, as that of
  ///     ``edit(isolation:_:)``.
  /// - Complexity: O(*n* log *n*) for dictionaries of *n* keys.
  public func replaceContents(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping (_ current: [Key: Element]) -> [Key: Element]?
  ) {
    edit(isolation: isolation) { editor in
      guard let new = body(editor.elements) else { return }
      editor.removeAll { key, _ in new.index(forKey: key) == nil }
      for (key, element) in new {
        if let old = editor[key], areEqual(old, element) { continue }
        editor[key] = element
      }
    }
  }

  public func observeEdits(_ handler: @escaping @Sendable () -> Void) -> Subscription {
    state.observe { _ in handler() }
  }
}
