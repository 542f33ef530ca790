import Synchronization
import Tidings

/// Identifies a state of a collection, uniquely among all collections. Later states have greater identifiers.
typealias StateID = UInt

private let lastStateID = Atomic<StateID>(0)
func newStateID() -> StateID { lastStateID.wrappingAdd(1, ordering: .relaxed).newValue }

/// The edits that an editor has recorded, and the state from which they lead to its elements.
///
/// A copy of an editor takes both along, so they always belong to its elements, whichever editor is assigned to which.
struct Recording<Edit: Sendable>: Sendable {
  /// Nil for an editor of no state, which records nothing.
  fileprivate let origin: StateID?
  private(set) var edits: [Edit] = []

  init(since origin: StateID? = nil) { self.origin = origin }

  mutating func append(_ edit: @autoclosure () -> Edit) {
    if origin != nil { edits.append(edit()) }
  }
}

/// The history of a collection: its last edits, in batches that lead from one state to the next.
///
/// States have identifiers and are not counted. What a transaction writes and then takes back, or writes again on a newer
/// value, has identifiers that no later state has. So edits are only ever found between states of which one came from the
/// other.
///
/// It is a value type; copies share their common part. The oldest batches are discarded; see `BatchLog.limit`.
struct EditLog<Edit: Sendable>: Sendable {
  private var batches = BatchLog()

  init() {}

  /// The state after the newest batch.
  var id: StateID { batches.id }

  /// Adds what the editor of a collection has recorded that now has `size` elements.
  ///
  /// If the edits lead from another state, the history begins again: the collection was replaced as a whole.
  mutating func append(_ recording: Recording<Edit>, size: Int) {
    guard recording.origin == id else {
      self = EditLog()
      return
    }
    if recording.edits.isEmpty { return }
    batches.append(EditBatch(before: id, edits: recording.edits), size: size)
  }

  /// The edits since the collection was in that state, in order; nil if they are not known (any more).
  ///
  /// - Complexity: O(*k*) in the number of batches since then.
  func edits(since state: StateID) -> [Edit]? {
    if state == id { return [] }
    guard let parts = batches.since(state) else { return nil }
    func edits(_ batch: Batch) -> [Edit] { unsafeDowncast(batch, to: EditBatch<Edit>.self).edits }
    return parts.count == 1 ? edits(parts[0]) : parts.flatMap(edits)
  }
}

/// The edits of one change, and the state before it. The log knows nothing of the type of the edits.
private class Batch: @unchecked Sendable {  // nothing of it changes, and the one subclass has edits that are `Sendable`
  let before: StateID
  init(before: StateID) { self.before = before }
}
private final class EditBatch<Edit: Sendable>: Batch, @unchecked Sendable {  // as above
  let edits: [Edit]
  init(before: StateID, edits: [Edit]) {
    self.edits = edits
    super.init(before: before)
  }
}

private struct BatchLog: Sendable {
  /// The newest batches, at most 64. States that lead from one to the next share them: each knows how many are its.
  private final class Tail: Sendable {
    private let batches: Lock<[Batch]>
    init(_ batches: [Batch]) { self.batches = Lock(batches) }

    /// Adds a batch after a number of others; false if another state has added one there.
    func append(_ batch: Batch, after count: Int) -> Bool {
      batches.withLock { batches in
        if batches.count != count { return false }
        batches.append(batch)
        return true
      }
    }
    func prefix(_ count: Int) -> [Batch] { Array(batches.withLock { $0 }.prefix(count)) }
    func batch(_ index: Int) -> Batch { batches.withLock { $0[index] } }
  }
  /// 64 batches. The limit bounds the length of the chain, and so the nesting of its release.
  private final class Chunk: Sendable {
    let batches: [Batch]
    let previous: Chunk?
    let count: Int
    init(_ batches: [Batch], _ previous: Chunk?) {
      self.batches = batches
      self.previous = previous
      count = (previous?.count ?? 0) + 1
    }
  }
  private static var chunkSize: Int { 64 }

  private(set) var id = newStateID()
  /// Nil before the first batch, so that a log without edits takes no memory.
  private var tail: Tail?
  private var count = 0
  private var older: Chunk?

  /// The least number of batches that are kept. Replacing a collection of `size` elements costs no more than applying that
  /// number of edits, so an observer that has missed more loses nothing by a reset, up to 4,096.
  private static func limit(forSize size: Int) -> Int { max(256, min(size, 4_096)) }

  mutating func append(_ batch: Batch, size: Int) {
    if count == Self.chunkSize, let full = tail {
      older = Chunk(full.prefix(count), older)
      (tail, count) = (nil, 0)
      let kept = Self.limit(forSize: size) / Self.chunkSize
      if let count = older?.count, count > 2 * kept { older = Self.newest(kept, of: older) }
    }
    if tail?.append(batch, after: count) != true { tail = Tail((tail?.prefix(count) ?? []) + [batch]) }
    count += 1
    id = newStateID()
  }
  private static func newest(_ count: Int, of chunk: Chunk?) -> Chunk? {
    var kept: [Chunk] = []
    var next = chunk
    while let chunk = next, kept.count < count {
      kept.append(chunk)
      next = chunk.previous
    }
    return kept.reversed().reduce(nil) { Chunk($1.batches, $0) }
  }

  /// The batches since a state, in order.
  func since(_ state: StateID) -> [Batch]? {
    // Identifiers ascend along the log: an older batch cannot lead from a later state.
    guard state < id, let tail else { return nil }
    // A follower has mostly missed one change.
    let last = tail.batch(count - 1)
    if last.before == state { return [last] }
    var parts: [Batch] = []
    func isFound(in batches: [Batch]) -> Bool? {
      for batch in batches.reversed() {
        parts.append(batch)
        if batch.before == state { return true }
        if batch.before < state { return nil }
      }
      return false
    }
    var batches = tail.prefix(count)
    var next = older
    while true {
      guard let isFound = isFound(in: batches) else { return nil }
      if isFound { return parts.reversed() }
      guard let chunk = next else { return nil }
      (batches, next) = (chunk.batches, chunk.previous)
    }
  }
}
