import Tidings

extension ObservedArray {
  /// Makes the array equal to the given elements by edits, so that observers of the differences need not reload.
  ///
  /// ```swift
  /// tasks.set(["write", "rest"], diffing: \.self)
  /// people.set(loaded, diffing: \.id)
  /// ```
  ///
  /// Elements with the same identity are the same element: it stays, is moved, or is replaced if it differs. An element that
  /// is not `Equatable` is taken to differ, unless it is the same object. Equal identities are paired in their order.
  ///
  /// - Parameters:
  ///   - elements: The new elements.
  ///   - id: Returns the identity of an element: itself, or a property such as that of `Identifiable`.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Complexity: O(*n* log *n*) for arrays of *n* elements, and O(*n*) for each move or insertion.
  public func set<ID: Hashable>(
    _ elements: [Element], diffing id: @escaping (Element) -> ID, isolation: isolated (any Actor)? = #isolation
  ) {
    edit(isolation: isolation) { editor in
      editor.become(elements, matching: matches(of: elements.map(id), in: editor.map(id)))
    }
  }

  /// Makes the array equal to the given elements by edits, for identities that are no more than `Equatable`.
  ///
  /// It finds the shortest edits, as `difference(from:)` of the standard library does. No element is moved.
  ///
  /// - Parameters:
  ///   - elements: The new elements.
  ///   - id: Returns the identity of an element: itself, or a property.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Complexity: O(*n* *d*) for arrays of *n* elements with *d* edits.
  public func set<ID: Equatable>(
    _ elements: [Element], diffing id: @escaping (Element) -> ID, isolation: isolated (any Actor)? = #isolation
  ) {
    edit(isolation: isolation) { editor in
      editor.become(elements, matching: matches(of: elements.map(id), in: editor.map(id)))
    }
  }
}

/// The offset of each new identity among the old ones, or nil; none occurs twice.
func matches<ID: Hashable>(of new: [ID], in old: [ID]) -> [Int?] {
  // Each identity leads to its first offset, and each offset to the next with the same identity.
  var (first, next): ([ID: Int], [Int?]) = ([:], Array(repeating: nil, count: old.count))
  for (offset, id) in old.enumerated().reversed() { next[offset] = first.updateValue(offset, forKey: id) }
  return new.map { id in
    guard let offset = first[id] else { return nil }
    first[id] = next[offset]
    return offset
  }
}
func matches<ID: Equatable>(of new: [ID], in old: [ID]) -> [Int?] {
  let difference = new.difference(from: old)
  let (removed, inserted) = (Set(difference.removals.map(\.offset)), Set(difference.insertions.map(\.offset)))
  var kept = old.indices.lazy.filter { !removed.contains($0) }.makeIterator()
  return new.indices.map { inserted.contains($0) ? nil : kept.next() }
}
extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}

extension ArrayEditor {
  /// Makes this array equal to another by removals, insertions, replacements and as few moves as possible.
  ///
  /// - Parameters:
  ///   - new: The other array.
  ///   - matches: For each new offset that of the same element in this array, or nil.
  mutating func become(_ new: [Element], matching matches: [Int?]) {
    // The elements that are kept, as their new offsets, in the order in which they are now.
    var kept: [Int?] = Array(repeating: nil, count: count)
    for (offset, old) in matches.enumerated() { if let old { kept[old] = offset } }
    for offset in indices.reversed() where kept[offset] == nil { remove(at: offset) }
    let current = kept.compactMap(\.self)
    arrange(current, keeping: Set(longestAscent(of: current)), of: new.count) { editor, number, place in
      editor.insert(new[number], at: place)
    }
    for (offset, element) in new.enumerated() where matches[offset] != nil && !areEqual(self[offset], element) {
      self[offset] = element
    }
  }
}

extension ArrayEditor {
  /// Moves elements until their numbers ascend, and inserts those that are missing.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the elements: different ones, less than `count`.
  ///   - staying: The numbers of those that are not moved, in ascending order along the array.
  ///   - count: The number of elements in the end.
  ///   - insert: Inserts the element with a missing number at a place.
  mutating func arrange(
    _ numbers: [Int], keeping staying: Set<Int>, of count: Int,
    _ insert: (inout ArrayEditor, _ number: Int, _ place: Int) -> Void
  ) {
    var (current, known) = (numbers, Array(repeating: false, count: count))
    for number in numbers { known[number] = true }
    // Everything before `end` is in its place, but for elements that are moved later.
    var end = 0
    for number in 0..<count {
      if staying.contains(number) {
        while current[end] != number { end += 1 }
        end += 1
      } else if known[number], let from = current.firstIndex(of: number) {
        let to = from < end ? end - 1 : end
        current.insert(current.remove(at: from), at: to)
        move(from: from, to: to)
        end = to + 1
      } else {
        current.insert(number, at: end)
        insert(&self, number, end)
        end += 1
      }
    }
  }
}

/// The longest ascending subsequence of different numbers, by patience sorting.
func longestAscent(of numbers: [Int]) -> [Int] {
  // For each length, the position of the least number with which an ascent of that length ends.
  var (ends, previous): ([Int], [Int?]) = ([], [])
  for (position, number) in numbers.enumerated() {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
    }
    previous.append(low == 0 ? nil : ends[low - 1])
    if low == ends.count { ends.append(position) } else { ends[low] = position }
  }
  return Array(sequence(first: ends.last) { $0.flatMap { previous[$0] } }.prefix { $0 != nil }.map { numbers[$0!] })
}

/// Whether two elements are known to be the same: by the one rule of the library, or because they are one object.
func areEqual<Element>(_ one: Element, _ other: Element) -> Bool {
  areKnownSame(one, other) || Element.self is AnyObject.Type && one as AnyObject === other as AnyObject
}
