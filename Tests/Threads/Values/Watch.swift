import Tidings
import TidingsTesting

/// A handler of a value that finds fault: the chain must hold, calls must not overlap, and each value is checked.
final class Watch<Value: Equatable & Sendable>: Sendable {
  private struct State {
    var last: Value?
    var count = 0
    var isInside = false
    var late = 0
    var isCancelled = false
  }
  private let name: String
  private let problems: Problems
  /// Whether a change to an equal value is not notified.
  private let isDistinct: Bool
  private let check: @Sendable (Value) -> String?
  private let state: Locked<State>

  /// - Parameter first: What the first change must replace, if known.
  init(
    _ name: String, _ problems: Problems, isDistinct: Bool, first: Value? = nil,
    check: @escaping @Sendable (Value) -> String? = { _ in nil }
  ) {
    self.name = name
    self.problems = problems
    self.isDistinct = isDistinct
    self.check = check
    state = Locked(State(last: first))
  }

  var last: Value? { state.withLock { $0.last } }
  var count: Int { state.withLock { $0.count } }

  func receives(_ change: Change<Value>) {
    let (before, wasInside, late, count) = state.withLock { state in
      defer {
        state.last = change.new
        state.count += 1
        state.isInside = true
        if state.isCancelled { state.late += 1 }
      }
      return (state.last, state.isInside, state.late, state.count)
    }
    if wasInside { problems("\(name): two simultaneous calls of one handler") }
    if late > 0 { problems("\(name): called after it was cancelled") }
    if let before, change.old != before {
      problems("\(name): the chain is broken: \(before) was notified, then \(change), after \(count)")
    }
    if isDistinct, change.old == change.new {
      problems("\(name): notified of no difference: \(change), after \(count)")
    }
    if let problem = check(change.new) { problems("\(name): received \(problem)") }
    state.withLock { $0.isInside = false }
  }

  /// `cancel()` has returned. One call may just have been entering.
  func isCancelled() { state.withLock { $0.isCancelled = true } }
}
