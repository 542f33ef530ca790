import TestSupport
import Testing
import Tidings
import TidingsTesting

/// Derived values that read each other in rings, which open and close while several threads read them.
@Suite("Cycles that several threads read", .slow)
struct CycleRingTests {
  @Test("A value that was kept in a cycle is right after three sets on one thread")
  func openedOnOneThread() {
    for first in 0..<3 {
      let ring = Ring(of: 3, watched: 0)
      ring.close()
      _ = ring.value(first)
      _ = ring.value((first + 1) % 3)
      ring.sources[first].set(5)
      ring.open(at: first)
      #expect(ring.problem() == nil)
    }
  }

  @Test("In a closed ring the value read first keeps its previous result, and the others are computed from it")
  func firstKeepsItsValue() {
    for first in 0..<3 {
      let ring = Ring(of: 3, watched: 0)
      ring.close()
      for step in [0, 2, 1, 0, 1, 2] {
        #expect(ring.value((first + step) % 3) == first * 10 + (3 - step) % 3)
      }
    }
  }

  @Test("A value that was kept in two cycles is right when they have opened, though what it read is as before")
  func twoCycles() {
    let (opens, closes) = (Observed(false), Observed(false))
    let (first, last) = (Locked<Derived<Int>?>(nil), Locked<Derived<Int>?>(nil))
    let middle = Derived { closes.value ? last.current!.value + first.current!.value : 10 }
    first.current = Derived { opens.value ? middle.value + 1 : 0 }
    last.current = Derived { middle.value + 5 }
    #expect([first.current!.value, middle.value, last.current!.value] == [0, 10, 15])
    opens.set(true)
    closes.set(true)
    #expect([first.current!.value, middle.value] == [0, 10], "both are in a cycle")
    closes.set(false)
    #expect([first.current!.value, middle.value, last.current!.value] == [11, 10, 15])
    (first.current, last.current) = (nil, nil)
  }

  @Test("Values that were in a cycle are released when nothing else refers to them")
  func areReleased() async {
    let canaries = Canaries()
    for _ in 0..<20 {
      let ring = Ring(of: 4, watched: 2, canaries)
      ring.close()
      for index in 0..<4 { _ = ring.value(index) }
      await Threads.together(2) { thread in for _ in 0..<10 { _ = ring.value(thread) } }
      ring.forget()
    }
    #expect(await canaries.quiesce())
  }

  /// `TIDINGS_ROUNDS` or `TIDINGS_MINUTES` makes more.
  @Test(
    "Random rings that open and close, read by one to four threads: none hangs, and all values are right afterwards")
  func random() async {
    let reports = Diagnostics.reports.observe { _ in }
    await Runs.forEachSeed(300, of: "cycle rings") { seed in
      var random = SplitMix64(seed, 0)
      let (count, threads) = (2 + random.number(below: 6), 1 + random.number(below: 4))
      let ring = Ring(of: count, watched: random.number(below: count + 1))
      let returned = Threads.together(threads + 1, seconds: 60) { thread in
        var random = SplitMix64(seed, thread + 1)
        for _ in 0..<30 {
          let index = random.number(below: count)
          if thread > 0 {
            _ = ring.value(index)
          } else if random.number(below: 3) == 0 {
            ring.sources[index].set(random.number(below: 100))
          } else {
            ring.flags[index].set(random.number(below: 4) != 0)
          }
        }
      }
      if !returned {
        Issue.record("a thread did not return: TIDINGS_SEED=\(seed)")
        return false
      }
      ring.open(at: random.number(below: count))
      let problem = ring.problem()
      if let problem { Issue.record("\(problem): TIDINGS_SEED=\(seed)") }
      return problem == nil
    }
    reports.cancel()
  }
}

/// Each value is that of the next and one more while its flag is set, else that of its source. Closed when all flags are set.
private final class Ring: Sendable {
  let sources: [Observed<Int>]
  let flags: [Observed<Bool>]
  private let values: Locked<[Derived<Int>]>
  private let notified: [Recorder<Int>]
  private let tokens: Locked<[Subscription]>

  init(of count: Int, watched: Int, _ canaries: Canaries? = nil) {
    let (sources, flags) = ((0..<count).map { Observed($0 * 10) }, (0..<count).map { _ in Observed(false) })
    (self.sources, self.flags) = (sources, flags)
    let values = Locked<[Derived<Int>]>([])
    self.values = values
    values.current = (0..<count).map { index in
      Derived("link \(index)") { [canary = canaries?.make()] in
        canary?.touch()
        guard flags[index].value, let next = values.withLock({ $0.isEmpty ? nil : $0[(index + 1) % $0.count] }) else {
          return sources[index].value
        }
        return next.value + 1
      }
    }
    for value in values.current { _ = value.value }
    let notified = (0..<watched).map { _ in Recorder<Int>() }
    self.notified = notified
    tokens = Locked(zip(values.current, notified).map { value, notified in value.observe { notified($0.new) } })
  }

  func value(_ index: Int) -> Int { values.withLock { $0[index] }.value }
  func close() { for flag in flags { flag.set(true) } }
  func open(at index: Int) { flags[index].set(false) }
  func forget() {
    tokens.current = []
    values.current = []
  }

  /// Returns what is wrong with the values of an open ring, or nil.
  func problem() -> String? {
    for index in flags.indices {
      let end = (index..<index + flags.count).first { !flags[$0 % flags.count].value }!
      let right = sources[end % flags.count].value + end - index
      let value = value(index)
      if value != right { return "link \(index) is \(value), not \(right)" }
      if index < notified.count, let last = notified[index].values.last, last != right {
        return "the handlers of link \(index) were notified of \(last) last, not of \(right)"
      }
    }
    var invariants = InvariantsCheck()
    for value in values.current { invariants.check(value) }
    return invariants.broken.isEmpty ? nil : "\(invariants.broken)"
  }
}
