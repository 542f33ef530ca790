import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite("Values that are replaced are released", .slow, .serialized)
struct ReleasedValuesTests {
  /// A thread that computes until it is released.
  private struct Computing {
    private let proceed = Gate()
    private let ended = Gate()

    init(reading value: Observed<Int>, after canary: Observed<Canary?> = Observed(nil)) {
      let entered = Gate()
      Threads.start { [proceed, ended] in
        _ =
          Derived {
            _ = canary.value
            entered.open()
            proceed.wait()
            return value.value
          }.value
        ended.open()
      }
      entered.wait()
    }
    func end() {
      proceed.open()
      ended.wait()
    }
  }

  @Test("A version that a closure elsewhere may still read is released when the closure ends, without a further write")
  func itsEnd() async {
    let canaries = Canaries()
    let mine = Observed<Canary?>(canaries.make())
    let computing = Computing(reading: Observed(0), after: mine)
    for _ in 0..<3 { mine.set(canaries.make()) }
    #expect(canaries.alive >= 2)
    computing.end()
    #expect(await canaries.quiesce(atMost: 1))
    withExtendedLifetime(mine) {}
  }

  @Test("A version that a closure may read later is released when the closure ends, without a further write")
  func endElsewhere() async {
    let canaries = Canaries()
    let (mine, read) = (Observed<Canary?>(canaries.make()), Observed<Canary?>(nil))
    let computing = Computing(reading: Observed(0), after: read)
    // Replace the value that the closure has read, so that the next write is later than the closure's snapshot.
    read.set(nil)
    mine.set(canaries.make())
    #expect(canaries.alive == 2)
    computing.end()
    #expect(await canaries.quiesce(atMost: 1))
    withExtendedLifetime(mine) {}
  }

  @Test("An unreferenced value is released with all that was kept of it, while a closure runs elsewhere")
  func unreferenced() async {
    let (canaries, read) = (Canaries(), Observed<Canary?>(nil))
    let computing = Computing(reading: Observed(0), after: read)
    read.set(nil)
    do {
      let mine = Observed<Canary?>(canaries.make())
      mine.set(canaries.make())
      #expect(canaries.alive == 2)
    }
    #expect(await canaries.quiesce(atMost: 0))
    do {
      let mine = Observed<Canary?>(canaries.make())
      let made = Derived { mine.value }
      _ = made.value
      mine.set(canaries.make())
    }
    #expect(await canaries.quiesce(atMost: 0))
    computing.end()
  }

  @Test("Versions written in transactions, and those of a derived value, are released as well")
  func derived() async {
    let (canaries, source) = (Canaries(), Observed(0))
    let (one, other) = (Observed<Canary?>(nil), Observed<Canary?>(nil))
    let made = Derived {
      _ = source.value
      return canaries.make()
    }
    let token = made.observe { _ in }
    let computing = Computing(reading: source)
    for number in 1...1_000 {
      transaction {
        one.set(canaries.make())
        other.set(canaries.make())
        source.set(number)
      }
    }
    // The derived value has three versions: the newest, the last notified and the one that the closure may still read.
    #expect(await canaries.quiesce(atMost: 5))
    computing.end()
    #expect(await canaries.quiesce(atMost: 4))
    token.cancel()
    withExtendedLifetime((one, other)) {}
  }

  @Test("A version that no pin can reach is destroyed, even if pins overlap without end")
  func overlapping() async {
    let (canaries, source) = (Canaries(), Observed(0))
    let mine = Observed<Canary?>(canaries.make())
    var last = Computing(reading: source)
    mine.set(canaries.make())
    for _ in 0..<20 {
      let next = Computing(reading: source)
      last.end()
      last = next
    }
    #expect(await canaries.quiesce(atMost: 10))
    last.end()
    withExtendedLifetime(mine) {}
  }
}
