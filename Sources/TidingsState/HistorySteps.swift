import Tidings

/// The changes of one propagation: the contents before it, by the index of the value. For a step that was undone, those after it.
///
/// It is one reference: each write copies the list of steps.
struct HistoryStep: Sendable {
  private final class Contents: Sendable {
    let propagations: [UInt]
    let values: [Int: any Sendable]
    let displaced: [HistoryStep]
    let time: Duration?
    init(_ propagations: [UInt], _ values: [Int: any Sendable], _ displaced: [HistoryStep], _ time: Duration?) {
      self.propagations = propagations
      self.values = values
      self.displaced = displaced
      self.time = time
    }
  }
  private var contents: Contents

  /// The propagation that made it, and those of the undos and redos since, the last of them at the end.
  var propagations: [UInt] { contents.propagations }
  fileprivate(set) var values: [Int: any Sendable] {
    get { contents.values }
    set { contents = Contents(propagations, newValue, displaced, time) }
  }
  /// The steps to redo that it has made impossible, while it is the newest: it may turn out to have changed nothing.
  fileprivate var displaced: [HistoryStep] {
    get { contents.displaced }
    set { contents = Contents(propagations, values, newValue, time) }
  }
  /// When it was last extended; nil if it is not to be coalesced with others.
  fileprivate var time: Duration? {
    get { contents.time }
    set { contents = Contents(propagations, values, displaced, newValue) }
  }

  fileprivate init(
    _ propagations: [UInt], _ values: [Int: any Sendable], displacing displaced: [HistoryStep] = [],
    at time: Duration? = nil
  ) {
    // A step that is undone and redone for ever keeps the numbers of the last rounds.
    let last = propagations.count > 9 ? propagations.prefix(1) + propagations.suffix(8) : propagations[...]
    contents = Contents(Array(last), values, displaced, time)
  }
}

/// The steps to undo and to redo. They are written in the transactions that write the values, so they always agree with these.
struct HistorySteps: Sendable {
  enum Direction { case undo, redo }

  /// The steps before the last transaction, the oldest first.
  private var past: [HistoryStep] = []
  private var future: [HistoryStep] = []
  /// The last transaction. It becomes part of the steps when another follows: until then its writes may be applied again.
  private var last: Writes?
  /// Propagations whose steps were discarded. What they still cause joins the newest step, if there is one.
  private var discarded: [UInt] = []
  /// The greatest number of a propagation so far. A greater one has no step yet.
  private var newest: UInt = 0
  private let limit: Int
  /// The pause that separates two steps of the same values.
  private let pause: Duration?

  private struct Writes: Sendable {
    let transaction: UInt32
    let propagation: UInt
    let time: Duration?
    var values: [Int: (old: any Sendable, new: any Sendable, isChange: Bool)] = [:]
    /// The step that it undoes or redoes.
    var moved: (step: HistoryStep, direction: Direction)?
  }

  init(limit: Int, pause: Duration?) { (self.limit, self.pause) = (limit, pause) }

  /// The steps to undo and to redo, with the last transaction.
  var counts: (undo: Int, redo: Int) {
    let all = folded
    return (all.past.count, all.future.count)
  }
  /// Whether the newest step is that of the propagation.
  func isNewest(_ propagation: UInt) -> Bool {
    folded.past.last.map { $0.propagations.contains(propagation) } ?? false
  }

  mutating func record(
    _ write: RecordedWrite, at time: Duration?, unlessSame isNoChange: (any Sendable, any Sendable) -> Bool
  ) {
    begin(write.transaction, write.propagation, time)
    let old = write.isFirst ? write.old : last?.values[write.index]?.old ?? write.old
    let isChange = !isNoChange(old, write.new) && !areKnownSame(old, write.new)
    last?.values[write.index] = (old, write.new, isChange)
  }
  private mutating func begin(_ transaction: UInt32, _ propagation: UInt, _ time: Duration?) {
    if last?.transaction == transaction { return }
    self = folded
    last = Writes(transaction: transaction, propagation: propagation, time: time)
  }

