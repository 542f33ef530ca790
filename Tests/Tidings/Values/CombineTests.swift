import Testing
import Tidings
import TidingsTesting

@Suite("Combined values")
struct CombineTests {
  @Test("Several values are one, notified when a part differs")
  func parts() {
    let (a, b, c) = (Observed(1), Observed("x"), Derived { true })
    let (all, received) = (combine(a, b, c), Recorder<String>())
    let token = all.observe { received("\($0.old!) \($0.new)") }
    #expect(all.value == (1, "x", true))
    a.set(1)
    #expect(received.values == [])
    a.set(2)
    transaction {
      a.set(3)
      b.set("y")
    }
    #expect(received.values == ["(1, \"x\", true) (2, \"x\", true)", "(2, \"x\", true) (3, \"y\", true)"])
    token.cancel()
  }

  @Test("A part that cannot be compared is notified whenever it was set")
  func incomparable() {
    struct Plain: Sendable {}
    let (a, plain, received) = (Observed(1), Observed(Plain()), Recorder<Int>())
    let token = combine(a, plain).observe { received($0.new.0) }
    plain.set(Plain())
    a.set(2)
    #expect(received.values == [1, 2])
    token.cancel()
  }
}
