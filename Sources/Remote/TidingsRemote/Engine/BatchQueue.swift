import Tidings

/// A bounded queue between any thread and one task that takes batches: one wake-up a batch, not one a message.
///
/// When it is full the oldest elements are dropped and counted under their label, so that appending never waits; or, where nothing
/// is to be dropped, the caller that fills it is asked to pause.
final class BatchQueue<Element: Sendable>: Sendable {
  struct Batch {
    var elements: [Element]
    var dropped: [String: Int]
    var isEmpty: Bool { elements.isEmpty && dropped.isEmpty }
  }
  private struct State {
    var elements: [Element] = []
    var first = 0
    var dropped: [String: Int] = [:]
    var isClosed = false
    var isPaused = false
    /// Whether a batch is in `drain`, or an element with a caller that takes care of it itself.
    var isTaken = false
    var count: Int { elements.count - first }

    enum Next { case batch, nothing, end }
    mutating func next() -> Next {
      if isTaken { return .nothing }
      if count == 0, dropped.isEmpty { return isClosed ? .end : .nothing }
      isTaken = true
      return .batch
    }
  }
  private let state = Lock(State())
  private let signal = Signal()
  private let limit: Int
  private let drops: Bool
  private let label: @Sendable (Element) -> String

  init(limit: Int, drops: Bool = true, label: @escaping @Sendable (Element) -> String) {
    (self.limit, self.drops, self.label) = (limit, drops, label)
  }

  /// Whether it is full, so that its filler is to pause; how many wait when that begins.
  func pauses() -> (isPaused: Bool, began: Int?) {
    state.withLock { state in
      if state.isPaused || state.count < limit { return (state.isPaused, nil) }
      state.isPaused = true
      return (true, state.count)
    }
  }
  /// Whether its filler has paused and is to continue: when half of it is taken.
  func resumes() -> Bool {
    state.withLock { state in
      guard state.isPaused, state.count <= limit / 2 else { return false }
      state.isPaused = false
      return true
    }
  }

  /// False once it is closed; the elements are then not taken.
  @discardableResult
  func append(contentsOf elements: some Collection<Element>) -> Bool {
    let isOpen = state.withLock { state in
      guard !state.isClosed else { return false }
      state.elements.append(contentsOf: elements)
      while drops, state.count > limit {
        state.dropped[label(state.elements[state.first]), default: 0] += 1
        state.first += 1
      }
      // The dropped part is removed once it is as long as what is kept, so that dropping is O(1) amortized.
      if state.first > limit {
        state.elements.removeFirst(state.first)
        state.first = 0
      }
      return true
    }
    if isOpen { signal.ring() }
    return isOpen
  }
  @discardableResult
  func append(_ element: Element) -> Bool { append(contentsOf: CollectionOfOne(element)) }

  /// Whether nothing waits and no batch is taken. Then the caller may take care of an element itself, in its place in the order,
  /// and calls `leave` when that is done.
  func enter() -> Bool {
    state.withLock { state in
      if state.isTaken || state.isClosed || state.count > 0 || !state.dropped.isEmpty { return false }
      state.isTaken = true
      return true
    }
  }
  func leave() {
    let isAwaited = state.withLock { state in
      state.isTaken = false
      return state.count > 0 || state.isClosed
    }
    if isAwaited { signal.ring() }
  }

  /// Takes no more; `drain` returns when it is empty.
  func close() {
    state.withLock { $0.isClosed = true }
    signal.close()
  }

  /// Calls `body` with one batch after the other until the queue is closed and empty.
  ///
  /// - Parameter ready: Awaited before each batch that is not empty is taken, so that the batch has everything that has come by
  ///   then.
  func drain(upTo count: Int, after ready: () async -> Void = {}, _ body: (Batch) async -> Void) async {
    while true {
      switch state.withLock({ $0.next() }) {
      case .batch:
        await ready()
        await body(take(count))
        state.withLock { $0.isTaken = false }
      case .end: return
      case .nothing:
        await signal.wait()
        // A closed signal is not waited for, and an element that its caller takes care of is, for the moment that it takes.
        if signal.isClosed { await Task.yield() }
      }
    }
  }

  private func take(_ count: Int) -> Batch {
    state.withLock { state in
      defer { state.dropped = [:] }
      let end = min(state.elements.count, state.first + count)
      if state.first == 0, end == state.elements.count {
        defer { state.elements = [] }
        return Batch(elements: state.elements, dropped: state.dropped)
      }
      let elements = Array(state.elements[state.first..<end])
      state.first = end
      if end == state.elements.count { (state.elements, state.first) = ([], 0) }
      return Batch(elements: elements, dropped: state.dropped)
    }
  }
}
