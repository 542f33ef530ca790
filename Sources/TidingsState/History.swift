public import Tidings

/// Undo and redo over chosen values, with one step for each write and everything that it causes.
///
/// ```swift
/// let history = History(of: quantity, price)
/// transaction {
///   quantity.set(2)
///   price.set(8)
/// }
/// history.undo()   // both
/// history.redo()
/// ```
///
/// **Steps.** A step is a propagation: a `set`, an `update` or a transaction that no handler causes, and what handlers write because
/// of it, in any number of rounds. It includes what handlers on other actors and asynchronous handlers write. A history
/// does not wait for them: a step exists as soon as its first value has changed, and what its followers write joins it, however
/// late. A propagation after which every value is equal to the one before is no step. Writes of tasks that a handler starts,
/// and of the consumers of streams, are propagations of their own.
///
/// **Undo and redo** write in one transaction, so handlers are called as for any change and no reader sees a part of it. What they
/// cause is part of them and no step. A new change discards the steps that could be redone.
///
/// **Threads.** Every member may be used from any thread. The steps are written together with the values, so they agree with them
/// on every thread. Two simultaneous undos take back two steps. An undo beside another thread's write comes before it, or takes
/// it back. What a transaction changes before it undoes becomes part of the undo.
///
/// It retains the values. When it is deinitialized, recording ends. While a history follows a value, each write of it is a
/// transaction, so `willChange` notifies when the value has already been replaced.
public final class History: Sendable {
  private let tracked: [Restoration]
  private let recorder: HistoryRecorder
  private let clock: @Sendable () -> Duration
  private let lastGroup = Lock<Group?>(nil)
  private struct Group: Sendable {
    let key: any Hashable & Sendable
    let propagation: UInt
    let end: Duration
  }

  /// Whether there is something to undo.
  public let canUndo: Derived<Bool>
  /// Whether there is something to redo.
  public let canRedo: Derived<Bool>

  /// Makes a history, which records from now on.
  ///
  /// ```swift
  /// let typing = History(of: text, coalescing: .seconds(1))   // what is typed without a pause is one step
  /// ```
  ///
  /// - Parameters:
  ///   - source: The values that are undone together: each an `Observed`, an `ObservedArray` or an `ObservedDictionary`.
  ///   - limit: The number of steps that are kept; beyond it the oldest is discarded.
  ///   - pause: Steps that change the same values become one, until nothing has changed for this time, something else has
  ///     changed, or something was undone. Nil: each step remains its own.
  ///   - clock: Measures the pauses.
  public convenience init<each Source: RestorableSource>(
    of source: repeat each Source, limit: Int = 100, coalescing pause: Duration? = nil,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    var sources: [any RestorableSource] = []
    repeat sources.append(each source)
    self.init(of: sources, limit: limit, coalescing: pause, clock: clock)
  }

  /// Makes a history of values that are counted at run time.
  ///
  /// - Parameters:
  ///   - sources: The values that are undone together.
  ///   - limit: The number of steps that are kept; beyond it the oldest is discarded.
  ///   - pause: Steps that change the same values become one, until this time has passed without a change.
  ///   - clock: Measures the pauses.
  public init(
    of sources: [any RestorableSource], limit: Int = 100, coalescing pause: Duration? = nil,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    let start = clock.now
    let time: @Sendable () -> Duration = { start.duration(to: clock.now) }
    tracked = sources.map(\.restoration)
    recorder = HistoryRecorder(tracked, limit: limit, pause: pause, time)
    self.clock = time
    let steps = recorder.steps
    canUndo = Derived { steps.value.counts.undo > 0 }
    canRedo = Derived { steps.value.counts.redo > 0 }
    for (index, value) in tracked.enumerated() { value.record(recorder, index) }
  }
  deinit { for value in tracked { value.endRecording(recorder) } }

  /// Undoes the last step.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  /// - Returns: False if there was none, or if a value's policy refuses what is to be restored. Then nothing is written and the
  ///   step stays where it was.
  /// - Complexity: O(*n*) in the number of values, and what their changes cause.
  @discardableResult
  public func undo(isolation: isolated (any Actor)? = #isolation) -> Bool { move(.undo, isolation) }

  /// Redoes the step that was undone last.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  /// - Returns: False if there was none, or if a value's policy refuses what is to be restored. Then nothing is written and the
  ///   step stays where it was.
  /// - Complexity: O(*n*) in the number of values, and what their changes cause.
  @discardableResult
  public func redo(isolation: isolated (any Actor)? = #isolation) -> Bool { move(.redo, isolation) }

  /// Discards every step, for example after a document was opened or saved.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  public func clear(isolation: isolated (any Actor)? = #isolation) {
    recorder.steps.update(isolation: isolation) { $0.clear() }
  }

  /// Makes one step of everything that the closure changes.
  ///
  /// ```swift
  /// history.group {
  ///   for item in selection { item.set(0) }
  /// }
  /// ```
  ///
  /// Unlike a transaction, a group does not defer notifications, and each value may change several times. A group within another,
  /// in a handler or in a transaction is part of what is around it.
  ///
  /// - Parameter body: Writes values, on the calling thread.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws. What it has written before stays written.
  public func group<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    if Propagation.isUnderWay { return try body() }
    return try Propagation.with(Propagation.newNumber(), body)
  }

