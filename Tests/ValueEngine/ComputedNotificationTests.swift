import Testing

@testable import ValueEngine

/// The sentences of the contract about handlers, for computed values. The number of a sentence is in brackets.
extension ValueEngineTests {
  @Suite struct ComputedNotificationTests {
    @Test("A change is notified once and without a glitch, however many ways lead to it [21]")
    func aDiamond() {
      let (x, received, runs, tokens) = (Source(1), Received<String>(), Counter(), Tokens())
      let (left, right) = (Computed { x.value + 1 }, Computed { x.value * 2 })
      let total = Computed {
        runs.add()
        return [x.value, left.value, right.value]
      }
      tokens.keep(total.observe { received.add("\($0!) \($1)") })
      #expect(runs.value == 1)
      x.set(2)
      x.set(3)
      #expect(received.all == ["[1, 2, 2] [2, 3, 4]", "[2, 3, 4] [3, 4, 6]"] && runs.value == 3)
      tokens.cancelAll()
    }
    @Test("An equal result is not notified [21]")
    func anEqualResult() {
      let (x, received, tokens) = (Source(1), Received<String>(), Tokens())
      let (isOdd, rounded) = (Computed { x.value % 2 == 1 }, Computed { (Double(x.value) / 10).rounded() })
      let name = Computed { isOdd.value ? "odd" : "even" }
      tokens.keep(isOdd.observe { received.add(text($0, $1)) })
      tokens.keep(name.observe { received.add(text($0, $1)) })
      tokens.keep(rounded.observe { received.add(text($0, $1)) })
      x.set(3)
      #expect(received.take() == [])
      x.set(4)
      #expect(received.take() == ["true false", "odd even"])
      tokens.cancelAll()
    }
    @Test(
      "A value that has changed back is not notified, whether it was read meanwhile or not [21]",
      arguments: [false, true])
    func changedBack(isRead: Bool) {
      let (x, y, received, tokens) = (Source(1), Source(1), Received<String>(), Tokens())
      let (number, name) = (Computed { y.value * 10 }, Computed { "\(y.value)" })
      tokens.keep(number.observe { received.add(text($0, $1)) })
      tokens.keep(name.observe { received.add(text($0, $1)) })
      tokens.keep(
        x.observe { _, new in
          y.set(new)
          if isRead { received.add("\(number.value) \(name.value)") }
          y.set(1)
        })
      x.set(2)
      #expect(received.take() == (isRead ? ["20 2"] : []))
      x.set(1)
      y.set(3)
      #expect(received.all.suffix(2).sorted() == ["1 3", "10 30"])
      tokens.cancelAll()
    }
    @Test("A value is computed when it is observed, and not at all while it is neither read nor observed [21]")
    func eagerOnlyWhileObserved() {
      let (x, runs, innerRuns, tokens) = (Source(1), Counter(), Counter(), Tokens())
      let inner = Computed {
        innerRuns.add()
        return x.value
      }
      let outer = Computed {
        runs.add()
        return inner.value + x.value
      }
      x.set(2)
      #expect(runs.value == 0 && innerRuns.value == 0)
      tokens.keep(outer.observe { _, _ in })
      tokens.keep(outer.observe { _, _ in })
      for number in 3..<10 { x.set(number) }
      #expect(runs.value == 8 && innerRuns.value == 8)
      tokens.cancel(0)
      x.set(10)
      #expect(runs.value == 9 && innerRuns.value == 9)
      tokens.cancel(1)
      for number in 11..<20 { x.set(number) }
      #expect(runs.value == 9 && innerRuns.value == 9)
      #expect(outer.value == 38 && runs.value == 10)
    }
    @Test("One computation sees all that handlers of sources have set")
    func sourcesFirst() {
      let (x, y, received, runs, tokens) = (Source(1), Source(1), Received<String>(), Counter(), Tokens())
      let sum = Computed {
        runs.add()
        return x.value + y.value
      }
      tokens.keep(sum.observe { received.add("sum " + text($0, $1)) })
      tokens.keep(
        x.observe { _, new in
          received.add("x")
          y.set(new * 10)
          y.set(new * 100)
        })
      tokens.keep(y.observe { received.add("y " + text($0, $1)) })
      x.set(2)
      #expect(received.take() == ["x", "y 1 20", "y 20 200", "sum 2 202"] && runs.value == 2)
      // The two sets that found it stale did not unlink it.
      y.set(5)
      #expect(received.take() == ["y 200 5", "sum 202 7"])
      tokens.cancelAll()
    }
    @Test("What a transaction has changed is notified once [22]")
    func aTransaction() {
      let (x, y, received, tokens) = (Source(1), Source(9), Received<String>(), Tokens())
      let (sum, pair) = (Computed { x.value + y.value }, Computed { "\(x.value),\(y.value)" })
      tokens.keep(sum.observe { received.add("sum " + text($0, $1)) })
      tokens.keep(pair.observe { received.add("pair " + text($0, $1)) })
      commitTogether {
        $0.set(y, 8)
        $0.set(x, 2)
      }
      #expect(received.all == ["pair 1,9 2,8"])
      tokens.cancelAll()
    }
    @Test("Inner values are notified before those that read them", arguments: [false, true])
    func byHeight(isReadBefore: Bool) {
      let (x, choice, received, tokens) = (Source(1), Source(false), Received<String>(), Tokens())
      let inner = Computed { x.value * 2 }
      let middle = Computed { inner.value + 1 }
      let upper = Computed { middle.value + 1 }
      let outer = Computed { x.value + upper.value }
      let isPositive = Computed { (choice.value ? outer.value : x.value) > 0 }
      let sign = Computed { isPositive.value ? 1 : -1 }
      let last = Computed { sign.value * x.value }
      // Linked in an order that is not that of the heights.
      for (name, value) in [("last", last), ("outer", outer), ("upper", upper), ("middle", middle), ("inner", inner)] {
        tokens.keep(value.observe { _, _ in received.add(name) })
      }
      if isReadBefore { tokens.keep(x.observe { _, _ in _ = last.value + outer.value }) }
      x.set(2)
      #expect(received.take().filter { $0 != "last" } == ["inner", "middle", "upper", "outer"])
      // Now `isPositive` is above `outer`. So `sign` and `last` are higher than before, though their values stay.
      choice.set(true)
      #expect(received.take() == [])
      x.set(3)
      #expect(received.take() == ["inner", "middle", "upper", "outer", "last"])
      tokens.cancelAll()
    }
    @Test("Values that a handler's write has changed are notified after those of the same propagation")
    func rounds() {
      let (x, y, received, tokens) = (Source(1), Source(1), Received<String>(), Tokens())
      let (first, second, third) = (Computed { x.value }, Computed { x.value + y.value }, Computed { y.value })
      tokens.keep(third.observe { received.add("third " + text($0, $1)) })
      tokens.keep(second.observe { received.add("second " + text($0, $1)) })
      tokens.keep(
        first.observe {
          received.add("first " + text($0, $1))
          y.set($1 * 10)
          received.add("end")
        })
      tokens.keep(y.observe { received.add("y " + text($0, $1)) })
      x.set(2)
      // The values of the first round are of one snapshot, whichever of the two is called first.
      let all = received.all
      #expect(all.filter { $0.hasPrefix("second") } == ["second 2 3", "second 3 22"])
      #expect(all.filter { !$0.hasPrefix("second") } == ["first 1 2", "y 1 20", "end", "third 1 20"])
      #expect(all.firstIndex(of: "second 2 3")! < all.firstIndex(of: "third 1 20")!)
      #expect(all.firstIndex(of: "second 3 22")! > all.firstIndex(of: "end")!)
      tokens.cancelAll()
    }
    @Test("Handlers of one value receive its changes in one order, also if they write what it reads [2, 4]")
    func aCycleThatEnds() {
      let (x, received, tokens) = (Source(1), Received<String>(), Tokens())
      let double = Computed { x.value * 2 }
      tokens.keep(
        double.observe {
          received.add("a " + text($0, $1))
          if $1 < 8 { x.set($1) }
        })
      tokens.keep(double.observe { received.add("b " + text($0, $1)) })
      x.set(2)
      #expect(received.all == ["a 2 4", "b 2 4", "a 4 8", "b 4 8"])
      tokens.cancelAll()
    }
    @Test("A handler may add and cancel handlers of the same value [3, 6, 11]")
    func addedAndCancelledInAHandler() {
      let (x, received, tokens) = (Source(1), Received<String>(), Tokens())
      let double = Computed { x.value * 2 }
      tokens.keep(
        double.observe { _, new in
          received.add("a \(new)")
          if new == 4 {
            tokens.cancel(0)
            tokens.cancel(1)
            tokens.keep(double.observe { received.add("c " + text($0, $1)) })
          }
        })
      tokens.keep(double.observe { _, new in received.add("b \(new)") })
      x.set(2)
      x.set(3)
      #expect(received.all == ["a 4", "c 4 6"])
      tokens.cancelAll()
    }
    @Test("A value that a cancelled handler observed is notified from scratch to the next one [3, 17]")
    func watchedAgain() {
      let (x, received, tokens) = (Source("1"), Received<String>(), Tokens())
      let copy = Computed { x.value + "!" }
      tokens.keep(copy.observe { received.add("a " + text($0, $1)) })
      x.set("2")
      tokens.cancel(0)
      x.set("3")
      x.set("4")
      tokens.keep(copy.observe { received.add("b " + text($0, $1)) })
      x.set("5")
      #expect(received.all == ["a 1! 2!", "b 4! 5!"])
      tokens.cancelAll()
    }
    @Test("A token keeps the value between it and its source, until it is cancelled [15]")
    func theTokenKeepsTheValue() {
      let (x, live, received, tokens) = (Source(1), Counter(), Received<Int>(), Tokens())
      do {
        let captured = Counted(10, live)
        let sum = Computed { x.value + captured.number }
        let text = Computed { Counted(sum.value, live) }
        tokens.keep(text.observe { received.add($1.number) })
      }
      x.set(2)
      x.set(3)
      #expect(received.all == [12, 13])
      // Its capture, the newest value, and no other.
      #expect(live.value == 2)
      tokens.cancelAll()
      #expect(live.value == 0)
      x.set(4)
      #expect(received.all.count == 2)
    }
    @Test("Values of two to four words are notified as they are")
    func longValues() {
      struct Long: Equatable { var a = 0, b = 0, c = 0 }
      let (x, received, tokens) = (Source(1), Received<String>(), Tokens())
      let long = Computed { Long(a: x.value / 10, b: 5, c: x.value % 10) }
      tokens.keep(long.observe { received.add("\($0!.a)\($0!.b)\($0!.c) \($1.a)\($1.b)\($1.c)") })
      x.set(23)
      x.set(45)
      #expect(received.all == ["051 253", "253 455"])
      tokens.cancelAll()
    }
    @Test("A value in a cycle does not keep a thread from notifying")
    func aCycle() {
      let (x, received, tokens, holder) = (Source(1), Received<String>(), Tokens(), Holder())
      let turn = Computed { x.value < 2 ? 0 : holder.value!.value }
      holder.value = turn
      let other = Computed { x.value * 10 }
      tokens.keep(turn.observe { received.add("turn " + text($0, $1)) })
      tokens.keep(other.observe { received.add("other " + text($0, $1)) })
      x.set(2)
      x.set(3)
      #expect(received.all.filter { $0.hasPrefix("other") } == ["other 10 20", "other 20 30"])
      tokens.cancelAll()
      holder.value = nil
    }
    private final class Holder: @unchecked Sendable {  // one thread uses it
      var value: Computed<Int>?
    }
  }
}
