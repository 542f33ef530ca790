import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  20. `update { }` is atomic: no write is lost between reading and writing. Its body holds no lock; if another \
  thread wrote meanwhile it runs again on the newer value, so it has no effect but on its argument. If it throws, \
  nothing is written. (`LocalObserved` runs it once.)
  """, .serialized)
struct UpdateTests {
  @Test("nothing is lost")
  func nothingIsLost() {
    for _ in 0..<20 {
      let (count, names, received) = (Observed(0), Observed<[Int]>([]), ChangeRecorder<Int>())
      let token = count.observe { received($0) }
      Threads.together(4) { thread in
        for round in 0..<100 {
          count.update { $0 += 1 }
          names.update { $0.append(thread * 100 + round) }
        }
      }
      #expect(count.value == 400)
      #expect(received.newValues == Array(1...400), "each is a change of its own")
      #expect(names.value.sorted() == Array(0..<400))
      token.cancel()
    }
  }

  /// While it runs others read, observe and write the same value, and it is the old one until it returns.
  @Test("its body holds nothing")
  func itsBodyHoldsNothing() {
    let (source, other, runs) = (Observed(0), Observed(0), Recorder<Int>())
    let ten = Derived { source.value * 10 }
    let received = ChangeRecorder<Int>()
    source.update { value in
      value = 1
      runs(source.value)
      let ended = Threads.elsewhere {
        runs(source.value + ten.value)
        source.observe { _ in }.cancel()
        ten.observe { _ in }.cancel()
        _ = source.diagnostics
        other.update { $0 += 1 }
      }
      #expect(ended, "a thread waits for the body")
      source.observe { received($0) }.cancel()
    }
    #expect(source.value == 1 && other.value == 1)
    #expect(runs.values == [0, 0])
  }

  /// The other thread writes from inside the first run of the body.
  @Test("it runs again")
  func itRunsAgain() {
    for asTransaction in [false, true] {
      let (source, received, runs) = (Observed(0), ChangeRecorder<Int>(), Recorder<Int>())
      let token = source.observe { received($0) }
      let result = source.update { value in
        runs(value)
        if value == 0 {
          let ended = Threads.elsewhere {
            if asTransaction { transaction { source.set(100) } } else { source.set(100) }
          }
          #expect(ended, "a thread waits for the body")
          #expect(source.value == 100 && value == 0)
        }
        value += 1
        return "made \(value)"
      }
      #expect(source.value == 101)
      #expect(result == "made 101", "the result is that of the run that counted")
      #expect(runs.values == [0, 100])
      #expect(received.changes == [.from(0, to: 100), .from(100, to: 101)])
      token.cancel()
    }
  }

  @Test("it meets a policy")
  func itMeetsAPolicy() {
    let (source, received) = (Observed(0, changes: .distinct), ChangeRecorder<Int>())
    let token = source.observe { received($0) }
    let result = source.update { value in
      value += 0
      return 7
    }
    source.update { $0 += 1 }
    #expect(result == 7 && received.changes == [.from(0, to: 1)])
    // The first run changes the value. The second run, after the set on another thread, does not.
    source.update { value in
      if value == 1 { Threads.elsewhere { source.set(9) } }
      value = 9
    }
    #expect(received.changes == [.from(0, to: 1), .from(1, to: 9)])
    token.cancel()
  }

  @Test("if it throws")
  func ifItThrows() {
    let (source, received, before) = (Observed([1, 2]), ChangeRecorder<[Int]>(), ChangeRecorder<[Int]>())
    let tokens = [source.observe { received($0) }, source.willChange.observe { before($0) }]
    do throws(Oops) {
      try source.update { value throws(Oops) in
        value.removeAll()
        throw Oops(value: 3)
      }
      Issue.record("it threw")
    } catch {
      #expect(error.value == 3)
    }
    #expect(source.value == [1, 2])
    #expect(received.changes.isEmpty && before.changes.isEmpty)
    source.update { $0.append(3) }
    #expect(received.changes == [.from([1, 2], to: [1, 2, 3])])
    withExtendedLifetime(tokens) {}
  }

  @Test("if it throws the second time")
  func ifItThrowsTheSecondTime() {
    let (source, received) = (Observed(0), ChangeRecorder<Int>())
    let token = source.observe { received($0) }
    #expect(throws: Oops(value: 100)) {
      try source.update { value throws(Oops) in
        if value == 100 { throw Oops(value: value) }
        Threads.elsewhere { source.set(100) }
        value = 1
      }
    }
    #expect(source.value == 100)
    #expect(received.changes == [.from(0, to: 100)])
    token.cancel()
  }

  @Test("local ones")
  func localOnes() {
    let source = LocalObserved(0)
    var (received, runs): ([Change<Int>], Int) = ([], 0)
    let token = source.observe { received.append($0) }
    let result = source.update { value in
      runs += 1
      value += 1
      value += 1
      return value
    }
    #expect(result == 2 && runs == 1 && source.value == 2)
    #expect(throws: Oops(value: 9)) {
      try source.update { value throws(Oops) in
        value = 9
        throw Oops(value: value)
      }
    }
    #expect(source.value == 2)
    #expect(received == [.from(0, to: 2)])
    token.cancel()
  }
}