  /// Makes one step of everything that the closure changes, and of the groups with the same key that follow without a pause.
  ///
  /// ```swift
  /// history.group("price", pause: .seconds(1)) { price.update { $0 += 1 } }
  /// ```
  ///
  /// A pause is over when that time has passed since the end of the last group, or when something else was changed or undone.
  ///
  /// - Parameters:
  ///   - key: Names what belongs together.
  ///   - pause: The time after which a group begins a new step.
  ///   - body: Writes values, on the calling thread.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws. What it has written before stays written.
  public func group<R, E: Error>(
    _ key: some Hashable & Sendable, pause: Duration, _ body: () throws(E) -> R
  ) throws(E) -> R {
    if Propagation.isUnderWay { return try body() }
    let propagation = continued(key, pause) ?? Propagation.newNumber()
    defer {
      let ended = Group(key: key, propagation: propagation, end: clock())
      replaceGroup(by: ended)
    }
    return try Propagation.with(propagation, body)
  }
  /// The propagation that a group continues, if it does.
  private func continued(_ key: some Hashable & Sendable, _ pause: Duration) -> UInt? {
    guard let last = lastGroup.withLock({ $0 }), clock() - last.end < pause,
      AnyHashable(last.key) == AnyHashable(key), untracked({ recorder.steps.value.isNewest(last.propagation) })
    else { return nil }
    return last.propagation
  }

  private func replaceGroup(by new: Group?) {
    // The old key is released outside the lock.
    let old = lastGroup.withLock { last in
      defer { last = new }
      return last
    }
    withExtendedLifetime(old) {}
  }

  private enum Stop: Error {
    /// Another thread has changed a value, or moved a step, meanwhile.
    case overtaken
    case refused
  }
  private func move(_ direction: HistorySteps.Direction, _ isolation: isolated (any Actor)?) -> Bool {
    let isInner = Propagation.isInTransaction
    while true {
      do throws(Stop) {
        let isMoved = try transaction(isolation: isolation) { () throws(Stop) -> Bool in
          try moveOnce(direction, isInner: isInner, isolation)
        }
        if isMoved { replaceGroup(by: nil) }
        return isMoved
      } catch {
        if case .refused = error { return false }
      }
    }
  }
  private func moveOnce(
    _ direction: HistorySteps.Direction, isInner: Bool, _ isolation: isolated (any Actor)?
  ) throws(Stop) -> Bool {
    let (transaction, propagation) = Propagation.ofTransaction
    var isFirst = true
    let step = try recorder.steps.update(isolation: isolation) { steps throws(Stop) -> HistoryStep? in
      // It runs again where the steps have changed, as they do with each value. Then the values that were written are not those of
      // the newest step. A transaction around this one cannot be run again: what it has written remains, as a step of its own.
      if !isFirst, isInner { return nil }
      if !isFirst { throw Stop.overtaken }
      isFirst = false
      return steps.take(direction, in: transaction, of: propagation)
    }
    guard let values = step?.values.sorted(by: { $0.key < $1.key }) else { return false }
    for (index, old) in values where tracked[index].isRefused(old) { throw .refused }
    for (index, old) in values { tracked[index].restore(old, isolation) }
    return true
  }
}

extension History: CustomStringConvertible, CustomReflectable {
  /// The type and the number of steps.
  ///
  /// ```swift
  /// print(history)   // History of 3 values (2 to undo, 0 to redo)
  /// ```
  public var description: String {
    let counts = counts
    return
      "History of \(tracked.count) value\(tracked.count == 1 ? "" : "s") (\(counts.undo) to undo, \(counts.redo) to redo)"
  }
  public var customMirror: Mirror {
    let counts = counts
    return Mirror(
      self, children: ["values": tracked.count, "undo": counts.undo, "redo": counts.redo], displayStyle: .class)
  }
  private var counts: (undo: Int, redo: Int) { untracked { recorder.steps.value.counts } }
}

/// Writes the steps in the transactions that write the values. It does not retain the values.
private final class HistoryRecorder: WriteRecorder {
  let steps: Observed<HistorySteps>
  private let isNoChange: [@Sendable (_ old: any Sendable, _ new: any Sendable) -> Bool]
  private let time: (@Sendable () -> Duration)?

  init(_ tracked: [Restoration], limit: Int, pause: Duration?, _ time: @escaping @Sendable () -> Duration) {
    steps = Observed(HistorySteps(limit: limit, pause: pause), label: "history")
    isNoChange = tracked.map(\.isNoChange)
    self.time = pause == nil ? nil : time
  }
  func record(_ write: RecordedWrite) {
    let (time, isNoChange) = (time?(), isNoChange[write.index])
    steps.update { $0.record(write, at: time, unlessSame: isNoChange) }
  }
}

extension Observed: RestorableSource {
  /// How a `History` records and restores the value.
  public var restoration: Restoration { Restoration(self) }
}
