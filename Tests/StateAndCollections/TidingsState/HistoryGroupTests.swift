import Testing
import Tidings
import TidingsCollections
import TidingsState
import TidingsTesting

@Suite("Steps that belong together")
struct HistoryGroupTests {
  @Test("A group is one step, with what its followers write")
  func groups() async {
    let (a, b, c) = (Observed(0), Observed(0), Observed(0))
    let tokens = [
      Derived { a.value * 10 }.observe { change in b.set(change.new) },
      a.observe { @MainActor change in c.update { $0 += change.new } },
    ]
    let history = History(of: a, b, c)
    await Task.detached {
      let sum = history.group {
        a.set(1)
        history.group { a.set(2) }
        transaction { a.set(3) }
        return a.value + b.value
      }
      #expect(sum == 33)
      a.set(4)
    }.value
    await tokens[1].drained()
    #expect(c.value == 10)
    #expect(history.undo() && a.value == 3 && b.value == 30 && c.value == 6)
    await tokens[1].drained()
    #expect(history.undo() && a.value == 0 && b.value == 0 && !history.canUndo.value)
    await tokens[1].drained()
    #expect(history.redo() && a.value == 3 && b.value == 30)
    withExtendedLifetime(tokens) {}
  }

  @Test("A group that throws keeps what it has written, as one step")
  func throwing() {
    struct Stop: Error {}
    let (a, b) = (Observed(0), Observed(0))
    let history = History(of: a, b)
    #expect(throws: Stop.self) {
      try history.group {
        a.set(1)
        b.set(1)
        throw Stop()
      }
    }
    a.set(2)
    #expect(history.undo() && history.undo() && a.value == 0 && b.value == 0 && !history.canUndo.value)
  }

  @Test("Groups with one key are one step until a pause, another change or an undo")
  func keys() {
    let (text, size, clock) = (Observed(""), Observed(0), ManualClock())
    let history = History(of: text, size, clock: clock)
    func type(_ letters: String, _ key: String = "typing") {
      for letter in letters {
        history.group(key, pause: .seconds(1)) { text.update { $0.append(letter) } }
        clock.advance(by: .milliseconds(900))
      }
    }
    type("ab")
    clock.advance(by: .milliseconds(100))
    type("cd")
    #expect(history.undo() && text.value == "ab")
    type("ef")
    #expect(history.undo() && text.value == "ab" && history.undo() && text.value == "" && !history.canUndo.value)
    #expect(history.redo() && text.value == "ab")
    type("g")
    size.set(1)
    type("h")
    type("i", "pasting")
    #expect(history.undo() && text.value == "abgh" && history.undo() && text.value == "abg")
    #expect(history.undo() && size.value == 0 && history.undo() && text.value == "ab")
  }

  @Test("Steps of the same values are coalesced until a pause")
  func coalescing() {
    let (text, size, clock) = (Observed(""), Observed(0), ManualClock())
    let shown = Derived { text.value.count }.observe { change in size.set(change.new) }
    let (other, history) = (Observed(0), History(of: text, size, coalescing: .seconds(1), clock: clock))
    let both = History(of: text, other, coalescing: .seconds(1), clock: clock)
    for letter in "abc" {
      text.update { $0.append(letter) }
      clock.advance(by: .milliseconds(900))
    }
    other.set(1)
    clock.advance(by: .milliseconds(100))
    for letter in "de" { text.update { $0.append(letter) } }
    #expect(history.undo() && text.value == "abc" && size.value == 3)
    #expect(history.undo() && text.value == "" && size.value == 0 && !history.canUndo.value)
    while both.undo() {}
    #expect(text.value == "" && other.value == 0)
    withExtendedLifetime(shown) {}
  }

  @Test("An array and a dictionary are undone by the reverse of their edits")
  func collections() {
    let (list, prices, name) = (ObservedArray(["a", "b", "c"]), ObservedDictionary(["x": 1]), Observed("n"))
    let history = History(of: list, prices, name)
    let (mirror, resets) = (Locked(list.value), Locked(0))
    let token = list.differences.observe { difference in
      if difference.isReset { resets.withLock { $0 += 1 } }
      mirror.withLock { difference.apply(to: &$0) }
    }
    let upper = list.map { $0.uppercased() }
    transaction {
      list.edit { list in
        list.append("d")
        list.move(from: 3, to: 0)
        list[1] = "A"
        list.remove(at: 2)
      }
      prices.set(2, for: "y")
      name.set("m")
    }
    list.edit { $0.insert("e", at: 1) }
    prices.edit { prices in
      prices["x"] = nil
      prices["z"] = 3
    }
    let (last, lastPrices) = (list.value, prices.value)
    #expect(history.undo() && prices.value == ["x": 1, "y": 2])
    #expect(history.undo() && list.value == ["d", "A", "c"])
    #expect(history.undo() && list.value == ["a", "b", "c"] && prices.value == ["x": 1] && name.value == "n")
    #expect(mirror.current == list.value && upper.value == ["A", "B", "C"])
    while history.redo() {}
    #expect(list.value == last && prices.value == lastPrices && name.value == "m")
    while history.undo() {}
    #expect(list.value == ["a", "b", "c"] && mirror.current == list.value && resets.current == 0)
    list.set(["z"])
    #expect(history.undo() && list.value == ["a", "b", "c"] && mirror.current == list.value)
    withExtendedLifetime(token) {}
  }

  @Test("An undo that a policy refuses leaves every value and the step as they were")
  func refused() {
    let (total, note) = (Observed(1, changes: .by { $1 < $0 }), Observed("a", changes: .distinct))
    let history = History(of: total, note)
    note.set("b")
    transaction {
      total.set(2)
      note.set("c")
    }
    #expect(!history.undo() && total.value == 2 && note.value == "c")
    #expect(history.canUndo.value && !history.canRedo.value && !history.undo())
    transaction {
      note.set("d")
      #expect(!history.undo())
    }
    #expect(history.undo() && note.value == "c" && !history.undo() && history.redo() && note.value == "d")
    total.set(0)
    #expect(history.canUndo.value && !history.canRedo.value && total.value == 2)
  }

  @Test("A history of values that are counted at run time")
  func counted() {
    let values: [any RestorableSource] = (0..<3).map { Observed($0) }
    let history = History(of: values)
    (values[1] as? Observed<Int>)?.set(9)
    #expect(history.undo() && (values[1] as? Observed<Int>)?.value == 1)
  }
}
