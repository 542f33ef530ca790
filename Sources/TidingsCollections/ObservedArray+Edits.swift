// Single edits. Several that belong together are made in one `edit`.
import Tidings

extension ObservedArray {
  /// An element. A read in the closure of a `Derived` makes the whole array a dependency.
  ///
  /// - Parameter index: The index of the element.
  /// - Complexity: O(log *n*).
  public subscript(index: Int) -> Element {
    get { state.value.tree[index] }
    @available(*, unavailable, message: "use set(_:at:), or edit { … } to change it in place")
    set { fatalError("use set(_:at:)") }
  }

  /// Replaces an element: one edit.
  ///
  /// ```swift
  /// tasks.set("read again", at: 0)
  /// ```
  ///
  /// - Parameters:
  ///   - element: The new element.
  ///   - index: The index of the element to replace.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Complexity: O(log *n*), and what the handlers do.
  public func set(_ element: Element, at index: Int, isolation: isolated (any Actor)? = #isolation) {
    edit(isolation: isolation) { $0[index] = element }
  }

  /// Appends an element: one edit.
  ///
  /// - Parameters:
  ///   - element: The element to append.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Complexity: O(log *n*), and what the handlers do.
  public func append(_ element: Element, isolation: isolated (any Actor)? = #isolation) {
    edit(isolation: isolation) { $0.append(element) }
  }

  /// Appends elements: one edit for each, and one change.
  ///
  /// - Parameters:
  ///   - elements: The elements to append.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Complexity: O(log *n*) for each element, at most O(*n*) for all, and what the handlers do.
  public func append(contentsOf elements: [Element], isolation: isolated (any Actor)? = #isolation) {
    edit(isolation: isolation) { $0.append(contentsOf: elements) }
  }

  /// Inserts an element: one edit.
  ///
  /// - Parameters:
  ///   - element: The element to insert.
  ///   - index: Its index after the insertion.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Complexity: O(log *n*), and what the handlers do.
  public func insert(_ element: Element, at index: Int, isolation: isolated (any Actor)? = #isolation) {
    edit(isolation: isolation) { $0.insert(element, at: index) }
  }

  /// Removes an element: one edit.
  ///
  /// - Parameters:
  ///   - index: The index of the element.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Returns: The element.
  /// - Complexity: O(log *n*), and what the handlers do.
  @discardableResult
  public func remove(at index: Int, isolation: isolated (any Actor)? = #isolation) -> Element {
    edit(isolation: isolation) { $0.remove(at: index) }
  }

  /// Removes all elements. Observers of the differences receive a reset; an empty array does not change.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  public func removeAll(isolation: isolated (any Actor)? = #isolation) {
    edit(isolation: isolation) { $0.removeAll() }
  }

  /// Removes all elements that satisfy the predicate: one edit for each.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - isRemoved: Returns true for an element to remove.
  public func removeAll(
    isolation: isolated (any Actor)? = #isolation, where isRemoved: @escaping (Element) -> Bool
  ) {
    edit(isolation: isolation) { $0.removeAll(where: isRemoved) }
  }
}
