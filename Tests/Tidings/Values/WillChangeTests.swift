import Testing
import Tidings
import TidingsTesting

@Suite("Will change")
struct WillChangeTests {
  @Test("In a transaction, and from a handler, it is notified just before the handlers are")
  func justBefore() {
    let (value, notified) = (Observed(0), Recorder<String>())
    let tokens = [
      value.willChange.observe { notified("before \($0.old!)-\($0.new)") },
      value.observe { change in
        notified("after \(change.old!)-\(change.new)")
        if change.new == 1 { value.set(2) }
      },
      value.observe { notified("last \($0.new)") },
    ]
    value.set(1)
    #expect(notified.values == ["before 0-1", "after 0-1", "last 1", "before 1-2", "after 1-2", "last 2"])
    transaction {
      value.set(5)
      value.set(6)
      #expect(notified.values.count == 6)
    }
    #expect(notified.values.dropFirst(6) == ["before 2-6", "after 2-6", "last 6"])
    withExtendedLifetime(tokens) {}
  }

  @Test("A handler may set the value: each change is notified before and after, in an unbroken chain, and it ends")
  func settingIt() {
    let (value, befores, afters) = (Observed(0), Recorder<String>(), Recorder<String>())
    let tokens = [
      value.willChange.observe { change in
        befores("\(change.old!)-\(change.new)")
        if change.new == 1 { value.set(10) }
      },
      value.observe { afters("\($0.old!)-\($0.new)") },
    ]
    value.set(1)
    // The value set in the notification comes first. The 1 comes next, and another 10 replaces it as soon as it is received.
    #expect(afters.values == ["0-10", "10-1", "1-10"])
    #expect(Set(afters.values).isSubset(of: befores.values))
    #expect(value.value == 10)
    withExtendedLifetime(tokens) {}
  }

  @Test("Each change has been notified to `willChange` first, also if several threads write")
  func threads() {
    for _ in 0..<30 {
      let (value, befores, afters) = (Observed(0), Recorder<Change<Int>>(), Recorder<Change<Int>>())
      let tokens = [value.willChange.observe { befores($0) }, value.observe { afters($0) }]
      Threads.together(2) { thread in for number in 1...30 { value.set(thread * 100 + number) } }
      let notified = befores.values
      #expect(afters.values.count == 60)
      #expect(afters.values.allSatisfy { notified.contains($0) })
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("Cancelled, it is notified no more, and operators apply to it")
  func cancelled() {
    let (value, notified) = (Observed(0), Recorder<Int>())
    let token = value.willChange.map(\.new).filter { $0 > 1 }.observe { notified($0) }
    value.set(1)
    value.set(2)
    token.cancel()
    value.set(3)
    #expect(notified.values == [2])
  }
}
