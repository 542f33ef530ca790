import Foundation
import Synchronization
import Testing

@testable import ValueEngine

/// Handlers, with several threads that write. The number of a sentence is in brackets.
extension ValueEngineTests {
  @Suite struct ThreadNotificationTests {
    @Test(
      "A change made while another thread delivers is delivered by that thread, and the writer waits for no handler [5]",
      arguments: [false, true])
    func leftToTheDeliveringThread(isComputed: Bool) async {
      let (x, steps, received, findings, tokens) = (Source(0), Steps(), Received<String>(), Findings(), Tokens())
      let copy = Computed { x.value }
      let handler: @Sendable (Int?, Int) -> Void = { old, new in
        received.add(text(old, new))
        if new == 1 {
          steps.make()
          steps.wait(for: 2)
        }
      }
      tokens.keep(isComputed ? copy.observe(handler) : x.observe(handler))
      await together(2) { index in
        if index == 0 {
          x.set(1)
          findings.check(received.all == ["0 1", "1 2", "2 3"], "delivered before its set returned: \(received.all)")
        } else {
          steps.wait(for: 1)
          x.set(2)
          x.set(3)
          findings.check(received.all == ["0 1"], "called during the call of another handler: \(received.all)")
          steps.make()
        }
      }
      #expect(findings.all == [])
      tokens.cancelAll()
    }
    @Test("All handlers of a source receive each write of each thread, in one order [2, 3, 17, 18, 20]")
    func everyWrite() async {
      let (x, tokens) = (Source(0), Tokens())
      let received = (0..<3).map { _ in Received<Int>() }
      for log in received {
        tokens.keep(
          x.observe { old, new in
            log.add(old!)
            log.add(new)
          })
      }
      await together(4) { _ in for _ in 0..<500 { x.update { $0 += 1 } } }
      let expected = (0..<2_000).flatMap { [$0, $0 + 1] }
      #expect(received.allSatisfy { $0.all == expected })
      tokens.cancelAll()
    }
    @Test("The handlers of a computed value receive an unbroken chain that ends with its value [17, 18]")
    func lastWrite() async {
      let (sources, findings) = ((0..<4).map { _ in Source(0) }, Findings())
      let halves = (0..<2).map { half in
        Computed {
          let first = sources[2 * half].value
          letOthersRun()
          return first + sources[2 * half + 1].value
        }
      }
      let text = Computed { "\(halves[0].value) \(halves[1].value)" }
      for round in 0..<20 {
        let (last, calls, tokens) = (Received<String>(), Counter(), Tokens())
        last.add(text.value)
        tokens.keep(
          text.observe { old, new in
            findings.check(last.all.last == old && old != new, "\(old!) to \(new) after \(last.all.last!)")
            last.add(new)
            calls.add()
          })
        await together(4) { index in for _ in 0..<60 { sources[index].update { $0 += 1 } } }
        findings.check(last.all.last == text.value, "round \(round): \(last.all.last!) of \(text.value)")
        findings.check(calls.value > 0 && calls.value <= 240, "round \(round): \(calls.value) calls")
        tokens.cancelAll()
      }
      #expect(findings.all == [])
    }
    @Test("A sum that no commit changes is never notified [21, 22]")
    func noGlitch() async {
      let (sources, calls, moves, tokens) = ((0..<4).map { _ in Source(100) }, Counter(), Counter(), Tokens())
      let halves = (0..<2).map { half in Computed { sources[half].value + sources[half + 2].value } }
      let total = Computed {
        let first = halves[0].value
        letOthersRun()
        return first + halves[1].value
      }
      tokens.keep(total.observe { _, _ in calls.add() })
      tokens.keep(halves[0].observe { _, _ in moves.add() })
      await together(3) { index in
        for round in 0..<400 {
          let amount = 1 + (round + index) % 5
          commitTogether {
            $0.update(sources[(round + index) % 4]) { $0 -= amount }
            $0.update(sources[(round + index + 1) % 4]) { $0 += amount }
          }
        }
      }
      #expect(calls.value == 0 && moves.value > 0 && total.value == 400)
      tokens.cancelAll()
    }
    @Test("Handlers are called while another thread keeps overtaking the computation", arguments: [21, 0])
    func overtaken(last: Int) async {
      let (x, runs, steps, received, tokens) = (Source(0), Counter(), Steps(), Received<String>(), Tokens())
      let isOn = Flag()
      let count = 20
      let copy = Computed {
        let value = x.value
        if isOn.value {
          runs.add()
          if runs.value <= count {
            steps.make()
            steps.wait(for: 2 * runs.value)
          }
        }
        return value
      }
      tokens.keep(copy.observe { received.add(text($0, $1)) })
      isOn.value = true
      await together(2) { index in
        if index == 0 {
          x.set(1)
        } else {
          for run in 1...count {
            steps.wait(for: 2 * run - 1)
            // It finds the value stale, and so leaves it to the other thread.
            x.set(run < count ? run + 1 : last)
            steps.make()
          }
        }
      }
      // The eighth attempt, the sixteenth, and the first that was not overtaken, also if that has the value of the beginning.
      #expect(received.all == ["0 8", "8 16", "16 \(last)"])
      tokens.cancelAll()
    }
    @Test("A result that was overtaken is not notified after a newer value [17]")
    func overtakenByANewerValue() async {
      let (x, runs, steps, received, tokens) = (Source(0), Counter(), Steps(), Received<String>(), Tokens())
      let isOn = Flag()
      let count = Int(Notifications.attemptsForPrivate)
      let copy = Computed {
        let value = x.value
        if isOn.value {
          runs.add()
          steps.make()
          steps.wait(for: 2 * runs.value)
        }
        return value
      }
      tokens.keep(copy.observe { received.add(text($0, $1)) })
      isOn.value = true
      await together(2) { index in
        if index == 0 {
          x.set(1)
        } else {
          for run in 1...count {
            steps.wait(for: 2 * run - 1)
            x.set(run + 1)
            if run == count {
              // This thread publishes the value. So its next commit finds it valid, and this thread notifies of that.
              isOn.value = false
              _ = copy.value
              x.set(100)
            }
            steps.make()
          }
        }
      }
      #expect(received.all == ["0 100"])
      tokens.cancelAll()
    }
    @Test("A commit that comes just before the first handler of a value is added is notified [3, 18]")
    func beforeTheFirstHandler() async {
      let (x, steps, received) = (Source(0), Steps(), Received<String>())
      let copy = Computed { x.value }
      let list = SerialHandlers<Int>()
      await together(2) { index in
        if index == 0 {
          let context = Context.current
          context.attach(copy.handle.node, Watch(list)) { _, _ in
            list.add(ValueHandler<Int>(waitsForInitial: false) { received.add(text($0, $1)) })
            // The value was validated, and its flag is not set yet: the commit queues nothing.
            steps.make()
            steps.wait(for: 2)
          }
          context.notify()
        } else {
          steps.wait(for: 1)
          x.set(1)
          steps.make()
        }
      }
      #expect(received.all == ["0 1"])
    }
    private final class Flag: Sendable {
      private let isSet = Atomic<Bool>(false)
      var value: Bool {
        get { isSet.load(ordering: .acquiring) }
        set { isSet.store(newValue, ordering: .releasing) }
      }
    }
    @Test("Threads that add and cancel the only handler of a value miss no change, and keep nothing")
    func firstAndLastHandler() async {
      let (live, findings) = (Counter(), Findings())
      do {
        let x = Source(0)
        let copy = Computed { Counted(x.value, live) }
        await together(4) { index in
          for round in 0..<300 {
            if index < 2 {
              x.update { $0 += 1 }
            } else {
              let (last, token) = (Received<Int>(), Tokens())
              token.keep(
                copy.observe(initial: true) { old, new in
                  findings.check(old?.number == last.all.last, "round \(round): \(text(old?.number, new.number))")
                  last.add(new.number)
                })
              if round % 3 == 0 { sched_yield() }
              token.cancelAll()
            }
          }
        }
        #expect(copy.value.number == x.value && !copy.handle.node.has(Node.isWatched))
      }
      await together(1) { _ in collect(until: { live.value <= 0 }) }
      #expect(live.value == 0 && findings.all == [])
    }
  }
}
