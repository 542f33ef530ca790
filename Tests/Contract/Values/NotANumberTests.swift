import Testing
import Tidings
import TidingsTesting

/// The paragraph "The same value" of the contract.
@Suite("The same value")
struct NotANumberTests {
  private struct Point: Equatable, Sendable {
    var x = Double.nan
    var y = 0.0
    var name = "a"
  }
  private enum Reading: Equatable, Sendable {
    case inside(Double)
    case outside(Double)
  }

  /// The ways of writing or computing a value.
  enum Form: String, CaseIterable {
    case set, update, transaction, local, main, willChange
    case derived, unknown, result, combined, member, chained, effect, removeDuplicates
  }

  @MainActor private final class Model {
    @MainObserved(changes: .distinct) var value = Double.nan
  }

  private func unknown<Value: Sendable>(_ compute: @escaping @Sendable () -> Value) -> Derived<Value> {
    Derived { compute() }
  }

  @MainActor private func notifications(_ form: Form, _ values: [Double]) -> Int {
    let count = Locked(0)
    let notify: @Sendable () -> Void = { count.withLock { $0 += 1 } }
    let source = Observed(values[0])
    let distinct = Observed(values[0], changes: .distinct)
    let derived: (any ValueSource)? =
      switch form {
      case .derived: Derived { source.value }
      case .unknown: unknown { source.value }
      case .result: Derived { Result<Double, Never>.success(source.value) }
      case .combined: combine(source, source.map { $0 })
      case .member: source.map { Point(x: $0) }.x
      case .chained: source.map { _ in 1 }.chain { [source] _ in source.map { $0 } }
      default: nil
      }
    func follow(_ value: some ValueSource) -> Subscription { value.observe { _ in notify() } }
    var token = derived.map { follow($0) }
    switch form {
    case .set, .update, .transaction: token = distinct.observe { _ in notify() }
    case .willChange: token = distinct.willChange.observe { _ in notify() }
    case .effect:
      let copy = source.map { $0 }
      token = effect {
        _ = copy.value
        notify()
      }
      count.current = 0
    case .removeDuplicates: token = source.changes.map(\.new).removeDuplicates().observe { _ in notify() }
    default: break
    }
    let local = LocalObserved(values[0], changes: .distinct)
    let localToken = local.observe { _ in notify() }
    let model = Model()
    model.value = values[0]
    let mainToken = model.$value.observe { _ in notify() }
    if form == .removeDuplicates {
      source.set(values[0])
      count.current = 0
    }
    for value in values.dropFirst() {
      switch form {
      case .set, .willChange: distinct.set(value)
      case .update: distinct.update { $0 = value }
      case .transaction: transaction { distinct.set(value) }
      case .local: local.set(value)
      case .main: model.value = value
      default: source.set(value)
      }
    }
    withExtendedLifetime((token, localToken, mainToken)) {}
    return count.current
  }

  @Test("NaN that stays NaN is no change, wherever values are compared", arguments: Form.allCases)
  @MainActor func staysNotANumber(_ form: Form) {
    // The bits of a type with parts are compared, so another NaN there is a change.
    let bits: [Double] = form == .result ? [] : [-.nan, .signalingNaN]
    #expect(notifications(form, [.nan, .nan] + bits) == 0)
    #expect(notifications(form, [.nan, 1, 1, .nan, .nan, 2]) == 3, "and a number is one")
  }

  @Test("A handler that writes back the NaN that it got is called once")
  func writesBack() {
    let (value, calls) = (Observed(0.0, changes: .distinct), Recorder<Int>())
    let token = value.observe { change in
      calls(1)
      value.set(change.new)
    }
    value.set(.nan)
    #expect(calls.values.count == 1)
    withExtendedLifetime(token) {}
  }

  @Test("Of a value with parts that are NaN, a change of another part is a change")
  func parts() {
    let (point, calls) = (Observed(Point(), changes: .distinct), Recorder<Int>())
    let token = point.observe { _ in calls(1) }
    point.set(Point())
    #expect(calls.values.count == 0)
    point.set(Point(y: 1))
    point.set(Point(y: 1))
    point.set(Point(y: 1, name: "b"))
    point.set(Point(y: .nan, name: "b"))
    point.set(Point(y: .nan, name: "b"))
    #expect(calls.values.count == 3)
    let (reading, tuples) = (
      Observed(Reading.inside(.nan), changes: .distinct), Observed([Double?.none, .nan], changes: .distinct)
    )
    let tokens = [reading.observe { _ in calls(1) }, tuples.observe { _ in calls(1) }]
    reading.set(.inside(.nan))
    #expect(calls.values.count == 3)
    reading.set(.outside(.nan))
    #expect(calls.values.count == 4)
    tuples.set([1, .nan])
    #expect(calls.values.count == 5)
    withExtendedLifetime((token, tokens)) {}
  }
}
