/// What has changed of an array: the edits as they were made, and what it is now.
///
/// ```swift
/// let following = tasks.differences.observe { difference in difference.apply(to: &mirror) }
/// ```
public struct ArrayDifference<Element: Sendable>: Sendable {
  /// The array after the change.
  public let elements: [Element]
  /// The edits that lead there, in the order in which they are to be applied.
  ///
  /// Of a reset, the removal of all that was there, from the end, and the insertion of all that is there now.
  public let edits: [ArrayEdit<Element>]
  /// The array was replaced altogether, is notified for the first time, or has seen more edits since the last
  /// notification than are kept: there is less to do in taking ``elements`` than in making the edits.
  public let isReset: Bool

  init(from old: ArrayState<Element>?, to new: ArrayState<Element>) {
    elements = new.elements
    if let old, let edits = new.log.edits(since: old.log.id) {
      (self.edits, isReset) = (edits, false)
    } else {
      let removals = (old?.elements ?? []).enumerated().reversed().map { ArrayEdit.remove($1, at: $0) }
      (edits, isReset) = (removals + new.elements.enumerated().map { .insert($1, at: $0) }, true)
    }
  }

  /// Makes another array, which is what this one was before the change, what it is now.
  ///
  /// - Complexity: O(1) for a reset, else that of the edits.
  public func apply(to elements: inout [Element]) {
    if isReset {
      elements = self.elements
    } else {
      for edit in edits { edit.apply(to: &elements) }
    }
  }

  /// The same as the standard library's difference: removals by offsets before, insertions by offsets after the change.
  ///
  /// An element that was inserted and removed in the same change is in neither; a replaced or moved one is in both.
  ///
  /// - Complexity: O(*k*²) in the number of edits, O(*n*) for a reset. The rest of the array is not looked at.
  public var collectionDifference: CollectionDifference<Element> {
    var builder = OffsetBuilder<Element>(
      count: edits.reduce(elements.count) { count, edit in
        switch edit {
        case .insert: count - 1
        case .remove: count + 1
        case .replace, .move: count
        }
      })
    // A reset takes from the end and adds to the end, which the builder does in constant time each.
    for edit in edits { builder.apply(edit) }
    return builder.difference
  }
}

/// Follows edits through the offsets before and after all of them. The array is a list of runs: parts of what there was, and
/// elements that are new.
private struct OffsetBuilder<Element: Sendable> {
  private enum Run {
    case old(Range<Int>)
    case new(Element)
    var count: Int {
      switch self {
      case .old(let offsets): offsets.count
      case .new: 1
      }
    }
  }
  private var runs: [Run]
  private var count: Int
  private var removals: [CollectionDifference<Element>.Change] = []

  init(count: Int) {
    self.count = count
    runs = count == 0 ? [] : [.old(0..<count)]
  }

  mutating func apply(_ edit: ArrayEdit<Element>) {
    switch edit {
    case .insert(let element, let offset): insert(element, at: offset)
    case .remove(let element, let offset): remove(element, at: offset)
    case .replace(let old, let new, let offset):
      remove(old, at: offset)
      insert(new, at: offset)
    case .move(let element, let from, let to):
      remove(element, at: from)
      insert(element, at: to)
    }
  }

  /// The run that begins at the offset, made by splitting one if need be.
  private mutating func split(at offset: Int) -> Int {
    if offset == count { return runs.count }
    var start = 0
    for (index, run) in runs.enumerated() {
      if start == offset { return index }
      if case .old(let offsets) = run, offset < start + offsets.count {
        let middle = offsets.lowerBound + offset - start
        runs.replaceSubrange(
          index...index, with: [.old(offsets.lowerBound..<middle), .old(middle..<offsets.upperBound)])
        return index + 1
      }
      start += run.count
    }
    return runs.count
  }
  private mutating func insert(_ element: Element, at offset: Int) {
    runs.insert(.new(element), at: split(at: offset))
    count += 1
  }
  private mutating func remove(_ element: Element, at offset: Int) {
    // The last of what there was, as a reset does: the run is shortened.
    if offset == count - 1, case .old(let offsets) = runs.last {
      if offsets.count == 1 { runs.removeLast() } else { runs[runs.count - 1] = .old(offsets.dropLast()) }
      removals.append(.remove(offset: offsets.upperBound - 1, element: element, associatedWith: nil))
    } else {
      let index = split(at: offset)
      switch runs[index] {
      case .new: runs.remove(at: index)
      case .old(let offsets):
        removals.append(.remove(offset: offsets.lowerBound, element: element, associatedWith: nil))
        if offsets.count == 1 { runs.remove(at: index) } else { runs[index] = .old(offsets.dropFirst()) }
      }
    }
    count -= 1
  }

  var difference: CollectionDifference<Element> {
    var (changes, offset) = (removals, 0)
    for run in runs {
      if case .new(let element) = run { changes.append(.insert(offset: offset, element: element, associatedWith: nil)) }
      offset += run.count
    }
    guard let difference = CollectionDifference(changes) else { fatalError("edits that no array can have seen") }
    return difference
  }
}
