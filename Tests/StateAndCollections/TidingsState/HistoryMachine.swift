// The fuzzer takes this file too.
import Tidings
import TidingsCollections
import TidingsState

/// A history beside handlers of derived values that write, and an oracle of plain arrays of states.
///
/// Each follower writes what the other values determine. So the values after a step are the same whenever it is redone.
final class HistoryMachine {
  private let values = (0..<4).map { Observed($0 == 3 ? 1.5 : 0.0) }
  private let list = ObservedArray<Int>()
  /// Followers: the sum of two values, through two rounds, and twice a value.
  private let (sum, level, twice) = (Observed(0.0), Observed(0.0), Observed(0.0))
  private let tokens: [Subscription]
  private let history: History
  private let limit = 20
  private var (past, future): ([State], [State]) = ([], [])
  private var now: State
  /// The key of the group that the newest step belongs to, and the steps that could be redone before it.
  private var openKey: Int?
  private var displaced: [State] = []
  private var edits = 0
  private(set) var operations: [String] = []

  struct State: Equatable, CustomStringConvertible {
    var values: [Double]
    var list: [Int]
    static func == (one: State, other: State) -> Bool {
      // A value that is not a number is the same as another.
      one.list == other.list && zip(one.values, other.values).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
    }
    var description: String { "\(values) \(list)" }
  }

  init() {
    let (values, sum, level, twice) = (values, sum, level, twice)
    tokens = [
      combine(values[0], values[1]).observe { change in sum.set(change.new.0 + change.new.1) },
      Derived { sum.value.rounded(.down) }.observe { change in level.set(change.new) },
      values[2].observe { change in twice.set(change.new * 2) },
      // Limits two values, in a handler of a source and in one of a derived value.
      values[2].observe { change in if change.new > 5 { values[2].set(5) } },
      Derived { values[0].value > 5 }.observe { change in if change.new { values[0].set(5) } },
    ]
    history = History(of: values[0], values[1], values[2], values[3], list, sum, level, twice, limit: limit)
    now = State(values: [], list: [])
    now = current
  }
  private var current: State {
    State(values: (values + [sum, level, twice]).map(\.value), list: list.value)
  }

  /// One operation. Returns what is wrong, if anything is.
  func step(_ number: (_ limit: Int) -> Int) -> String? {
    let kind = number(12)
    switch kind {
    case 0, 1:
      operations.append("undo")
      if history.undo() != !past.isEmpty { return "undo() returned \(past.isEmpty)" }
      if let last = past.popLast() { (future, now, openKey) = (future + [now], last, nil) }
    case 2, 3:
      operations.append("redo")
      if history.redo() != !future.isEmpty { return "redo() returned \(future.isEmpty)" }
      if let next = future.popLast() { (past, now, openKey) = (past + [now], next, nil) }
    case 4:
      struct Stop: Error {}
      operations.append("transaction that throws")
      try? transaction { () throws(Stop) in
        write(number)
        write(number)
        throw Stop()
      }
    case 5, 6:
      operations.append("transaction")
      transaction {
        write(number)
        write(number)
        write(number)
      }
      changed(continuing: nil)
    case 7:
      operations.append("group")
      history.group {
        write(number)
        transaction { write(number) }
        write(number)
      }
      changed(continuing: nil)
    case 8:
      let key = number(2)
      operations.append("group \(key)")
      // Pauses in hours do not end while the machine runs.
      history.group(key, pause: .seconds(100_000)) {
        write(number)
        write(number)
      }
      changed(continuing: key)
    case 9 where number(20) == 0:
      operations.append("clear")
      history.clear()
      (past, future, openKey) = ([], [], nil)
    default:
      write(number)
      changed(continuing: nil)
    }
    let found = current
    if found != now { return "\(found), not \(now)" }
    if history.canUndo.value == past.isEmpty { return "canUndo is \(past.isEmpty)" }
    if history.canRedo.value == future.isEmpty { return "canRedo is \(future.isEmpty)" }
    return nil
  }

  private func write(_ number: (_ limit: Int) -> Int) {
    let kind = number(8)
    let new = Double(number(9))
    operations.append("write \(kind) \(new)")
    switch kind {
    case 0, 1, 2: values[kind].set(new)
    case 3: values[3].set(new > 6 ? .nan : new)
    case 4: values[0].update { $0 += new - 4 }
    case 5:
      list.edit { [edits] list in
        list.append(edits)
        if list.count > 6 { list.removeFirst(3) }
      }
    default:
      list.edit { [edits] list in
        if list.isEmpty { return }
        list.move(from: 0, to: list.count - 1)
        list[list.count / 2] = edits
      }
    }
    // So that no list is equal to an earlier one: lists are not compared.
    edits += 1
  }

  /// Takes the values as they are after a propagation, or after a group of them, as a step.
  private func changed(continuing key: Int?) {
    let (before, found) = (now, current)
    now = found
    if let key, key == openKey {
      // It continues the newest step, which may turn out to have changed nothing.
      if found == past.last { (past, future, openKey) = (past.dropLast(), displaced, nil) }
    } else if found != before {
      (past, displaced, future, openKey) = (Array((past + [before]).suffix(limit)), future, [], key)
    } else if key != nil {
      openKey = nil
    }
  }
}
