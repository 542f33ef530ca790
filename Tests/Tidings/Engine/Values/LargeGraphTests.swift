import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

/// A step of recursion for each value would take more stack than these tests give, at either size.
@Suite("Large graphs", .slow, .serialized)
struct LargeGraphTests {
  private let count = Runs.size(10_000, full: 100_000)
  private var stackSize: Int { count == 100_000 ? 8 << 20 : 1 << 20 }

  @Test("A chain of 10,000 values is recomputed, notified and dropped on a stack of 1 MB; 100,000 on 8 MB")
  func chain() async {
    let (canaries, log) = (Canaries(), Recorder<String>())
    let isDone = await Threads.elsewhere(stackSize: stackSize) { [count] in
      let source = Observed(0)
      var last = Derived { source.value + 1 }
      for link in 1..<count {
        last = Derived { [below = last, canary = canaries.make()] in
          canary.touch()
          return below.value + 1
        }
        if link % 100 == 0, last.value != link + 1 { log("built wrong") }
      }
      log("first \(last.value - count)")
      let token = last.observe { log("notified \(($0.old ?? -1) - count) \($0.new - count)") }
      source.set(1)
      transaction { source.update { $0 += 1 } }
      token.cancel()
      source.set(3)
      log("unobserved \(last.value - count)")
    }
    #expect(isDone)
    #expect(log.values == ["first 0", "notified 0 1", "notified 1 2", "unobserved 3"])
    #expect(await canaries.quiesce())
  }

  @Test(
    "A chain of as many observed values, the last dropped first or the first dropped first", arguments: [false, true])
  func observedChain(backwards: Bool) async {
    let (canaries, notified) = (Canaries(), Locked(0))
    let isDone = await Threads.elsewhere(stackSize: stackSize) { [count] in
      let source = Observed(0)
      var links = [Derived { source.value + 1 }]
      var tokens: [Subscription] = []
      for _ in 1..<count {
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
    #expect(isDone && notified.current == count - 1)
    #expect(await canaries.quiesce())
  }

  @Test("As many values derived from one are recomputed, notified and dropped")
  func fan() async {
    let (canaries, notified, computed) = (Canaries(), Locked(0), Locked(0))
    let isDone = await Threads.elsewhere(stackSize: stackSize) { [count] in
      let source = Observed(1)
      let fan = (0..<count).map { number in
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
    #expect(computed.current == 2 * count)
    // All but that of zero, and twice the sum of all numbers.
    #expect(notified.current == (count - 1) + (count - 1) * count)
  }

  #if os(Linux) || os(macOS)
  /// In a process of its own: other tests would use memory meanwhile.
  @Test("100,000 values, built and dropped, leave nothing; a million when asked for")
  func million() async {
    await #expect(processExitsWith: .success) {
      let (canaries, groups) = (Canaries(), Runs.size(50, full: 500))
      var memory: [Int] = []
      for batch in 0..<20 {
        build(canaries, groups, batch)
        #expect(await canaries.quiesce())
        if let used = residentMemory() { memory.append(used) }
      }
      // The first batches may leave room for the next. All nodes would leave more than 100 bytes each.
      if let early = memory.dropFirst(4).first, let late = memory.suffix(4).min() {
        #expect(late - early < 20 * groups * 99 * 24, "\(memory.map { $0 >> 10 })")
      }
    }
  }
  #endif
}

/// Values in several shapes.
private func build(_ canaries: Canaries, _ groups: Int, _ batch: Int) {
  for group in 0..<groups {
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
