import TestSupport
import Testing
import Tidings
import TidingsTesting

/// The effects of the `deinit` of a value that a derived value has replaced. The `deinit` runs after the pin of the computing
/// thread.
@Suite("The destruction of replaced values")
struct DeferredDestructionTests {
  private struct Fault: Error {}

  @Test("A cycle through destruction takes no stack while another thread computes")
  func stack() async {
    let (source, rounds) = (Observed(0), Tally())
    let (entered, proceed, done) = (Gate(), Gate(), Gate())
    let slow = Derived { () -> Int in
      let value = source.value
      entered.open()
      proceed.wait()
      return value
    }
    Threads.start {
      _ = slow.value
      done.open()
    }
    await entered.wait()
    let replaced = Derived { () -> DeinitCallback in
      _ = source.value
      rounds.add(1)
      return DeinitCallback { if rounds.total < 30_000 { source.update { $0 += 1 } } }
    }
    let token = readerOf(replaced, source).observe { _ in }
    source.set(1)
    // The first whose old value no pin sees.
    source.set(2)
    token.cancel()
    proceed.open()
    await done.wait()
    #expect((9_000..<25_000).contains(rounds.total))
  }

  @Test(
    "A value set by a `deinit` is read by its handler, and in a transaction in the `deinit`",
    arguments: [false, true])
  func readsWhatItHasSet(inTransaction: Bool) {
    let (source, count, isArmed, seen) = (Observed(0), Observed(0), Tally(), Recorder<Int>())
    let replaced = Derived { () -> DeinitCallback in
      _ = source.value
      return DeinitCallback {
        guard isArmed.total == 1 else { return }
        if !inTransaction { return count.set(7) }
        transaction {
          count.set(7)
          seen(count.value)
        }
      }
    }
    let tokens = [
      count.observe { _ in if !inTransaction { seen(count.value) } }, readerOf(replaced, source).observe { _ in },
    ]
    isArmed.add(1)
    source.set(1)
    #expect(seen.values == [7])
    isArmed.add(1)
    withExtendedLifetime(tokens) {}
  }

  @Test("A value that another thread emitted is no deeper when a `deinit` in a deep chain delivers it")
  func noDeeper() {
    let (delivering, limited, last) = (DeliveringDeinit(), Observed(0), Observed(0, maximumDepth: 4))
    let chain = Event<Int>()
    let tokens = [
      delivering.observe { limited.set($0) },
      Derived { limited.value }.observe { last.set($0.new) },
      delivering.observeReader(),
      chain.observe { if $0 < 8 { chain.emit($0 + 1) } else { delivering.source.set(1) } },
    ]
    delivering.arm()
    chain.emit(1)
    #expect(limited.value == 20 && last.value == 20)
    withExtendedLifetime(tokens) {}
  }

  @Test("A value that another thread emitted is not undone with the transaction in which a `deinit` delivers it")
  func notUndone() {
    let (delivering, sum) = (DeliveringDeinit(), Observed(0))
    let token = delivering.observe { number in sum.update { $0 += number } }
    delivering.replaced.value.touch()
    delivering.arm()
    delivering.source.set(1)
    try? transaction {
      delivering.replaced.value.touch()
      throw Fault()
    }
    token.cancel()
    #expect(sum.value == 20)
  }

  @Test(
    "A value that a `deinit` writes while an inner transaction is undone stays, for any number of open transactions",
    arguments: [1, 2, 3])
  func writtenWhileUndoing(levels: Int) {
    let (box, count) = (Observed<DeinitCallback?>(nil), Observed(0))
    func nest(_ level: Int) {
      transaction {
        if level > 1 { return nest(level - 1) }
        try? transaction { () throws(Fault) in
          count.set(100)
          box.set(DeinitCallback { count.update { $0 += 1 } })
          throw Fault()
        }
      }
    }
    nest(levels)
    #expect(count.value == 1)
  }

  @Test("A closure that cancels the last handler of a value destroys nothing that it has replaced itself")
  func cancelledInAClosure() {
    let watched = Derived { 1 }
    expectUndisturbed { watched.observe { _ in }.cancel() }
  }

  @Test("A transaction in a closure destroys nothing that the closure has replaced")
  func transactionInAClosure() {
    let read = Observed(0)
    expectUndisturbed {
      do {
        let released = Observed(1)
        _ = released.value
      }
      transaction { _ = read.value }
    }
  }
}

/// Expects that a destroyed value writes after the acting closure, and that its reads are no dependencies of the closure.
private func expectUndisturbed(
  _ act: @escaping @Sendable () -> Void, _ location: SourceLocation = #_sourceLocation
) {
  let (source, count, other) = (Observed(0), Observed(0), Observed(0))
  let (runs, isArmed) = (Tally(), Tally())
  let replaced = Derived { () -> DeinitCallback in
    let number = source.value
    return DeinitCallback {
      guard number == 0, isArmed.total > 0 else { return }
      _ = other.value
      count.set(7)
    }
  }
  let outer = Derived { () -> Int in
    runs.add(1)
    replaced.value.touch()
    act()
    return source.value
  }
  _ = outer.value
  isArmed.add(1)
  source.set(1)
  _ = outer.value
  let before = runs.total
  other.set(5)
  _ = outer.value
  #expect(count.value == 7 && runs.total == before, sourceLocation: location)
}
