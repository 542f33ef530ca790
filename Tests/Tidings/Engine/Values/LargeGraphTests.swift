import Foundation
import Testing
import Tidings
import TidingsTesting

@Suite("Large graphs", .slow, .serialized)
struct LargeGraphTests {
  @Test("20. Three threads update one value 50,000 times each, and no write is lost", arguments: [false, true])
  func updates(inTransactions: Bool) async {
    let count = Observed(0)
    let twice = Derived { count.value * 2 }
    let notified = Locked(0)
    let problems = Problems()
    let watch = Watch<Int>("count", problems, isDistinct: true, first: 0)
    let tokens = [
      count.observe(watch.receives),
      twice.observe { change in
        if change.new % 2 != 0 { problems("twice is \(change.new)") }
        notified.current = change.new
      },
    ]
    let ended = await Threads.together(3) { _ in
      for _ in 0..<50_000 {
        if inTransactions { transaction { count.update { $0 += 1 } } } else { count.update { $0 += 1 } }
      }
    }
    #expect(ended && count.value == 150_000 && twice.value == 300_000)
    // A task may still be delivering for the threads.
    #expect(await eventually { watch.last == 150_000 && notified.current == 300_000 })
    #expect(problems.isEmpty, "\(problems.all)")
    withExtendedLifetime(tokens) {}
  }

  @Test("A chain of 100,000 values is recomputed, notified and dropped on a stack of 8 MB")
  func chain() async {
    let (canaries, log) = (Canaries(), Recorder<String>())
    let isDone = await Threads.elsewhere(stackSize: 8 << 20) {
      let count = 100_000
      let source = Observed(0)
      var last = Derived { source.value + 1 }
      for link in 1..<count {
        last = Derived { [below = last, canary = canaries.make()] in
          canary.touch()
          return below.value + 1
        }
        if link % 500 == 0 { log("built \(last.value == link + 1)") }
      }
      log("first \(last.value)")
      let token = last.observe { log("notified \($0.old ?? -1) \($0.new)") }
      source.set(1)
      transaction { source.update { $0 += 1 } }
      token.cancel()
      source.set(3)
      log("unobserved \(last.value)")
      log("alive \(canaries.alive)")
    }
    #expect(isDone)
    #expect(
      log.values.filter { $0 != "built true" } == [
        "first 100000", "notified 100000 100001", "notified 100001 100002", "unobserved 100003", "alive 99999",
      ])
    #expect(await canaries.quiesce())
  }

  @Test("A chain of 100,000 observed values, the last dropped first or the first dropped first")
  func observedChain() async {
    let (canaries, notified) = (Canaries(), Locked(0))
    let isDone = await Threads.elsewhere(stackSize: 8 << 20) {
      for backwards in [false, true] {
        let source = Observed(0)
        var links = [Derived { source.value + 1 }]
        var tokens: [Subscription] = []
        for _ in 1..<100_000 {
          let next = Derived { [below = links[links.count - 1], canary = canaries.make()] in
            canary.touch()
            return below.value + 1
          }
          tokens.append(next.observe { _ in notified.withLock { $0 += 1 } })
          links.append(next)
        }
        source.set(1)
        if backwards {
          tokens.reverse()
          links.reverse()
        }
        while let token = tokens.popLast() { token.cancel() }
        while links.popLast() != nil {}
      }
    }
    #expect(isDone && notified.current == 2 * 99_999)
    #expect(await canaries.quiesce())
  }

  @Test("100,000 values derived from one are recomputed, notified and dropped on a stack of 8 MB")
  func fan() async {
    let (canaries, notified, computed) = (Canaries(), Locked(0), Locked(0))
    let isDone = await Threads.elsewhere(stackSize: 8 << 20) {
      let source = Observed(1)
      let fan = (0..<100_000).map { number in
        Derived { [canary = canaries.make()] in
          canary.touch()
          computed.withLock { $0 += 1 }
          return source.value * number
        }
      }
      let sum = Derived { fan.reduce(0) { $0 + $1.value } }
      let tokens = fan.map { $0.observe { _ in notified.withLock { $0 += 1 } } }
      let token = sum.observe { change in notified.withLock { $0 += change.new } }
      source.set(2)
      withExtendedLifetime((tokens, token)) {}
    }
    #expect(isDone)
    #expect(await canaries.quiesce())
    #expect(computed.current == 200_000)
    // All but that of zero, and twice the sum of all numbers.
    #expect(notified.current == 99_999 + 99_999 * 100_000)
  }

  /// In a process of its own: other tests take memory too.
  @Test("A million values, built and dropped, leave nothing")
  func million() async {
    await #expect(processExitsWith: .success) {
      let (test, canaries) = (LargeGraphTests(), Canaries())
      var memory: [Int] = []
      for batch in 0..<20 {
        test.build(canaries, batch)
        #expect(await canaries.quiesce())
        if let used = test.residentMemory() { memory.append(used) }
      }
      // The first batches may leave room for the next. A million nodes would leave more than 100 MB.
      if let early = memory.dropFirst(4).first, let late = memory.suffix(4).min() {
        #expect(late - early < 24 << 20, "\(memory.map { $0 >> 10 })")
      }
    }
  }

  /// Fifty thousand values in several shapes.
  private func build(_ canaries: Canaries, _ batch: Int) {
    for group in 0..<500 {
      let source = Observed(group)
      var (nodes, tokens): ([Derived<Int>], [Subscription]) = ([], [])
      for number in 0..<99 {
        let below = number % 3 == 0 ? nil : nodes.last
        let node = Derived { [canary = canaries.make()] in
          canary.touch()
          return (below?.value ?? source.value) + 1
        }
        if number % 5 == batch % 5 { tokens.append(node.observe { [canary = canaries.make()] _ in canary.touch() }) }
        nodes.append(node)
      }
      source.set(0)
      if group % 2 == 0 { _ = nodes[98].value }
      if group % 3 == 0 { nodes.reverse() }
      while !nodes.isEmpty { nodes.removeLast() }
    }
  }

  /// Bytes; nil where the system does not report them, or a sanitizer keeps what was freed.
  private func residentMemory() -> Int? {
    #if os(Linux)
    for sanitizer in ["__asan_init", "__tsan_init"] where dlsym(nil, sanitizer) != nil { return nil }
    guard let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ") else {
      return nil
    }
    return pages.count > 1 ? Int(pages[1]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) } : nil
    #else
    nil
    #endif
  }
}
