import Synchronization

/// Identifies a state of a collection, uniquely among all collections. Later states have greater identifiers.
typealias StateID = UInt

private let lastStateID = Atomic<StateID>(0)
func newStateID() -> StateID { lastStateID.wrappingAdd(1, ordering: .relaxed).newValue }

/// The history of a collection: its last edits, in batches that lead from one state to the next.
///
/// States have identifiers and are not counted. What a transaction writes and then takes back, or writes again on a newer
/// value, has identifiers that no later state has. So edits are only ever found between states of which one came from the
/// other.
///
/// It is a value type; copies share their common part. The oldest batches are discarded; see `limit`.
struct EditLog: Sendable {
  /// The state after the newest batch.
  private(set) var id = newStateID()
  /// The newest batches, at most 64. Nil before the first, so that a log without edits takes no memory.
  private var tail: Tail?
  private var count = 0
  private var older: Chunk?

  /// The least number of batches that are kept. Replacing a collection of `size` elements costs no more than applying that
  /// number of edits, so an observer that has missed more loses nothing by a reset, up to 4,096.
  private static func limit(forSize size: Int) -> Int { max(256, min(size, 4_096)) }

  /// Adds what the editor of a collection has recorded that now has `size` elements.
  ///
  /// If the edits lead from another state, the history begins again: the collection was replaced as a whole.
  mutating func append(_ recording: Recording, size: Int) {
    guard recording.origin == id else {
      self = EditLog()
      return
    }
    guard let batch = recording.batch else { return }
    if count == Tail.capacity, let full = tail {
      older = Chunk(full.prefix(count), older)
      (tail, count) = (nil, 0)
      let kept = Self.limit(forSize: size) / Tail.capacity
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

  /// The batches since the collection was in that state, in order; nil if they are not known (any more).
  ///
  /// - Complexity: O(*k*) in the number of batches since then.
  func batches(since state: StateID) -> [EditBatch]? {
    if state == id { return [] }
    // Identifiers ascend along the log: an older batch cannot lead from a later state.
    guard state < id, let tail else { return nil }
    // A follower has mostly missed one change.
    let last = tail[count - 1]
    if last.before == state { return [last] }
    var parts: [EditBatch] = []
    func isFound(in batches: [EditBatch]) -> Bool? {
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

/// 64 batches. The limit bounds the length of the chain, and so the nesting of its release.
private final class Chunk: Sendable {
  let batches: [EditBatch]
  let previous: Chunk?
  let count: Int
  init(_ batches: [EditBatch], _ previous: Chunk?) {
    self.batches = batches
    self.previous = previous
    count = (previous?.count ?? 0) + 1
  }
}

/// Room for 64 batches, which the states that lead from one to the next share. Each state knows how many are its.
private final class Tail: @unchecked Sendable {
  // A place is written once, by the thread that has claimed it. Only the state that this thread then makes reads the place, and
  // what comes of that state. A state is passed on with the ordering that any value is.
  private let places: UnsafeMutablePointer<EditBatch>
  private let claimed: Atomic<Int>
  static var capacity: Int { 64 }

  init(_ batches: [EditBatch]) {
    places = .allocate(capacity: Self.capacity)
    for (index, batch) in batches.enumerated() { (places + index).initialize(to: batch) }
    claimed = Atomic(batches.count)
  }
  deinit {
    places.deinitialize(count: claimed.load(ordering: .relaxed))
    places.deallocate()
  }

  /// Adds a batch after a number of others; false if another state has one there.
  func append(_ batch: EditBatch, after count: Int) -> Bool {
    guard claimed.compareExchange(expected: count, desired: count + 1, ordering: .relaxed).exchanged else {
      return false
    }
    (places + count).initialize(to: batch)
    return true
  }
  subscript(index: Int) -> EditBatch { places[index] }
  func prefix(_ count: Int) -> [EditBatch] { Array(UnsafeBufferPointer(start: places, count: count)) }
}
