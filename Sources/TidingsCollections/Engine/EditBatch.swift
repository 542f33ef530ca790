/// The edits of one change, and the state before it.
///
/// The logs of states, which pass batches on, do not know the type of the edits. Finding a type at run time takes longer than
/// the rest of an edit.
class EditBatch: @unchecked Sendable {  // changed only by the recording that alone has it; its edits are `Sendable`
  final let before: StateID
  /// The earlier state whose elements the edits lead back to; nil for other edits.
  final fileprivate(set) var restored: StateID?
  init(before: StateID) { self.before = before }
  func copy() -> EditBatch { fatalError("overridden") }
}

/// The edits that an editor has recorded, and the state from which they lead to its elements.
///
/// A copy of an editor takes both along, so they always belong to its elements, whichever editor is assigned to which.
struct Recording: Sendable {
  /// Nil for an editor of no state, which records nothing.
  let origin: StateID?
  /// Nil before the first edit.
  private(set) var batch: EditBatch?

  init(since origin: StateID? = nil) { self.origin = origin }

  /// The batch to which the editor adds; nil if it records nothing.
  @inline(__always)
  mutating func openBatch(_ new: (_ origin: StateID) -> EditBatch) -> EditBatch? {
    guard let origin else { return nil }
    if batch == nil {
      batch = new(origin)
    } else if !isKnownUniquelyReferenced(&batch) {
      batch = batch?.copy()
    }
    return batch
  }

  /// Notes that the edits, to which no others are added, lead back to the elements of an earlier state.
  mutating func note(restored state: StateID) {
    if !isKnownUniquelyReferenced(&batch) { batch = batch?.copy() }
    batch?.restored = state
  }
}

/// Edits of an array: places, and elements apart. So operators follow them without the cases of `ArrayEdit`.
final class ArrayEditBatch<Element: Sendable>: EditBatch, @unchecked Sendable {  // as `EditBatch`
  enum Kind { case insert, remove, replace, move }
  struct Record {
    let kind: Kind
    let offset: Int
    /// The second offset of a move.
    var target = 0
  }
  /// Most batches have one edit, which needs no array.
  private var first: Record?
  private var rest: [Record] = []
  /// Two for a replacement, one for any other edit.
  private var elements: UnsafeMutablePointer<Element>
  private var (count, capacity) = (0, 2)

  override init(before: StateID) {
    elements = .allocate(capacity: 2)
    super.init(before: before)
  }
  deinit {
    elements.deinitialize(count: count)
    elements.deallocate()
  }
  override func copy() -> EditBatch {
    let copy = ArrayEditBatch(before: before)
    (copy.first, copy.rest) = (first, rest)
    copy.reserve(count)
    copy.elements.initialize(from: elements, count: count)
    copy.count = count
    return copy
  }

  func append(_ record: Record, _ element: UnsafePointer<Element>, _ other: UnsafePointer<Element>? = nil) {
    if first == nil { first = record } else { rest.append(record) }
    reserve(count + 2)
    (elements + count).initialize(to: element.pointee)
    if let other { (elements + count + 1).initialize(to: other.pointee) }
    count += other == nil ? 1 : 2
  }
  private func reserve(_ needed: Int) {
    if needed <= capacity { return }
    capacity = max(needed, 2 * capacity)
    let new = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    new.moveInitialize(from: elements, count: count)
    elements.deallocate()
    elements = new
  }

  /// Calls the closure with each edit, until it returns false. The second element of a replacement, the new one, is after the
  /// first.
  ///
  /// - Returns: Whether it never returned false.
  func allSatisfy(_ body: (Record, _ elements: UnsafePointer<Element>) -> Bool) -> Bool {
    guard let first else { return true }
    if !body(first, elements) { return false }
    var next = first.kind == .replace ? 2 : 1
    for record in rest {
      if !body(record, elements + next) { return false }
      next += record.kind == .replace ? 2 : 1
    }
    return true
  }

  /// Adds the edits to an array.
  func append(to edits: inout [ArrayEdit<Element>]) {
    edits.reserveCapacity(edits.count + rest.count + 1)
    _ = allSatisfy { record, elements in
      switch record.kind {
      case .insert: edits.append(.insert(elements.pointee, at: record.offset))
      case .remove: edits.append(.remove(elements.pointee, at: record.offset))
      case .replace: edits.append(.replace(elements.pointee, with: elements[1], at: record.offset))
      case .move: edits.append(.move(elements.pointee, from: record.offset, to: record.target))
      }
      return true
    }
  }
}

/// Edits of a dictionary.
final class DictionaryEditBatch<Key: Hashable & Sendable, Element: Sendable>: EditBatch, @unchecked Sendable {
  // `Sendable` as `EditBatch` is.
  private(set) var edits: [DictionaryEdit<Key, Element>] = []
  override func copy() -> EditBatch {
    let copy = DictionaryEditBatch(before: before)
    copy.edits = edits
    return copy
  }
  func append(_ edit: DictionaryEdit<Key, Element>) { edits.append(edit) }
}

extension [EditBatch] {
  /// The batches without those that a later batch has taken back, and without that batch. The elements at the end are the same.
  ///
  /// - Complexity: O(*k*) in the number of batches.
  var withoutDetours: [EditBatch] {
    if allSatisfy({ $0.restored == nil }) { return self }
    var path: [EditBatch] = []
    // The states on the path, in its order, and the length of the path at each.
    var (states, lengths): ([StateID], [StateID: Int]) = ([], [:])
    for batch in self {
      states.append(batch.before)
      lengths[batch.before] = path.count
      guard let restored = batch.restored, let length = lengths[restored] else {
        path.append(batch)
        continue
      }
      path.removeLast(path.count - length)
      while let last = states.last, lengths[last, default: 0] > length { lengths[states.removeLast()] = nil }
    }
    return path
  }
  /// The edits of batches of an array.
  func arrayEdits<E: Sendable>() -> [ArrayEdit<E>] {
    var edits: [ArrayEdit<E>] = []
    for batch in self { unsafeDowncast(batch, to: ArrayEditBatch<E>.self).append(to: &edits) }
    return edits
  }
  /// The edits of batches of a dictionary.
  func dictionaryEdits<Key: Hashable & Sendable, E: Sendable>() -> [DictionaryEdit<Key, E>] {
    if count == 1 { return unsafeDowncast(self[0], to: DictionaryEditBatch<Key, E>.self).edits }
    return flatMap { unsafeDowncast($0, to: DictionaryEditBatch<Key, E>.self).edits }
  }
}
