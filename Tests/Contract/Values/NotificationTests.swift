import Testing
import Tidings
import TidingsTesting

@Suite("18. The last write is always notified.", .serialized)
struct LastWriteTests {
  /// The value that is replaced is destroyed outside every lock, and its `deinit` may write. Where a closure that another test
  /// computes may yet read it, that comes a little later.
  @Test("by a deinit")
  func byADeinit() async {
    let (count, received) = (Observed(0), ChangeRecorder<Int>())
    let token = count.observe { received($0) }
    let ended = Gate()
    let callback = Observed<DeinitCallback?>(
      DeinitCallback {
        count.update { $0 += 1 }
        ended.open()
      })
    callback.set(nil)
    #expect(await ended.wait())
    #expect(count.value == 1 && received.newValues == [1])
    token.cancel()
  }

  /// Each thread has a source of its own, and both make one value.
  @Test("of two sources")
  func ofTwoSources() {
    for _ in 0..<100 {
      let sources = [Observed(0), Observed(0)]
      let sum = Derived { sources[0].value + sources[1].value }
      let switched = Derived { sources[0].value % 2 == 0 ? sources[1].value : -1 }
      let (sums, others) = (ChangeRecorder<Int>(), ChangeRecorder<Int>())
      let tokens = [sum.observe { sums($0) }, switched.observe { others($0) }]
      Threads.together(2) { thread in for value in 1...30 { sources[thread].set(value) } }
      #expect(sums.newValues.last == 60 && sum.value == 60)
      #expect(others.newValues.last == 30 && switched.value == 30)
      withExtendedLifetime(tokens) {}
    }
  }

  /// A set that looks like no change to one thread may be a change, because another thread has written in between.
  @Test("of a distinct value")
  func ofADistinctValue() {
    for _ in 0..<30 {
      let (flag, received) = (Observed(false, changes: .distinct), ChangeRecorder<Bool>())
      let token = flag.observe { received($0) }
      Threads.together(2) { thread in for _ in 0..<50 { flag.set(thread == 0) } }
      #expect(received.newValues.last ?? false == flag.value)
      #expect(received.isUnbroken(from: false))
      #expect(received.changes.allSatisfy { $0.old != $0.new })
      token.cancel()
    }
  }

  /// A thread that delivers for others gives over in the end; nothing is lost on the way.
  @Test("more than one thread takes on")
  func moreThanOneThreadTakesOn() async {
    let source = Observed(0)
    let negative = Derived { -source.value }
    let (received, derived) = (ChangeRecorder<Int>(), ChangeRecorder<Int>())
    let tokens = [source.observe { received($0) }, negative.observe { derived($0) }]
    await Threads.together(3) { thread in for value in 1...3_000 { source.set(thread * 10_000 + value) } }
    let last = source.value
    #expect(await received.ends(with: last))
    #expect(await derived.ends(with: -last))
    #expect(received.changes.count == 9_000 && received.isUnbroken(from: 0))
    withExtendedLifetime(tokens) {}
  }
}

@Suite(
  """
  19. The new value is readable before any handler is notified of the change (`willChange` excepted).
  """, .serialized)
struct ReadableFirstTests {
  /// By its own handlers, those of what is derived from it, and those of its sources.
  @Test("here")
  func here() {
    let source = Observed(0)
    let ten = Derived { source.value * 10 }
    let text = Derived { "\(ten.value)" }
    let read = Recorder<String>()
    let note: @Sendable (String) -> Void = { read("\($0): \(source.value) \(ten.value) \(text.value)") }
    let tokens = [
      source.observe { _ in note("source") }, ten.observe { _ in note("ten") }, text.observe { _ in note("text") },
      source.map { _ in }.observe { note("viaOperator") },
    ]
    source.set(1)
    #expect(read.values.sorted() == ["source", "ten", "text", "viaOperator"].map { "\($0): 1 10 10" })
    source.update { $0 = 2 }
    transaction { source.set(3) }
    #expect(Array(read.values.suffix(4)).sorted() == ["source", "ten", "text", "viaOperator"].map { "\($0): 3 30 30" })
    #expect(read.values.count == 12)
    withExtendedLifetime(tokens) {}
  }

  @Test("from other threads")
  func fromOtherThreads() {
    let source = Observed(0)
    let ten = Derived { source.value * 10 }
    let read = Recorder<[Int]>()
    let token = source.observe { _ in #expect(Threads.elsewhere { read([source.value, ten.value]) }) }
    let other = ten.observe { _ in #expect(Threads.elsewhere { read([source.value, ten.value]) }) }
    source.set(1)
    #expect(read.values == [[1, 10], [1, 10]])
    withExtendedLifetime((token, other)) {}
  }

  @Test("before and after")
  func beforeAndAfter() {
    let source = Observed(0)
    let ten = Derived { source.value * 10 }
    let read = Recorder<String>()
    let before = source.willChange.observe { change in
      read("before \(change.old ?? -1)-\(change.new): \(source.value) \(ten.value)")
    }
    let after = source.observe { change in
      read("after \(change.old ?? -1)-\(change.new): \(source.value) \(ten.value)")
    }
    source.set(1)
    source.update { $0 += 1 }
    #expect(
      read.values == ["before 0-1: 0 0", "after 0-1: 1 10", "before 1-2: 1 10", "after 1-2: 2 20"])
    withExtendedLifetime((before, after)) {}
  }

  /// The value only grows: what can be read is never older than what is notified.
  @Test("while others write")
  func whileOthersWrite() {
    for _ in 0..<30 {
      let source = Observed(0)
      let ten = Derived { source.value * 10 }
      let stale = Recorder<String>()
      let tokens = [
        source.observe { change in
          let (value, tens) = (source.value, ten.value)
          if value < change.new || tens < change.new * 10 { stale("received \(change.new), read \(value) \(tens)") }
        },
        ten.observe { change in
          let (tens, value) = (ten.value, source.value)
          if value * 10 < change.new || tens < change.new { stale("received \(change.new), read \(value) \(tens)") }
        },
      ]
      Threads.together(2) { _ in for _ in 0..<100 { source.update { $0 += 1 } } }
      #expect(stale.values == [])
      #expect(source.value == 200)
      withExtendedLifetime(tokens) {}
    }
  }
}
