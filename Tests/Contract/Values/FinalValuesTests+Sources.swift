import Testing
import Tidings
import TidingsTesting

// A value ends when none of the sources that it reads can change again.
extension FinalValuesTests {
  @Test("43. A value that has read nothing has ended from the beginning")
  func constants() async {
    let (constant, hidden, received) = (Derived { 7 }, Observed(1), Recorder<Int>())
    let unnoticed = Derived { untracked { hidden.value } + constant.value }
    for value in [constant, unnoticed] {
      #expect(!value.observe { received($0.new) }.isActive)
      #expect(!value.observe(.initial) { received($0.new) }.isActive)
      #expect(await value.stream(.latest).all() == [value.value])
    }
    #expect(received.values == [7, 8])
  }

  @Test("43. A value that reads several sources ends with the last of them, in whichever order they end")
  func lastSource() {
    let count = 4
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
      var sources = (0..<count).map { Observed($0) as Observed<Int>? }
      let readers = sources.map { $0!.reader }
      let received = Recorder<Int>()
      let sum = Derived { readers.reduce(0) { $0 + $1.value } }
      let token = sum.observe { received($0.new) }
      for index in order {
        #expect(token.isActive)
        sources[index]?.set(10)
        sources[index] = nil
      }
      #expect(!token.isActive && received.values.last == 40)
    }
  }

  @Test("43. A value ends when it turns away from its last living source, and lives when it turns to one")
  func dynamicDependencies() {
    var (flag, first): (Observed<Bool>?, Observed<Int>?) = (Observed(false), Observed(1))
    let (second, received) = (Observed(2), Recorder<Int>())
    let (isSecond, one, other) = (flag!.reader, first!.reader, second.reader)
    let chosen = Derived { isSecond.value ? other.value : one.value }
    let token = chosen.observe { received($0.new) }
    first = nil
    #expect(token.isActive, "its flag may turn")
    flag?.set(true)
    flag = nil
    #expect(token.isActive, "it reads a source that lives")
    second.set(3)
    #expect(token.isActive && received.values == [2, 3])

    var gate: Observed<Bool>? = Observed(true)
    let (isOpen, ended) = (gate!.reader, Recorder<Int>())
    let last = Derived { isOpen.value ? other.value : -1 }.observe { ended($0.new) }
    gate?.set(false)
    #expect(last.isActive, "its gate may open")
    gate = nil
    #expect(!last.isActive && ended.values == [-1])
  }

  @Test("43. A chain follows the values that replace each other, and ends with both of its links")
  func chains() {
    var (outer, first, second): (Observed<Int>?, Observed<String>?, Observed<String>?) = (
      Observed(0), Observed("a"), Observed("b")
    )
    let (inner, received) = ([first!.map { $0 }, second!.map { $0 }], Recorder<String>())
    let chain = outer!.chain { inner[$0] }
    let token = chain.observe { received($0.new) }
    first?.set("c")
    first = nil
    #expect(token.isActive, "another may replace it")
    outer?.set(1)
    outer = nil
    #expect(token.isActive, "its inner source lives")
    second?.set("d")
    second = nil
    #expect(!token.isActive && received.values == ["c", "b", "d"])
  }

  @Test("43. A value whose closure retains its source does not end")
  func retainedSource() {
    let (canaries, received) = (Canaries(), Recorder<Int>())
    func make() -> Derived<Int> {
      let (source, canary) = (Observed(1), canaries.make())
      return Derived {
        canary.touch()
        return source.value
      }
    }
    let token = make().observe { received($0.new) }
    #expect(token.isActive && canaries.alive == 1)
    token.cancel()
  }
}
