import Synchronization

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
/// It is a value type; copies share their common part. The oldest batches are discarded; see `limit`.
struct EditLog<Edit: Sendable>: Sendable {
  private struct Batch: Sendable {
    let before: StateID
    let edits: [Edit]
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

  /// The state after the newest batch.
  private(set) var id = newStateID()
  private var recent: [Batch] = []
  private var older: Chunk?

  /// The least number of batches that are kept. Replacing a collection of `size` elements costs no more than applying that
  /// number of edits, so an observer that has missed more loses nothing by a reset, up to 4,096.
  private static func limit(forSize size: Int) -> Int { max(256, min(size, 4_096)) }

  /// Adds what the editor of a collection has recorded that now has `size` elements.
  ///
  /// If the edits lead from another state, the history begins again: the collection was replaced as a whole.
  mutating func append(_ recording: Recording<Edit>, size: Int) {
    guard recording.origin == id else {
      self = EditLog()
      return
    }
    if recording.edits.isEmpty { return }
    if recent.count == Self.chunkSize {
      older = Chunk(recent, older)
      recent = []
      let kept = Self.limit(forSize: size) / Self.chunkSize
      if let count = older?.count, count > 2 * kept { older = Self.newest(kept, of: older) }
    }
    recent.append(Batch(before: id, edits: recording.edits))
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

  /// The edits since the collection was in that state, in order; nil if they are not known (any more).
  ///
  /// - Complexity: O(*k*) in the number of batches since then.
  func edits(since state: StateID) -> [Edit]? {
    if state == id { return [] }
    // Identifiers ascend along the log: an older batch cannot lead from a later state.
    if state > id { return nil }
    var parts: [[Edit]] = []
    func isFound(in batches: [Batch]) -> Bool? {
      for batch in batches.reversed() {
        parts.append(batch.edits)
        if batch.before == state { return true }
        if batch.before < state { return nil }
      }
      return false
    }
    var batches = recent
    var next = older
    while true {
      guard let isFound = isFound(in: batches) else { return nil }
      if isFound { return parts.reversed().flatMap { $0 } }
      guard let chunk = next else { return nil }
      (batches, next) = (chunk.batches, chunk.previous)
    }
  }
}
