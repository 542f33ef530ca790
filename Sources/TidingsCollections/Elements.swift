public import Tidings

extension ArraySource where Element: Identifiable, Element.ID: Sendable {
  /// The element with an identity, as a value. It notifies when the element is inserted, removed or replaced and, if it is
  /// `Equatable`, differs; not when it is moved.
  ///
  /// ```swift
  /// let ada = people.element(for: 1)   // Derived<Person?>
  /// ```
  ///
  /// - Parameters:
  ///   - id: The identity. If several elements have it, the first one counts.
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The derived value, nil while the array has no such element.
  /// - Complexity: A change of the array costs O(*n*) comparisons of identities for each such value that is read or observed.
  public func element(
    for id: Element.ID, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Element?> {
    let states = contents.states.reader
    return Derived(nil, file: file, line: line) { ArraySnapshot(states.value.tree).first { $0.id == id } }
  }
}

extension ObservedArray where Element: Identifiable, Element.ID: Sendable {
  /// Changes the element with an identity, wherever it is, atomically: one edit.
  ///
  /// ```swift
  /// people.updateElement(for: 1) { $0?.name = "Ada" }
  /// ```
  ///
  /// `body` may run again, as that of ``edit(isolation:_:)``.
  ///
  /// - Parameters:
  ///   - id: The identity. If several elements have it, the first one counts.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - body: Changes the element, which is nil if there is none. Setting it to nil removes it; setting it where there was none
  ///     appends an element. If it throws, nothing is written.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  /// - Complexity: O(*n*) comparisons of identities, and what the handlers do.
  @discardableResult
  public func updateElement<R, E: Error>(
    for id: Element.ID, isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (inout Element?) throws(E) -> R
  ) throws(E) -> R {
    try edit(isolation: isolation) { editor throws(E) in
      let index = editor.snapshot.firstIndex { $0.id == id }
      var element: Element?
      if let index { element = editor[index] }
      let result = try body(&element)
      switch (index, element) {
      case (let index?, let new?): editor[index] = new
      case (let index?, nil): editor.remove(at: index)
      case (nil, let new?): editor.append(new)
      case (nil, nil): break
      }
      return result
    }
  }

  /// A reference to the element with an identity, for an interactor that edits it.
  ///
  /// ```swift
  /// let quantity = Projection(positions.reference(to: id))?.quantity   // Projection<Int>?
  /// ```
  ///
  /// - Parameters:
  ///   - id: The identity. The array may have no such element, or have it later.
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The reference, which retains the array.
  public func reference(
    to id: Element.ID, file: StaticString = #fileID, line: UInt = #line
  ) -> ElementReference<Element> {
    ElementReference(element(for: id, file: file, line: line)) { [self] isolation, body in
      try updateElement(for: id, isolation: isolation, body)
    }
  }
}

extension ObservedDictionary {
  /// Changes the element for a key, atomically: one edit, or none where there was no element and is none.
  ///
  /// ```swift
  /// prices.updateElement(for: "AAPL") { price in price = (price ?? 0) + 1 }
  /// ```
  ///
  /// `body` may run again, as that of ``edit(isolation:_:)``.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - body: Changes the element, which is nil if there is none. Setting it to nil removes it. If it throws, nothing is written.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  /// - Complexity: O(log *n*) on average, and what the handlers do.
  @discardableResult
  public func updateElement<R, E: Error>(
    for key: Key, isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (inout Element?) throws(E) -> R
  ) throws(E) -> R {
    try edit(isolation: isolation) { editor throws(E) in try body(&editor[key]) }
  }

  /// A reference to the element for a key, for an interactor that edits it.
  ///
  /// - Parameters:
  ///   - key: The key. The dictionary may have no such element, or have it later.
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The reference, which retains the dictionary.
  public func reference(
    to key: Key, file: StaticString = #fileID, line: UInt = #line
  ) -> ElementReference<Element> {
    ElementReference(element(for: key, file: file, line: line)) { [self] isolation, body in
      try updateElement(for: key, isolation: isolation, body)
    }
  }
}
