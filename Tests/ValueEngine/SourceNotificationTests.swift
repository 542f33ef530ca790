import Testing

@testable import ValueEngine

/// The sentences of the contract about handlers, for sources. The number of a sentence is in brackets.
extension ValueEngineTests {
  @Suite struct SourceNotificationTests {
    @Test("Each set is notified with the old and the new value, before it returns [3, 5, 17]")
    func eachSetIsNotified() {
      let (x, received, tokens) = (Source(1), Received<String>(), Tokens())
      tokens.keep(x.observe { received.add(text($0, $1)) })
      x.set(2)
      #expect(received.take() == ["1 2"])
      x.set(2)
      x.update { $0 += 1 }
      #expect(received.take() == ["2 2", "2 3"])
      tokens.cancelAll()
    }
    @Test("Handlers are called in the order in which they were added [1]")
    func orderOfHandlers() {
      let (x, received, tokens) = (Source(1), Received<Int>(), Tokens())
      for number in 0..<5 { tokens.keep(x.observe { _, _ in received.add(number) }) }
      tokens.cancel(2)
      tokens.keep(x.observe { _, _ in received.add(5) })
      x.set(2)
      #expect(received.all == [0, 1, 3, 4, 5])
      tokens.cancelAll()
    }
    @Test("A value that a handler sets is delivered after the current one has reached every handler [4]")
    func aSetInAHandlerWaits() {
      let (x, received, tokens) = (Source(1), Received<String>(), Tokens())
      tokens.keep(
        x.observe { old, new in
          received.add("a " + text(old, new))
          if new < 4 { x.set(new + 1) }
          received.add("end")
        })
      tokens.keep(x.observe { received.add("b " + text($0, $1)) })
      x.set(2)
      #expect(received.all == ["a 1 2", "end", "b 1 2", "a 2 3", "end", "b 2 3", "a 3 4", "end", "b 3 4"])
      tokens.cancelAll()
    }
    @Test("A handler of another source is called before the set in a handler returns")
    func aSetOfAnotherSourceIsNested() {
      let (x, y, received, tokens) = (Source(1), Source(1), Received<String>(), Tokens())
      tokens.keep(
        x.observe { _, new in
          y.set(new)
          received.add("x \(new)")
        })
      tokens.keep(y.observe { _, new in received.add("y \(new)") })
      x.set(2)
      #expect(received.all == ["y 2", "x 2"])
      tokens.cancelAll()
    }
    @Test("The new value is readable before a handler is notified [19]")
    func readableFirst() {
      let (x, y, received, tokens) = (Source(1), Source(1), Received<Int>(), Tokens())
      let sum = Computed { x.value + y.value }
      tokens.keep(x.observe { _, _ in received.add(x.value * 100 + sum.value) })
      x.set(2)
      commitTogether {
        $0.set(x, 3)
        $0.set(y, 4)
      }
      #expect(received.all == [203, 307])
      tokens.cancelAll()
    }
    @Test("A handler that is added in a handler receives only later changes [3]")
    func addedInAHandler() {
      let (x, received, tokens) = (Source(1), Received<String>(), Tokens())
      tokens.keep(
        x.observe { _, new in
          if new == 2 {
            x.set(3)
            tokens.keep(x.observe { received.add("new " + text($0, $1)) })
          }
        })
      x.set(2)
      // 3 was set before it was added.
      #expect(received.take() == [])
      x.set(4)
      #expect(received.take() == ["new 3 4"])
      tokens.cancelAll()
    }
    @Test("No call of a handler begins after its cancellation, also in the middle of a delivery [6]")
    func cancelledInADelivery() {
      let (x, received, tokens) = (Source(1), Received<String>(), Tokens())
      tokens.keep(
        x.observe { _, new in
          received.add("a")
          if new == 2 { x.set(3) } else { tokens.cancel(1) }
        })
      tokens.keep(x.observe { received.add("b " + text($0, $1)) })
      tokens.keep(
        x.observe { _, new in
          received.add("c")
          tokens.cancel(2)
        })
      x.set(2)
      #expect(received.all == ["a", "b 1 2", "c", "a"])
      x.set(4)
      #expect(received.all.count == 5)
      tokens.cancelAll()
    }
    @Test("Dropping the token cancels, and releases what the handler captures [14, 15]")
    func droppedToken() {
      let (x, live, calls) = (Source(1), Counter(), Counter())
      do {
        let captured = Counted(1, live)
        let token = x.observe { _, _ in calls.add(captured.number) }
        x.set(2)
        token.cancel()
        token.cancel()
        #expect(calls.value == 1)
      }
      #expect(live.value == 0)
      do {
        let captured = Counted(1, live)
        let tokens = Tokens()
        tokens.keep(x.observe { _, _ in calls.add(captured.number) })
        x.set(3)
        #expect(calls.value == 2 && live.value == 1)
        tokens.cancel(0)
      }
      #expect(live.value == 0)
      x.set(4)
      #expect(calls.value == 2)
    }
    @Test("A token does not keep the source, and the values of changes are destroyed [15]")
    func theTokenKeepsNoSource() {
      let (live, received, tokens) = (Counter(), Received<String>(), Tokens())
      do {
        let x = Source(Counted(1, live))
        tokens.keep(x.observe { received.add(text($0?.number, $1.number)) })
        x.set(Counted(2, live))
        x.set(Counted(3, live))
        #expect(live.value == 1)
      }
      #expect(live.value == 0 && received.all == ["1 2", "2 3"])
      tokens.cancelAll()
    }
    @Test("Sources that a transaction has written are notified once each, in the order of the writes [22]")
    func theOrderOfATransaction() {
      let (sources, received, tokens) = ((0..<6).map { _ in Source(0) }, Received<String>(), Tokens())
      for (number, source) in sources.enumerated() {
        tokens.keep(source.observe { received.add("\(number): " + text($0, $1)) })
      }
      for order in [[3, 1, 5], [5, 1, 3], [0, 2, 1]] {
        commitTogether { set in for number in order { set.update(sources[number]) { $0 += 1 } } }
        #expect(received.take().map { $0.first } == order.map { "\($0)".first })
      }
      tokens.cancelAll()
    }
    @Test("Values of every kind are notified as they are")
    func kinds() {
      struct Long: Equatable { var a = 0, b = 0, c = 0 }
      let (text, long, none) = (Source("a"), Source(Long()), Source<Int?>(nil))
      let (received, tokens) = (Received<String>(), Tokens())
      tokens.keep(text.observe { received.add("\($0!) \($1)") })
      tokens.keep(long.observe { received.add("\($0!.a)\($0!.c) \($1.a)\($1.c)") })
      tokens.keep(none.observe { received.add("\($0! ?? -1) \($1 ?? -1)") })
      text.set("b")
      text.set("a text that is longer than a word")
      long.set(Long(a: 1, b: 2, c: 3))
      long.set(Long(a: 4, b: 5, c: 6))
      none.set(7)
      none.set(nil)
      #expect(received.all == ["a b", "b a text that is longer than a word", "00 13", "13 46", "-1 7", "7 -1"])
      tokens.cancelAll()
    }
    @Test("A chain of sources whose handlers set the next takes no stack")
    func aLongChain() {
      let (sources, calls, tokens) = ((0..<5_000).map { _ in Source(0) }, Counter(), Tokens())
      for (one, next) in zip(sources, sources.dropFirst()) { tokens.keep(one.observe { next.set($1) }) }
      tokens.keep(sources.last!.observe { _, _ in calls.add() })
      let sum = Computed { sources.last!.value + sources[0].value }
      tokens.keep(sum.observe { calls.add($1) })
      sources[0].set(1)
      #expect(sources.last!.value == 1 && calls.value == 3)
      tokens.cancelAll()
    }
    @Test("A deinit that sets a value notifies its handlers")
    func aDeinitThatSets() {
      final class Writer: Sendable {
        let target: Source<Int>
        init(_ target: Source<Int>) { self.target = target }
        deinit { target.update { $0 += 1 } }
      }
      let (target, received, tokens) = (Source(0), Received<String>(), Tokens())
      let holder = Source<Writer?>(Writer(target))
      let double = Computed { target.value * 2 }
      tokens.keep(target.observe { received.add(text($0, $1)) })
      tokens.keep(double.observe { received.add("double " + text($0, $1)) })
      holder.set(nil)
      #expect(received.all == ["0 1", "double 0 2"])
      tokens.cancelAll()
    }
  }
}
