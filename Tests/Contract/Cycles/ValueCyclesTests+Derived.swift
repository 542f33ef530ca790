import Testing
import Tidings
import TidingsTesting

extension ValueCyclesTests {
  @Test("a derived that reads itself", arguments: [false, true])
  func aDerivedThatReadsItself(isWatched: Bool) {
    let reports = Reports(about: ["selfish"])
    let (flag, source, own, received) = (Observed(false), Observed(1), Later<Int>(), ChangeRecorder<Int>())
    let value = Derived("selfish") { flag.value ? own.value + 1 : source.value }
    own.bind(value)
    let token = isWatched ? value.observe { received($0) } : nil
    #expect(value.value == 1)
    flag.set(true)
    #expect(value.value == 1, "it keeps its value")
    let all = reports.all
    #expect(!all.isEmpty && all.allSatisfy { Set($0.labels) == ["selfish"] && $0.message.contains("selfish") })
    source.set(2)
    #expect(value.value == 1)
    transaction {
      source.set(3)
      flag.set(false)
    }
    #expect(value.value == 3)
    source.set(4)
    #expect(value.value == 4)
    if isWatched { #expect(received.changes == [.from(1, to: 3), .from(3, to: 4)]) }
    withExtendedLifetime(token) {}
  }

  @Test("two that read each other", arguments: [false, true])
  func twoThatReadEachOther(isWatched: Bool) {
    let names = isWatched ? ("watched a", "watched b") : ("a", "b")
    let reports = Reports(about: [names.0, names.1])
    let (flag, source, later) = (Observed(false), Observed(1), Later<Int>())
    let a = Derived(names.0) { flag.value ? later.value : source.value }
    let b = Derived(names.1) { a.value + 10 }
    later.bind(b)
    let (receivedA, receivedB) = (ChangeRecorder<Int>(), ChangeRecorder<Int>())
    let tokens = isWatched ? [a.observe { receivedA($0) }, b.observe { receivedB($0) }] : []
    #expect(a.value == 1 && b.value == 11)
    #expect(reports.all.isEmpty)
    flag.set(true)
    #expect(a.value == 1 && b.value == 11, "they keep their values")
    let all = reports.all
    #expect(!all.isEmpty, "it is reported immediately")
    for report in all {
      #expect(Set(report.labels) == [names.0, names.1])
      #expect(
        report.message.contains("\(names.0) → \(names.1) → \(names.0)")
          || report.message.contains("\(names.1) → \(names.0) → \(names.1)"), "\(report.message)")
    }
    source.set(2)
    #expect(a.value == 1 && b.value == 11)
    flag.set(false)
    #expect(a.value == 2 && b.value == 12)
    let count = reports.all.count
    source.set(3)
    #expect(b.value == 13 && a.value == 3)
    #expect(reports.all.count == count, "there is no cycle any more")
    if isWatched {
      #expect(receivedA.changes == [.from(1, to: 2), .from(2, to: 3)])
      #expect(receivedB.changes == [.from(11, to: 12), .from(12, to: 13)])
    }
    withExtendedLifetime(tokens) {}
  }

  /// Whatever a closure tries to change stays as it is, and what it reads is still right.
  @Test("rejected in a closure", arguments: [false, true])
  func rejectedInAClosure(isWatched: Bool) {
    let name = isWatched ? "watched doer" : "doer"
    let (source, target, event) = (Observed(0), Observed(5, label: "target"), Event<Int>("wished"))
    let (changes, before, emitted) = (ChangeRecorder<Int>(), ChangeRecorder<Int>(), Recorder<Int>())
    let tokens = [
      target.observe { changes($0) }, target.willChange.observe { before($0) }, event.observe { emitted($0) },
    ]
    let attempts: [(String, @Sendable () -> Void)] = [
      ("set", { target.set(6) }),
      ("update", { target.update { $0 += 1 } }),
      ("transaction", { transaction { target.set(7) } }),
      ("transaction, update", { transaction { target.update { $0 += 2 } } }),
      ("emit", { event.emit(1) }),
      ("emit several", { event.emit(contentsOf: [1, 2]) }),
      ("untracked", { untracked { target.set(8) } }),
      (
        "in the closure of another",
        {
          _ =
            Derived {
              target.set(9)
              return source.value
            }.value
        }
      ),
    ]
    for (what, attempt) in attempts {
      let reports = Reports(about: [name, "target", "wished"])
      let value = Derived(name) {
        attempt()
        return source.value
      }
      let (token, count) = (isWatched ? value.observe { _ in } : nil, source.value)
      #expect(value.value == count)
      let first = reports.all.count
      #expect(first > 0, "\(what): no report")
      #expect(reports.messages.allSatisfy { !$0.isEmpty })
      source.set(count + 1)
      #expect(value.value == count + 1, "\(what)")
      #expect(target.value == 5, "\(what)")
      #expect(changes.changes.isEmpty && before.changes.isEmpty && emitted.values.isEmpty, "\(what)")
      withExtendedLifetime(token) {}
    }
    target.set(6)
    event.emit(1)
    #expect(changes.changes == [.from(5, to: 6)] && emitted.values == [1])
    withExtendedLifetime(tokens) {}
  }

  /// Cycles that close while threads read, that have handlers, and that are read in a transaction.
  @Test("never a crash")
  func neverACrash() {
    let (flag, source, later) = (Observed(false), Observed(1), Later<Int>())
    let a = Derived("closing a") { flag.value ? later.value : source.value }
    let b = Derived("closing b") { a.value + 1 }
    later.bind(b)
    let quiet = Reports(about: ["closing a", "closing b"])
    let (received, wrong) = (ChangeRecorder<Int>(), Recorder<Int>())
    let token = b.observe { change in
      received(change)
      _ = a.value
    }
    Threads.together(3) { thread in
      for round in 0..<60 {
        switch thread {
        case 0: flag.set(round % 2 == 0)
        case 1: source.set(round)
        default:
          _ = b.value
          transaction {
            flag.set(true)
            source.set(-1)
            _ = a.value
            flag.set(false)
            if b.value != 0 { wrong(b.value) }
          }
        }
      }
    }
    flag.set(false)
    source.set(100)
    #expect(a.value == 100 && b.value == 101)
    #expect(received.isUnbroken(from: 2) && received.newValues.last == 101)
    #expect(wrong.values == [])
    withExtendedLifetime((token, quiet)) {}
  }
}

/// A value that is made after the closure that reads it.
final class Later<Value: Sendable>: Sendable {
  private let derived = Locked<Derived<Value>?>(nil)

  func bind(_ value: Derived<Value>) { derived.current = value }

  var value: Value {
    guard let derived = derived.current else { preconditionFailure("read before it was made") }
    return derived.value
  }
}
