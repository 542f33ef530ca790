import Testing
import Tidings
import TidingsCollections
import TidingsState
import TidingsTesting

/// A propagation ends with its write, so the next write of the thread is a step of its own.
@Suite("The end of a propagation")
struct PropagationEndTests {
  /// The ways of writing.
  enum Write: CaseIterable { case set, update, distinct, transaction, array, derived, effect, initial, bound }
  /// The queues into which its handler puts a value, which carries the number of the propagation.
  enum Queue: CaseIterable { case asynchronous, actor, target, stream, none }
  private actor Home {}

  @Test(
    "When a write has returned, its propagation has ended, whatever its handlers have put into queues",
    arguments: Write.allCases, Queue.allCases)
  func ends(_ write: Write, _ queue: Queue) {
    // From the first history on, values that are queued carry the number.
    let history = History(of: Observed(0))
    let (event, home) = (Event<Int>(), Home())
    var tokens: [Subscription] = []
    switch queue {
    case .asynchronous: tokens.append(event.observe { _ async in })
    case .actor: tokens.append(event.observe(with: home) { _, _ in })
    case .target: tokens.append(event.observe(on: .manual(ManualQueue())) { _ in })
    case .stream: tokens.append(event.stream().subscription)
    case .none: break
    }
    let value = write == .distinct ? Observed(0, changes: .distinct) : Observed(0)
    let (array, other) = (ObservedArray([1]), Observed(0))
    let sum = Derived { value.value + other.value }
    switch write {
    case .set, .update, .distinct, .transaction: tokens.append(value.observe { event.emit($0.new) })
    case .array: tokens.append(array.observe { event.emit($0.new.count) })
    case .derived: tokens.append(sum.observe { event.emit($0.new) })
    case .effect: tokens.append(effect { event.emit(value.value) })
    case .initial: break
    case .bound: tokens += [value.observe { other.set($0.new) }, other.observe { event.emit($0.new) }]
    }
    #expect(!Propagation.isUnderWay, "before")
    switch write {
    case .set, .distinct, .derived, .effect, .bound: value.set(1)
    case .update: value.update { $0 += 1 }
    case .transaction:
      transaction {
        value.set(1)
        other.set(1)
      }
    case .array: array.append(2)
    case .initial: tokens.append(value.observe(.initial) { event.emit($0.new) })
    }
    #expect(!Propagation.isUnderWay, "after")
    withExtendedLifetime((history, tokens)) {}
  }
}
