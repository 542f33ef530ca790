import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@Suite("bind", .timeLimit(.minutes(20)))
struct BindTests {
  @Test("the first wins at the start, and then each follows the other")
  func alike() {
    let (a, b) = (Observed(1), Observed(2))
    let bond = bind(a, b)
    #expect(b.value == 1)
    b.set(5)
    #expect(a.value == 5)
    a.update { $0 += 1 }
    #expect(b.value == 6)
    bond.cancel()
    a.set(9)
    #expect(b.value == 6 && !bond.isActive)
  }

  @Test("a change is carried over once and not back, though the conversion rounds")
  func rounding() {
    let (exact, whole) = (Observed(1.4), Observed(0))
    let written = (exact.record(), whole.record())
    let bond = bind(exact, whole, via: Conversion(to: { Int($0.rounded()) }, from: { Double($0) }))
    exact.set(2.6)
    exact.set(3.1)
    #expect(written.0.values.map(\.new) == [2.6, 3.1] && written.1.values.map(\.new) == [1, 3])
    whole.set(7)
    #expect(exact.value == 7 && written.0.values.count == 3 && written.1.values.count == 3)
    withExtendedLifetime(bond) {}
  }

  @Test("what is not equal to itself is not carried back and forth")
  func notANumber() {
    let (a, b) = (Observed(1.0), Observed(0.0))
    let bond = bind(a, b)
    let written = (a.record(), b.record())
    a.set(.nan)
    #expect(b.value.isNaN)
    b.set(2)
    #expect(a.value == 2 && written.0.values.count == 2 && written.1.values.count == 2)
    withExtendedLifetime(bond) {}
  }

  @Test("what cannot be converted writes nothing and says why; the next setting is carried over again")
  func throwing() {
    let (count, text) = (Observed(1), Observed(""))
    let bond = bind(count, text, via: Conversion(Grouped()))
    let written = count.record()
    #expect(text.value == "1")
    text.set("12x")
    #expect(count.value == 1 && text.value == "12x")
    #expect((bond.error.value as? InputRejection)?.reason == .incomplete)
    count.set(1)
    #expect(text.value == "1" && bond.error.value == nil)
    text.set("2'000")
    #expect(count.value == 2000 && bond.error.value == nil && written.values.map(\.new) == [1, 2000])
  }

  @Test("a first value that cannot be converted is not overwritten by the second")
  func throwingAtTheStart() {
    let (text, count) = (Observed("12x"), Observed(7))
    let bond = bind(text, count, via: Conversion(Grouped()).inverted)
    #expect(text.value == "12x" && count.value == 7)
    #expect((bond.error.value as? InputRejection)?.reason == .incomplete)
    count.set(7)
    #expect(text.value == "7" && bond.error.value == nil)
  }

  @Test("several writes in a transaction are one, and of both sides the one written first wins")
  func transactions() {
    let (a, b) = (Observed(0), Observed(0))
    let bond = bind(a, b)
    let written = b.record()
    transaction {
      a.set(1)
      a.set(2)
    }
    #expect(written.values == [Change(old: 0, new: 2)])
    transaction {
      a.set(3)
      b.set(4)
    }
    #expect(a.value == 3 && b.value == 3)
    transaction {
      b.set(6)
      a.set(5)
    }
    #expect(a.value == 6 && b.value == 6)
    transaction {
      let (c, d) = (a, Observed(0))
      c.set(8)
      let inner = bind(c, d)
      #expect(d.value == 8)
      withExtendedLifetime(inner) {}
    }
    #expect(b.value == 8)
    withExtendedLifetime(bond) {}
  }

  @Test("a handler that corrects one side corrects both, whether it is before the bond or after it")
  func corrections() {
    for isBefore in [true, false] {
      let (a, b) = (Observed(0), Observed(0))
      let early = isBefore ? [b.observe { [b] in if $0.new > 10 { b.set(10) } }] : []
      let bond = bind(a, b)
      let late = isBefore ? [] : [b.observe { [b] in if $0.new > 10 { b.set(10) } }]
      a.set(50)
      #expect(a.value == 10 && b.value == 10)
      withExtendedLifetime((early, late, bond)) {}
    }
  }

  @Test("a cycle of other handlers through a bond is stopped and reported")
  func cycles() async {
    let reports = Recorder<String>()
    let (a, b) = (Observed(0, label: "bound a", maximumDepth: 100), Observed(0, label: "bound b", maximumDepth: 100))
    let token = Diagnostics.reports.observe { report in
      if report.labels.contains("bound a") || report.labels.contains("bound b") { reports(report.message) }
    }
    let bond = bind(a, b)
    let cycle = b.observe { [a] change in a.set(change.new + 1) }
    a.set(1)
    #expect(await reports.values(atLeast: 1).count >= 1 && a.value < 200)
    withExtendedLifetime((token, bond, cycle)) {}
  }

  @Test("a change that comes while another is being carried over is overtaken by it, and the two agree")
  func meanwhile() {
    let (entered, proceed, ended) = (Gate(), Gate(), Gate())
    let (a, b) = (Observed(0), Observed("0"))
    let bond = bind(
      a, b,
      via: Conversion(
        to: { value in
          if value == 1 {
            entered.open()
            proceed.wait()
          }
          return "\(value)"
        }, from: { Int($0) ?? 0 }))
    let written = a.record()
    Threads.start {
      a.set(1)
      ended.open()
    }
    entered.wait()
    b.set("2")
    proceed.open()
    ended.wait()
    #expect(a.value == 1 && b.value == "1" && written.values.map(\.new) == [1])
    b.set("3")
    #expect(a.value == 3)
    withExtendedLifetime(bond) {}
  }

  @Test("values that several threads write simultaneously agree when they are done")
  func threads() {
    for round in 0..<20 {
      let (a, b) = (Observed(0), Observed("0"))
      let bond = bind(a, b, via: Conversion(to: { "\($0)" }, from: { Int($0) ?? 0 }))
      let finished = Threads.together(4) { thread in
        for number in 1...100 {
          let value = thread * 1000 + number
          thread % 2 == 0 ? a.set(value) : b.set("\(value)")
        }
      }
      #expect(finished && "\(a.value)" == b.value, "round \(round)")
      #expect(a.value % 1000 == 100, "one of the last: \(a.value)")
      withExtendedLifetime(bond) {}
    }
  }

  @MainActor @Test("bound on an actor, a change made there is carried in place, and one made elsewhere comes there")
  func onAnActor() async {
    let (a, b) = (Observed(0), Observed(0))
    let bond = bind(a, b)
    let received = Recorder<Int>()
    let token = b.observe { change in
      MainActor.assertIsolated()
      received(change.new)
    }
    a.set(1)
    #expect(received.values == [1])
    await Task.detached { a.set(2) }.value
    #expect(await received.values(atLeast: 2) == [1, 2] && b.value == 2)
    await Task.detached { b.set(3) }.value
    for await value in a.stream(.latest) where value == 3 { break }
    withExtendedLifetime((bond, token)) {}
  }

  @Test("dropped, it leaves nothing, and it keeps neither value")
  func leaks() throws {
    let (a, b) = (Observed(0), Observed(0))
    try expectNoLeakedSubscriptions {
      let bond = bind(a, b)
      a.set(1)
      withExtendedLifetime(bond) {}
    }
    weak var released: Observed<Int>?
    var bond: Bond?
    do {
      let c = Observed(0)
      released = c
      bond = bind(a, c)
      c.set(4)
    }
    #expect(released == nil && a.value == 4 && bond?.isActive == false)
    a.set(5)
  }
}
