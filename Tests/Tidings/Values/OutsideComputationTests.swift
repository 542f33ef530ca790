import Synchronization
import TestSupport
import Testing
import Tidings
import TidingsTesting

/// User code uses values from places outside a computation: the `deinit` of a value, a report.
@Suite("Outside a computation", .serialized)
struct OutsideComputationTests {
  /// A value whose `deinit` reads another one.
  private final class Watchful: Equatable, Sendable {
    let number: Int
    let onEnd: @Sendable () -> Void
    init(_ number: Int, onEnd: @escaping @Sendable () -> Void) {
      self.number = number
      self.onEnd = onEnd
    }
    deinit { onEnd() }
    static func == (left: Watchful, right: Watchful) -> Bool { left.number == right.number }
  }

  @Test(
    "21. A value that is read when another one is destroyed is computed once for a change, and all that waits is notified"
  )
  func readInADeinit() {
    let (source, runs) = (Observed(0), Tally())
    let other = Derived {
      runs.add(1)
      return source.value * 10
    }
    let first = Derived { Watchful(source.value) { _ = other.value } }
    let second = Derived { first.value.number + 1 }
    let last = Derived { second.value + 1 }
    let received = Tally()
    let token = last.observe { received.add($0.new) }
    _ = other.value
    for change in 1...50 { source.set(change) }
    #expect(other.value == 500)
    #expect(received.total == (1...50).reduce(0) { $0 + $1 + 2 })
    #expect(runs.total <= 51)
    token.cancel()
  }

  /// A number whose comparison reads another value.
  private struct Curious: Equatable, Sendable {
    static let look = Locked<@Sendable (Bool) -> Void>({ _ in })
    let number: Int
    let isKnown: Bool
    static func == (left: Curious, right: Curious) -> Bool {
      look.current(left.isKnown)
      return left.number == right.number
    }
  }
  /// Derives a value in generic code, where it is not known that the type can be compared.
  private func derived<Value: Sendable>(_ compute: @escaping @Sendable () -> Value) -> Derived<Value> {
    Derived { compute() }
  }

  @Test("A value that is read in the comparison of another one does not take its place")
  func readInAComparison() {
    let source = Observed(0)
    let others = [Derived { source.value * 1_000 }, Derived { source.value * -1_000 }]
    Curious.look.current = { _ = others[$0 ? 1 : 0].value }
    let known = Derived { Curious(number: source.value, isKnown: true) }
    let unknown = derived { Curious(number: source.value, isKnown: false) }
    let sum = Derived { known.value.number + unknown.value.number }
    let received = Recorder<Int>()
    let token = sum.observe { received($0.new) }
    for change in 1...20 { source.set(change) }
    #expect(received.values == (1...20).map { $0 * 2 })
    #expect(known.value.number == 20 && unknown.value.number == 20)
    Curious.look.current = { _ in }
    withExtendedLifetime(token) {}
  }

  @Test(
    "A dependent of a value that another thread drops meanwhile is notified, and the set returns",
    .timeLimit(.minutes(20)))
  func dropped() {
    let (source, shelf) = (Observed(0), Locked<Derived<Int>?>(nil))
    shelf.current = Derived { source.value * 10 }
    let sum = Derived {
      let number = source.value
      if number == 0 { return 0 }
      let shelved = shelf.current?.value ?? 0
      if shelved != 0 {
        let isReleased = Gate()
        Threads.start {
          shelf.current = nil
          isReleased.open()
        }
        isReleased.wait()
      }
      return number + shelved
    }
    let received = Recorder<Int>()
    let token = sum.observe { received($0.new) }
    for change in 1...3 { source.set(change) }
    #expect(received.values.last == 3)
    #expect(sum.value == 3)
    withExtendedLifetime(token) {}
  }

  @Test("A value that is read by the observer of a report about it is what its closure says")
  func readInAReport() async {
    let source = Observed(1)
    let forbidden = Observed(0)
    let text = Derived {
      forbidden.set(1)
      return "a text that is too long to be kept in place, number \(source.value)"
    }
    let reports = Tally()
    let token = Diagnostics.reports.observe { report in
      guard report.message.contains("set") else { return }
      reports.add(1)
      if reports.total % 2 == 1 { _ = text.value }
    }
    for change in 2...20 {
      _ = text.value
      source.set(change)
      #expect(text.value.hasSuffix("number \(change)"))
    }
    #expect(await eventually { reports.total > 0 })
    #expect(forbidden.value == 0)
    token.cancel()
  }

  @Test("The observer of another thread's report, in a closure that is computed in a transaction, may read values")
  func readInAnothersReport() async {
    let (source, forbidden, received) = (Observed(1), Observed(0, label: "forbidden"), Recorder<Int>())
    let (entered, queued) = (Gate(), Gate())
    let ten = Derived { source.value * 10 }
    let token = Diagnostics.reports.observe { report in
      if report.labels.last == "forbidden" {
        entered.open()
        queued.wait()
      }
      if report.labels.last == "elsewhere" { received(ten.value) }
    }
    Threads.start {
      entered.wait()
      let elsewhere = Event<Int>("elsewhere", maximumDepth: 5)
      let cycle = elsewhere.observe { if $0 < 9 { elsewhere.emit($0 + 1) } }
      elsewhere.emit(0)
      cycle.cancel()
      queued.open()
    }
    let writing = Derived {
      forbidden.set(1)
      return source.value
    }
    let seen = transaction {
      source.set(2)
      return writing.value
    }
    #expect(seen == 2 && ten.value == 20)
    // Notified by a third thread, it may be notified before the transaction is over.
    #expect([[10], [20]].contains(await received.values(atLeast: 1)))
    token.cancel()
  }

  @Test("A value that handlers read when a closure observes is no dependency of the closure")
  func handlersOfAnObservingClosure() {
    let (source, beside) = (Observed(0), Observed(0))
    let runs = Tally()
    let isObserving = Observed(false)
    let notified = Derived { source.value + 1 }
    let observing = Derived {
      runs.add(1)
      // Looked at before `notified` is, so that it is computed before a handler learns of the new `notified`.
      let value = source.value
      guard isObserving.value else { return value }
      let seen = notified.value
      notified.observe { _ in }.cancel()
      return value + seen
    }
    let received = Tally()
    let tokens = [
      observing.observe { _ in },
      notified.observe { _ in
        received.add(1)
        _ = beside.value
      },
    ]
    isObserving.set(true)
    source.set(1)
    #expect(received.total == 1 && observing.value == 3)
    let before = runs.total
    beside.set(5)
    #expect(runs.total == before)
    withExtendedLifetime(tokens) {}
  }
}
