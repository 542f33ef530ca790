public import Tidings

/// Undo and redo over chosen values, with one step for simultaneous changes.
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
/// A step holds the values before a change. There is one step for each transaction, and one for a `set` together with what
/// handlers set because of it. A change to equal values is no step. Undo and redo write in one transaction, so handlers are
/// called as for any change and no reader sees a part of it. A new change discards the steps that could be redone.
///
/// Every member may be used from any thread. Call `undo` where the user requests it, not in a handler of the values, whose
/// change may not have become a step yet. What the same transaction changes together with an undo becomes part of the undo
/// and no step of its own. What another thread changes at that moment may become part of it too, or may be a step that is
/// undone with it. In every case values that changed together are restored together.
///
/// It retains the values. When it is deinitialized, recording ends.
public final class History: Sendable {
  private let tracked: [TrackedValue]
  /// Changed by an undo or redo in the transaction in which it writes: distinguishes its changes from those that are steps.
  private let mark: Observed<UInt>
  private let steps: Observed<Steps>
  /// All values of one moment; reading them one after the other would not be consistent.
  private let moments: Derived<Moment>
  private let subscription: Subscription

  /// Whether there is something to undo.
  public let canUndo: Derived<Bool>
  /// Whether there is something to redo.
  public let canRedo: Derived<Bool>

  /// Makes a history, which records from now on.
  ///
  /// - Parameters:
  ///   - value: The values that are undone together. They are compared if their type is `Equatable`.
  ///   - limit: The number of steps that are kept; beyond it the oldest is discarded.
  public init<each Value: Sendable>(of value: repeat Observed<each Value>, limit: Int = 100) {
    var tracked: [TrackedValue] = []
    repeat tracked.append(TrackedValue(each value))
    let (mark, steps) = (Observed<UInt>(0), Observed(Steps(limit: limit)))
    let moments = Derived("history") { [tracked] in
      Moment(tracked, mark: mark.value)
    }
    subscription = moments.observe { change in
      guard let old = change.old, old.mark == change.new.mark else { return }
      let step = Step(from: old, to: change.new)
      steps.update { $0.add(step) }
    }
    self.tracked = tracked
    self.moments = moments
    self.mark = mark
    self.steps = steps
    canUndo = Derived { !steps.value.past.isEmpty }
    canRedo = Derived { !steps.value.future.isEmpty }
  }
  // The subscription would otherwise live as long as another reference to it.
  deinit { subscription.cancel() }

  /// Undoes the last step.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  /// - Returns: False if there was none.
  /// - Complexity: O(*n*) in the number of values, and what their changes cause.
  @discardableResult
  public func undo(isolation: isolated (any Actor)? = #isolation) -> Bool {
    move(isolation) { steps, now in steps.undo(from: now) }
  }

  /// Redoes the step that was undone last.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  /// - Returns: False if there was none.
  /// - Complexity: O(*n*) in the number of values, and what their changes cause.
  @discardableResult
  public func redo(isolation: isolated (any Actor)? = #isolation) -> Bool {
    move(isolation) { steps, now in steps.redo(from: now) }
  }

  /// Discards every step, for example after a document was opened or saved.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  public func clear(isolation: isolated (any Actor)? = #isolation) {
    steps.update(isolation: isolation) { $0 = Steps(limit: $0.limit) }
  }

  private func move(
    _ isolation: isolated (any Actor)?, _ take: @escaping @Sendable (inout Steps, _ now: Moment) -> Step?
  ) -> Bool {
    transaction(isolation: isolation) {
      let now = moments.value
      guard let step = steps.update(isolation: isolation, { steps in take(&steps, now) }) else { return false }
      mark.update(isolation: isolation) { $0 &+= 1 }
      // All values of the step, also one that is equal now: another thread may be about to change them together.
      for (index, value) in step.values { tracked[index].write(value, isolation) }
      return true
    }
  }
}

extension History: CustomStringConvertible, CustomReflectable {
  /// The type and the number of steps.
  ///
  /// ```swift
  /// print(history)   // History of 3 values (2 to undo, 0 to redo)
  /// ```
  public var description: String {
    "History of \(tracked.count) value\(tracked.count == 1 ? "" : "s") (\(known.past.count) to undo, \(known.future.count) to redo)"
  }
  public var customMirror: Mirror {
    let known = known
    return Mirror(
      self, children: ["values": tracked.count, "undo": known.past.count, "redo": known.future.count],
      displayStyle: .class)
  }
  private var known: Steps { untracked { steps.value } }
}

/// The values before a simultaneous change, by their index.
private struct Step: Sendable {
  let values: [(index: Int, value: any Sendable)]

  init(from old: Moment, to new: Moment) {
    values = old.values.indices.filter { !old.tracked[$0].areEqual(old.values[$0], new.values[$0]) }
      .map { ($0, old.values[$0]) }
  }
  /// The step that reverts `step`.
  init(undoing step: Step, from now: Moment) { values = step.values.map { ($0.index, now.values[$0.index]) } }
}

/// The steps to undo, the oldest first, and the steps to redo.
private struct Steps: Sendable {
  let limit: Int
  private(set) var past: [Step] = []
  private(set) var future: [Step] = []

  init(limit: Int) { self.limit = limit }

  mutating func add(_ step: Step) {
    past.append(step)
    if past.count > limit { past.removeFirst(past.count - limit) }
    future = []
  }
  mutating func undo(from now: Moment) -> Step? {
    guard let last = past.popLast() else { return nil }
    future.append(Step(undoing: last, from: now))
    return last
  }
  mutating func redo(from now: Moment) -> Step? {
    guard let next = future.popLast() else { return nil }
    past.append(Step(undoing: next, from: now))
    return next
  }
}

/// All values at one moment.
private struct Moment: Sendable, Equatable {
  let tracked: [TrackedValue]
  let values: [any Sendable]
  let mark: UInt

  init(_ tracked: [TrackedValue], mark: UInt) {
    self.tracked = tracked
    self.mark = mark
    values = tracked.map { $0.read() }
  }
  static func == (one: Moment, other: Moment) -> Bool {
    one.mark == other.mark
      && one.tracked.indices.allSatisfy { one.tracked[$0].areEqual(one.values[$0], other.values[$0]) }
  }
}

/// A value with its type erased.
private struct TrackedValue: Sendable {
  let read: @Sendable () -> any Sendable
  let write: @Sendable (_ value: any Sendable, _ isolation: isolated (any Actor)?) -> Void
  /// False for values that cannot be compared.
  let areEqual: @Sendable (any Sendable, any Sendable) -> Bool

  init<Value: Sendable>(_ value: Observed<Value>) {
    let areEqual: @Sendable (any Sendable, any Sendable) -> Bool = { one, other in
      func compare<Known: Equatable>(_ one: Known) -> Bool { (other as? Known) == one }
      guard let one = one as? any Equatable else { return false }
      return compare(one)
    }
    self.areEqual = areEqual
    read = { value.value }
    write = { new, isolation in
      guard let new = new as? Value else { return }
      value.set(new, isolation: isolation)
    }
  }
}
