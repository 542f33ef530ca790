/// A change of an array: the edits as they were made, and the array after them.
///
/// ```swift
/// let following = tasks.differences.observe { difference in difference.apply(to: &mirror) }
/// ```
public struct ArrayDifference<Element: Sendable>: Sendable {
  private let (old, state): (ArrayState<Element>?, ArrayState<Element>)
  /// Nil for a reset.
  private let batches: [EditBatch]?

  init(from old: ArrayState<Element>?, to new: ArrayState<Element>) {
    (self.old, state) = (old, new)
    batches = old.flatMap { new.log.batches(since: $0.log.id) }
  }

  /// The edits, in the order in which they are to be applied.
  ///
  /// Those of a reset remove every old element, from the end, and insert every new one.
  ///
  /// - Complexity: O(*k*) in the number of edits, each time.
  public var edits: [ArrayEdit<Element>] {
    if let batches { return batches.arrayEdits() }
    let removals = (old?.elements ?? []).enumerated().reversed().map { ArrayEdit.remove($1, at: $0) }
    return removals + state.elements.enumerated().map { .insert($1, at: $0) }
  }

  /// Whether this is a reset: the array was replaced as a whole, this is the first notification, or there were more edits
  /// since the last notification than are kept. Then it costs less to take ``elements`` than to apply the edits.
  public var isReset: Bool { batches == nil }

  /// The array after the change.
  ///
  /// - Complexity: O(*n*) for the first reader of this state of the array, then O(1). ``snapshot`` has the same elements.
  public var elements: [Element] { state.elements }

  /// The array after the change, as a collection that shares its storage with the observed array.
  ///
  /// - Complexity: O(1).
  public var snapshot: ArraySnapshot<Element> { ArraySnapshot(state.tree) }

  /// Applies the change to another array, which must be equal to this one before the change.
  ///
  /// - Parameter elements: The other array.
  /// - Complexity: That of ``elements`` for a reset, otherwise that of the edits.
  public func apply(to elements: inout [Element]) {
    if isReset {
      elements = self.elements
    } else {
      for edit in edits { edit.apply(to: &elements) }
    }
  }

  /// The difference as the standard library has it: removals by offsets before, insertions by offsets after the change.
  ///
  /// An element that was inserted and removed in the same change is in neither; a replaced or moved one is in both.
  ///
  /// - Complexity: O(*k*²) in the number of edits, O(*n*) for a reset. The other elements are not accessed.
  public var collectionDifference: CollectionDifference<Element> {
    let edits = edits
    var builder = OffsetBuilder<Element>(
      count: edits.reduce(state.count) { count, edit in
        switch edit {
        case .insert: count - 1
        case .remove: count + 1
        case .replace, .move: count
        }
      })
    // A reset removes from the end and appends at the end; the builder does each in constant time.
    for edit in edits { builder.apply(edit) }
    return builder.difference
  }
}

/// Tracks edits by the offsets before and after all of them. The array is a list of runs: ranges of old elements, and new
/// elements.
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

  /// The run that begins at the offset, after splitting one if necessary.
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
    // The last old element, as in a reset: the run is shortened.
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
