import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  35. An `effect` runs its closure, and again when something that the last run read \
  has become another value: once for all that changes together, with values of one moment, on the closure's actor, \
  runs never overlapping. Once its subscription is cancelled or dropped no run begins.
  """, .serialized)
struct EffectTests {
  @Test("reads are found in each run")
  func readsAreFoundInEachRun() {
    let (isShort, name, title, log) = (Observed(true), Observed("Ada"), Observed("Countess"), Recorder<String>())
    let token = effect { log(isShort.value ? name.value : "\(title.value) \(name.value)") }
    #expect(log.values == ["Ada"])
    title.set("Lady")
    #expect(log.values == ["Ada"], "not read yet")
    isShort.set(false)
    #expect(log.values == ["Ada", "Lady Ada"])
    title.set("Countess")
    #expect(log.values.last == "Countess Ada")
    isShort.set(true)
    let count = log.values.count
    title.set("Lady")
    #expect(log.values.count == count, "read no longer")
    withExtendedLifetime(token) {}
  }

  @Test("one run for a transaction and for a propagation")
  func oneRunForATransactionAndForAPropagation() {
    let (left, right, runs) = (Observed(1), Observed(1), Recorder<Int>())
    let follows = left.observe { change in right.set(change.new) }
    let token = effect { runs(left.value * 10 + right.value) }
    transaction {
      left.set(2)
      right.set(3)
      left.set(4)
      #expect(runs.values == [11])
    }
    #expect(runs.values == [11, 44], "the handler's write is part of the propagation")
    left.set(5)
    #expect(runs.values == [11, 44, 55])
    var inside: Subscription?
    transaction {
      inside = effect { runs(left.value) }
      #expect(runs.values.count == 3, "begun in a transaction, it runs after that")
      left.set(6)
    }
    #expect(runs.values.dropFirst(3).sorted() == [6, 66])
    withExtendedLifetime((follows, token, inside)) {}
  }

  @Test("none for an equal derived value")
  func noneForAnEqualDerivedValue() {
    let (price, runs) = (Observed(50), Recorder<Bool>())
    let isDear = Derived { price.value > 100 }
    let token = effect { runs(isDear.value) }
    for new in [60, 70, 120, 130, 90] { price.set(new) }
    #expect(runs.values == [false, true, false])
    withExtendedLifetime(token) {}
  }

  @Test("none after the end")
  func noneAfterTheEnd() {
    let (value, runs) = (Observed(0), Recorder<Int>())
    let token = effect { runs(value.value) }
    token.cancel()
    value.set(1)
    do {
      let dropped = effect { runs(value.value) }
      value.set(2)
      withExtendedLifetime(dropped) {}
    }
    value.set(3)
    #expect(runs.values == [0, 1, 2])
    let paused = effect { runs(value.value) }
    paused.pause()
    value.set(4)
    value.set(5)
    #expect(runs.values == [0, 1, 2, 3])
    paused.resume()
    #expect(runs.values == [0, 1, 2, 3, 5], "one run for what changed in a pause")
    paused.pause()
    paused.resume()
    #expect(runs.values == [0, 1, 2, 3, 5], "and none where nothing did")
    value.set(6)
    #expect(runs.values == [0, 1, 2, 3, 5, 6])
    withExtendedLifetime(paused) {}
  }

  @Test("cancelled by itself")
  func cancelledByItself() {
    let (value, runs, token) = (Observed(0), Recorder<Int>(), Locked<Subscription?>(nil))
    token.current = effect {
      runs(value.value)
      if value.value == 2 { token.current?.cancel() }
    }
    for new in 1...4 { value.set(new) }
    #expect(runs.values == [0, 1, 2])
    token.current = nil
  }

  @Test("releases its captures")
  func releasesItsCaptures() {
    let (value, canaries) = (Observed(0), Canaries())
    let cancelled = effect { [canary = canaries.make()] in
      canary.touch()
      _ = value.value
    }
    value.set(1)
    #expect(canaries.alive == 1)
    cancelled.cancel()
    #expect(canaries.alive == 0)
    var dropped: Subscription? = effect { [canary = canaries.make()] in
      canary.touch()
      _ = value.value
    }
    value.set(2)
    withExtendedLifetime(dropped) {}
    dropped = nil
    #expect(canaries.alive == 0)
  }

  @Test("rejects writes")
  func rejectsWrites() {
    let reports = Reports(about: ["written by an effect"])
    let (read, written) = (Observed(0), Observed(0, label: "written by an effect"))
    let token = effect("writer") { written.set(read.value) }
    read.set(1)
    #expect(written.value == 0 && reports.labels.count == 2)
    #expect(reports.labels.allSatisfy { $0 == ["writer", "written by an effect"] })
    #expect(
      reports.messages.allSatisfy {
        $0.hasPrefix(
          """
          write rejected: 'written by an effect' was set by the effect 'writer': an effect may only read. \
          To set or emit when values change, observe them: Derived { … }.observe(.initial) { … } (
          """)
      }, "the message names the effect, and the way")
    let derived = Derived("reader") { () -> Int in
      written.set(read.value)
      return read.value
    }
    #expect(derived.value == 1)
    #expect(
      reports.messages.last == """
        write rejected: 'written by an effect' was set by the closure of the derived value 'reader', which may only read \
        (reader → written by an effect)
        """)
    withExtendedLifetime(token) {}
  }

  @MainActor private final class Screen {
    var lines: [String] = []
  }
  @Test("on the main actor")
  @MainActor func onTheMainActor() async {
    let (screen, name) = (Screen(), Observed("Ada"))
    let token = effect { screen.lines.append(name.value) }
    #expect(screen.lines == ["Ada"], "before effect returns")
    name.set("Grace")
    #expect(screen.lines == ["Ada", "Grace"], "in place")
    Threads.meanwhile { for new in ["Mary", "Jane", "Joan"] { name.set(new) } }
    #expect(screen.lines.count == 2)
    #expect(await eventually { screen.lines.last == "Joan" })
    #expect(screen.lines.count == 3, "one run for all that waited")
    token.cancel()
    // Made elsewhere, the first run comes through the queue.
    let made = Locked<Subscription?>(nil)
    Threads.meanwhile { made.current = effect { @MainActor in screen.lines.append("!" + name.value) } }
    #expect(await eventually { screen.lines.last == "!Joan" })
    made.current?.cancel()
  }

  private actor Register {
    var sums: [Int] = []
    var token: Subscription?
    func follow(_ left: Observed<Int>, _ right: Observed<Int>) {
      token = effect { self.sums.append(left.value + right.value) }
    }
    func stop() { token = nil }
  }
  @Test("on an actor")
  func onAnActor() async {
    let (register, left, right) = (Register(), Observed(1), Observed(2))
    await register.follow(left, right)
    #expect(await register.sums == [3])
    transaction {
      left.set(10)
      right.set(20)
    }
    #expect(await eventually { await register.sums == [3, 30] })
    await register.stop()
    left.set(0)
    #expect(await register.sums == [3, 30])
  }

  /// The last value is always seen, and never half of a transaction.
  @Test("among threads")
  @MainActor func amongThreads() async {
    for _ in 0..<20 {
      let (left, right) = (Observed(0), Observed(0))
      var (last, mixed) = (0, 0)
      let token = effect {
        last = left.value
        if right.value != last { mixed += 1 }
      }
      let ended = Gate()
      Threads.start {
        Threads.together(4) { thread in
          for step in 1...100 {
            transaction {
              left.set(thread * 1_000 + step)
              right.set(thread * 1_000 + step)
            }
          }
        }
        ended.open()
      }
      #expect(await eventually { ended.isOpen && last == left.value })
      #expect(mixed == 0)
      withExtendedLifetime(token) {}
    }
  }

  @Test("four threads without an actor")
  func fourThreadsWithoutAnActor() {
    for _ in 0..<20 {
      let (value, inside, overlaps, last) = (Observed(0), Locked(0), Locked(0), Locked(0))
      let token = effect {
        let now = inside.withLock { count in
          count += 1
          return count
        }
        if now > 1 { overlaps.withLock { $0 += 1 } }
        last.current = value.value
        inside.withLock { $0 -= 1 }
      }
      Threads.together(4) { _ in for _ in 0..<200 { value.update { $0 += 1 } } }
      #expect(overlaps.current == 0)
      #expect(last.current == 800 && value.value == 800)
      withExtendedLifetime(token) {}
    }
  }
}
