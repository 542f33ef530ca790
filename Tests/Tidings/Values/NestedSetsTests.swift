#if os(Linux) || os(macOS)
import TestSupport
import Testing
import Tidings
import TidingsTesting

/// On the smallest stack in wide use, which holds no 200 nested notifications, in a process of its own: what overflows it ends the
/// process.
@Suite("Nested sets")
struct NestedSetsTests {
  /// How a handler sets the next value.
  enum Way: Int, CaseIterable, Sendable, CustomTestStringConvertible {
    case set, update, transaction, distinct, willChange, derived
    var testDescription: String { "\(self)" }

    func value(_ index: Int) -> Observed<Int> {
      Observed(0, label: "ring \(index)", changes: self == .distinct ? .distinct : .every)
    }
    func observe(
      _ value: Observed<Int>, _ handler: @escaping @Sendable (Change<Int>) -> Void
    ) -> Subscription {
      switch self {
      case .willChange: value.willChange.observe { handler($0) }
      case .derived: Derived { value.value }.observe { handler($0) }
      default: value.observe { handler($0) }
      }
    }
    func set(_ value: Observed<Int>, _ new: Int) {
      switch self {
      case .update: value.update { $0 = new }
      case .transaction: Tidings.transaction { value.set(new) }
      default: value.set(new)
      }
    }
  }

  @Test("A chain of 500 values, each set in a handler of the one before, keeps to a small stack", arguments: 0..<6)
  func aChainKeepsToASmallStack(_ index: Int) async {
    await #expect(processExitsWith: .success) { [index] in
      let way = Way(rawValue: index)!
      let count = Runs.size(500, full: 2_000)
      let values = (0..<count).map { way.value($0) }
      let (order, derived) = (Recorder<Int>(), Derived { values.reduce(0) { $0 + $1.value } })
      var tokens = values.indices.map { index in
        way.observe(values[index]) { change in
          order(index)
          if index + 1 < values.count { way.set(values[index + 1], change.new) }
        }
      }
      tokens.append(derived.observe { order(-$0.new) })
      await Threads.elsewhere(stackSize: Threads.smallStack) { way.set(values[0], 1) }
      #expect(values.allSatisfy { $0.value == 1 })
      #expect(order.values.filter { $0 >= 0 } == Array(0..<count))
      if way != .derived { #expect(order.values.last == -count && order.values.count == count + 1) }
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("A ring of 500 values, each set in a handler of the one before, is stopped and reported", arguments: 0..<6)
  func aRingIsStoppedAndReported(_ index: Int) async {
    await #expect(processExitsWith: .success) { [index] in
      let (way, reports, steps) = (Way(rawValue: index)!, Recorder<String>(), Tally())
      let values = (0..<Runs.size(500, full: 2_000)).map { way.value($0) }
      let tokens = values.indices.map { index in
        way.observe(values[index]) { change in
          steps.add(1)
          if steps.total < 50_000 { way.set(values[(index + 1) % values.count], change.new + 1) }
        }
      }
      let token = Diagnostics.reports.observe { reports($0.message) }
      await Threads.elsewhere(stackSize: Threads.smallStack) { way.set(values[0], 1) }
      #expect(reports.values.count == 1)
      #expect((5_000...10_001).contains(steps.total))
      steps.add(50_000)
      values[7].set(-1)
      #expect(values[7].value == -1)
      withExtendedLifetime((tokens, token)) {}
    }
  }

  @Test("A set that is too deep to be notified in place is notified in order, before derived values, by the same set")
  func deepSetsAreNotifiedInOrder() {
    let (values, log) = ((0..<500).map { _ in Observed(0) }, Recorder<String>())
    let sum = Derived { values.reduce(0) { $0 + $1.value } }
    var tokens = values.indices.map { index in
      values[index].observe(.initial) { change in
        if change.old == nil { return }
        log("\(index)")
        if index + 1 < values.count { values[index + 1].set(1) }
        if change.new == 1, index == 400 { values[index].set(2) }
      }
    }
    tokens.append(sum.observe { log("sum \($0.new)") })
    values[0].set(1)
    let (all, last) = (log.values, log.values.last)
    #expect(last == "sum 501")
    #expect(all.filter { $0 == "400" }.count == 2 && all.filter { $0.hasPrefix("sum") }.count == 1)
    withExtendedLifetime(tokens) {}
  }
}
#endif