  /// Takes the newest step, to be undone or redone by this transaction. What the transaction has written before becomes part of it.
  mutating func take(_ direction: Direction, in transaction: UInt32, of propagation: UInt) -> HistoryStep? {
    if last?.moved != nil { self = folded }
    begin(transaction, propagation, nil)
    guard let step = direction == .undo ? past.popLast() : future.popLast() else { return nil }
    last?.moved = (step, direction)
    return step
  }

  mutating func clear() {
    self = folded
    discard(past + future)
    (past, future) = ([], [])
  }

  // MARK: The last transaction

  private var folded: HistorySteps {
    guard let last else { return self }
    var new = self
    new.last = nil
    if let (step, direction) = last.moved {
      new.push(
        HistoryStep(step.propagations + [last.propagation], last.values.filter(\.value.isChange).mapValues(\.old)),
        direction)
    } else if let (steps, index) = place(of: last.propagation) {
      if steps == .undo { new.join(last, at: index) } else { new.join(last, undoneAt: index) }
    } else if coalesces(last) {
      new.join(last, at: past.count - 1)
    } else if !isDiscarded(last.propagation) {
      new.add(last)
    }
    new.newest = max(newest, last.propagation)
    return new
  }

  /// The step that what a propagation causes joins, if there is one: its own, or the newest if that was discarded.
  private func place(of propagation: UInt) -> (steps: Direction, index: Int)? {
    if propagation > newest { return nil }
    if let index = past.lastIndex(where: { $0.propagations.contains(propagation) }) { return (.undo, index) }
    if let index = future.lastIndex(where: { $0.propagations.contains(propagation) }) { return (.redo, index) }
    return isDiscarded(propagation) && !past.isEmpty ? (.undo, past.count - 1) : nil
  }
  private func isDiscarded(_ propagation: UInt) -> Bool {
    propagation <= newest && discarded.contains(propagation)
  }

  private mutating func push(_ step: HistoryStep, _ direction: Direction) {
    if step.values.isEmpty { return discard([step]) }
    switch direction {
    case .undo: future.append(step)
    case .redo:
      past.append(step)
      trim()
    }
  }
  private mutating func add(_ writes: Writes) {
    let changes = writes.values.filter(\.value.isChange)
    if changes.isEmpty { return }
    discard(future)
    if let before = past.last, !before.displaced.isEmpty { past[past.count - 1].displaced = [] }
    past.append(HistoryStep([writes.propagation], changes.mapValues(\.old), displacing: future, at: writes.time))
    future = []
    trim()
  }
  private mutating func trim() {
    if past.count <= limit { return }
    discard(Array(past.prefix(past.count - limit)))
    past.removeFirst(past.count - limit)
  }
  private mutating func discard(_ steps: [HistoryStep]) {
    for step in steps { discarded += step.propagations }
    if discarded.count > 512 { discarded.removeFirst(discarded.count - 256) }
  }

  /// Adds what a step has caused later. A value that a later step has changed belongs to that one.
  private mutating func join(_ writes: Writes, at index: Int) {
    for (value, write) in writes.values where write.isChange {
      let place = past.lastIndex { $0.values[value] != nil }.map { max($0, index) } ?? index
      if let first = past[place].values[value] {
        if areKnownSame(first, write.new) { past[place].values[value] = nil }
      } else {
        past[place].values[value] = write.old
      }
    }
    if let time = writes.time { past[index].time = time }
    for place in (index..<past.count).reversed() where past[place].values.isEmpty {
      let step = past.remove(at: place)
      if place == past.count, future.isEmpty { future = step.displaced }
    }
  }
  /// The same for a step that was undone: what its undo causes does not change what it restores.
  private mutating func join(_ writes: Writes, undoneAt index: Int) {
    let isOfUndo = future[index].propagations.last == writes.propagation
    for (value, write) in writes.values where write.isChange {
      if !isOfUndo {
        future[index].values[value] = write.new
      } else if future[index].values[value] == nil {
        future[index].values[value] = write.old
      }
    }
  }
  /// Whether the writes continue the newest step: the same values, before the pause is over.
  private func coalesces(_ writes: Writes) -> Bool {
    guard let pause, let newest = past.last, future.isEmpty, let before = newest.time, let time = writes.time,
      time - before < pause
    else { return false }
    let changed = writes.values.filter(\.value.isChange)
    return !changed.isEmpty && changed.allSatisfy { newest.values[$0.key] != nil }
  }
}
