import Testing

@testable import ValueEngine

/// `.initial`: the first call of a handler, with the value there is.
extension ValueEngineTests {
  @Suite struct InitialValueTests {
    @Test("A handler is first called with the value of that moment, and then with each change [3, 17]")
    func theFirstCall() {
      let (x, received, tokens) = (Source(1), Received<String>(), Tokens())
      let double = Computed { x.value * 2 }
      x.set(2)
      tokens.keep(x.observe(initial: true) { received.add(text($0, $1)) })
      tokens.keep(double.observe(initial: true) { received.add("double " + text($0, $1)) })
      #expect(received.take() == ["- 2", "double - 4"])
      x.set(3)
      #expect(received.take() == ["2 3", "double 4 6"])
      tokens.cancelAll()
    }
    @Test("The initial value of a computed value is never outdated")
    func notOutdated() {
      let (x, received, tokens) = (Source(1), Received<String>(), Tokens())
      let text = Computed { "\(x.value)" }
      #expect(text.value == "1")
      x.set(2)
      x.set(3)
      tokens.keep(text.observe(initial: true) { received.add("\($1)") })
      x.set(4)
      // While the first handler is notified of 5, and has not been notified of 6.
      tokens.keep(
        x.observe { _, new in
          if new == 5 {
            x.set(6)
            tokens.keep(text.observe(initial: true) { received.add("second \($1)") })
          }
        })
      x.set(5)
      // Handlers of computed values are called when no handler of a source is running.
      #expect(received.take() == ["3", "4", "second 6", "6"])
      x.set(7)
      #expect(received.take() == ["7", "second 7"])
      tokens.cancelAll()
    }
    @Test("Changes that the handler makes in its first call are delivered after it, once")
    func changesInTheFirstCall() {
      let (x, received, tokens) = (Source(1), Received<String>(), Tokens())
      let double = Computed { x.value * 2 }
      tokens.keep(
        x.observe(initial: true) { old, new in
          received.add(text(old, new))
          if old == nil {
            x.set(2)
            x.set(3)
            received.add("end")
          }
        })
      #expect(received.take() == ["- 1", "end", "1 2", "2 3"])
      tokens.keep(
        double.observe(initial: true) { old, new in
          received.add(text(old, new))
          if old == nil {
            x.set(4)
            received.add("end")
          }
        })
      #expect(received.take() == ["- 6", "3 4", "end", "6 8"])
      tokens.cancelAll()
    }
    @Test("In a handler of the same value the first call is made before `observe` returns")
    func inAHandlerOfTheSameValue() {
      let (x, received, tokens) = (Source(1), Received<String>(), Tokens())
      tokens.keep(
        x.observe { _, new in
          if new != 2 { return }
          x.set(3)
          tokens.keep(x.observe(initial: true) { received.add(text($0, $1)) })
          received.add("added")
          x.set(4)
        })
      x.set(2)
      #expect(received.all == ["- 3", "added", "3 4"])
      tokens.cancelAll()
    }
    @Test("No change is lost or delivered twice while other threads write", arguments: [false, true])
    func beginsWhileOthersWrite(isComputed: Bool) async {
      let (x, findings) = (Source(0), Findings())
      let copy = Computed { x.value }
      for _ in 0..<100 {
        let last = Received<Int>()
        let tokens = Tokens()
        await together(3) { index in
          if index < 2 {
            for _ in 0..<50 { x.update { $0 += 1 } }
          } else {
            let handler: @Sendable (Int?, Int) -> Void = { old, new in
              findings.check(old == last.all.last, "\(String(describing: old)) after \(last.all.suffix(1))")
              last.add(new)
            }
            tokens.keep(
              isComputed ? copy.observe(initial: true, handler) : x.observe(initial: true, handler))
          }
        }
        findings.check(last.all.last == x.value, "the last value is \(x.value), notified \(last.all.suffix(1))")
        tokens.cancelAll()
      }
      #expect(findings.all == [])
    }
  }
}
