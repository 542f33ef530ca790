import Tidings

extension ArraySource {
  /// The results of `transform` for each element.
  ///
  /// ```swift
  /// let titles = tasks.map { $0.uppercased() }
  /// ```
  ///
  /// - Parameters:
  ///   - transform: Runs once for each element that is inserted or replaced, on any thread. Only reads. If it reads values, the result
  ///     follows these too.
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: An array that follows this one.
  /// - Complexity: A change costs a call of `transform` and O(log *n*) for each edit. If `transform` reads values, each change, also of
  ///   one of these, costs a call for each element.
  public func map<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Output, file: StaticString = #fileID, line: UInt = #line
  ) -> DerivedArray<Output> {
    derived(file, line, { MapStage($0, transform) }, { unsafeDowncast($0, to: MapStage<Element, Output>.self).output })
  }

  /// The elements for which `isIncluded` returns true, in their order.
  ///
  /// ```swift
  /// let open = tasks.filter { !$0.hasSuffix("✓") }
  /// ```
  ///
  /// If the closure reads values, such as a query, the result follows these too. It changes by edits, so that a list in view does not
  /// reload; if more would change than is left, it changes as a whole.
  ///
  /// ```swift
  /// let matching = tasks.filter { $0.contains(query.value) }.sorted()
  /// ```
  ///
  /// - Parameters:
  ///   - isIncluded: Runs once for each element that is inserted or replaced, on any thread. Only reads.
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: An array that follows this one.
  /// - Complexity: A change costs a call of `isIncluded` and O(log *n*) for each edit. If `isIncluded` reads values, each change, also of
  ///   one of these, costs a call for each element.
  public func filter(
    _ isIncluded: @escaping @Sendable (Element) -> Bool, file: StaticString = #fileID, line: UInt = #line
  ) -> DerivedArray<Element> {
    derived(file, line, { FilterStage($0, isIncluded) }, { unsafeDowncast($0, to: FilterStage<Element>.self).output })
  }

  /// The elements in sorted order.
  ///
  /// ```swift
  /// let byName = tasks.sorted { $0 < $1 }
  /// ```
  ///
  /// Elements that compare as equivalent are in the order of this array, now and after any edit: the result is what the
  /// standard library's stable sort makes of the array.
  ///
  /// - Parameters:
  ///   - areInIncreasingOrder: A strict weak order, as for `sort(by:)`. Runs on any thread. Only reads. If it reads values, the result
  ///     follows these too.
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: An array that follows this one.
  /// - Complexity: A change costs O(log *n*) for each edit, with about 2 log₂ *n* comparisons. If the closure reads values, each change,
  ///   also of one of these, sorts all elements.
  public func sorted(
    by areInIncreasingOrder: @escaping @Sendable (Element, Element) -> Bool, file: StaticString = #fileID,
    line: UInt = #line
  ) -> DerivedArray<Element> {
    derived(
      file, line, { SortStage($0, areInIncreasingOrder) }, { unsafeDowncast($0, to: SortStage<Element>.self).output })
  }

  private func derived<Output: Sendable>(
    _ file: StaticString, _ line: UInt, _ restart: @escaping @Sendable (PersistentArray<Element>) -> Stage,
    _ output: @escaping @Sendable (Stage) -> ArrayState<Output>
  ) -> DerivedArray<Output> {
    let (input, memo) = (contents.states.reader, StageMemo())
    return DerivedArray(
      Derived(nil, file: file, line: line) {
        let input = input.value
        return memo.next(input.log, restart: { restart(input.tree) }, output: output)
      })
  }
}

extension ArraySource where Element: Comparable {
  /// The elements in ascending order: see ``sorted(by:file:line:)``.
  ///
  /// - Parameters:
  ///   - file: Where it is made: its name in reports. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: An array that follows this one.
  public func sorted(file: StaticString = #fileID, line: UInt = #line) -> DerivedArray<Element> {
    sorted(by: { $0 < $1 }, file: file, line: line)
  }
}
