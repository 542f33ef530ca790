import Testing
import Tidings
import TidingsTesting

private let constant = Observed(1)

@Suite("Operators that end, share or begin", .timeLimit(.minutes(20)))
struct OperatorsEndTests {
  @Test(
    """
    31. Cancelling releases everything that the operators of a subscription hold, and ends the subscriptions that they \
    have made to other sources.
    """, arguments: [DeliveryPolicy.serial, .immediate])
  func releasing(policy: DeliveryPolicy) async {
    let (event, other, canaries) = (Event<Int>(policy: policy), Event<Int>(policy: policy), Canaries())
    for (index, view) in views(of: event, other, canaries).enumerated() {
      let token = view.observe { [canary = canaries.make()] _ in canary.touch() }
      event.emit(contentsOf: 1...3)
      other.emit(contentsOf: 1...3)
      event.emit(4)
      #expect(event.diagnostics.count == 1, "\(index)")
      token.cancel()
      event.emit(5)
      #expect(event.diagnostics.count == 0 && other.diagnostics.count == 0, "\(index)")
    }
    #expect(await canaries.quiesce())
  }

  /// Each made again for every call, so that nothing but the subscription holds what they captured.
  private func views(of event: Event<Int>, _ other: Event<Int>, _ canaries: Canaries) -> [AnyEventSource<Int>] {
    func held() -> @Sendable (Int) -> Int {
      let canary = canaries.make()
      return { value in
        canary.touch()
        return value
      }
    }
    return [
      event.map(held()).prefix(100), event.map(held()).prefix { _ in true }, event.map(held()).dropFirst(),
      event.map(held()).pairwise().map { $0.1 }, event.map(held()).collect(2).map { $0[0] },
      event.map(held()).scan(into: 0) { $0 += $1 }, event.map(held()).withLatest(from: other.map(held())).map { $0.0 },
      event.map(held()).zip(other.map(held())).map { $0.0 }, event.map(held()).startWith(1),
      event.map(held()).flatMapLatest { [touch = held()] in other.startWith($0).map(touch) }, event.map(held()).share(),
      event.map(held()).handleEvents(onEnd: { [touch = held()] in _ = touch(1) }),
    ]
  }

  @Test("31. With its last value `prefix` ends the subscription; what it has passed on still arrives, on every actor")
  func theEnd() async {
    let (event, listener, canaries, queue) = (Event<Int>(), Listener(), Canaries(), ManualQueue())
    let (received, posted) = (Recorder<Int>(), Recorder<Int>())
    let plain = event.prefix(2).observe { [canary = canaries.make()] value in
      canary.touch()
      received(value)
    }
    event.prefix(2).observe(with: listener) { listener, value in listener.note(value) }
    let onTarget = event.prefix(2).observe(on: .manual(queue)) { posted($0) }
    let awaited = event.prefix(2).observe { value in
      await Task.yield()
      received(value * 10)
    }
    let stream = event.prefix(2).stream()
    event.emit(contentsOf: 1...4)
    #expect(event.diagnostics.count == 0)
    #expect(![plain, onTarget, awaited].contains { $0.isActive })
    #expect(canaries.alive == 0)
    let drained = Task { await event.drained() }
    queue.runAll()
    await drained.value
    #expect(await listener.received == [1, 2])
    #expect(received.values.sorted() == [1, 2, 10, 20])
    #expect(posted.values == [1, 2])
    #expect(await stream.all() == [1, 2])
    #expect(!event.prefix(0).observe { _ in }.isActive)
  }

  @Test(
    "31. After its last value `prefix` passes nothing on, whichever threads emit",
    arguments: [DeliveryPolicy.serial, .immediate])
  func prefixAcrossThreads(policy: DeliveryPolicy) {
    for _ in 0..<50 {
      let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
      let token = event.prefix(10).observe { value in
        received(value)
        event.emit(value)
      }
      Threads.together(3) { thread in for _ in 0..<10 { event.emit(thread) } }
      #expect(received.values.count == 10)
      #expect(!token.isActive)
    }
  }

  @Test("31. When a subscription made by an operator cannot receive any more it ends with its sources")
  func sourcesEnd() {
    func tokens(_ event: Event<Int>) -> [Subscription] {
      [
        event.startWith(0).observe { _ in }, event.share().observe { _ in }, event.replay(1).observe { _ in },
        event.flatMapLatest { _ in Event<Int>() }.observe { _ in }, event.withLatest(from: constant).observe { _ in },
      ]
    }
    var event: Event<Int>? = Event<Int>()
    let first = tokens(event!)
    #expect(first.allSatisfy { $0.isActive })
    event = nil
    #expect(!first.contains { $0.isActive })
  }

  @Test("`flatMapLatest` passes on only the values of the source chosen last, also if several threads emit")
  func switching() {
    for round in 0..<50 {
      let (chosen, sources, received) = (Event<Int>(), [Event<Int>(), Event<Int>()], Recorder<Int>())
      let current = Locked(-1)
      let token = chosen.flatMapLatest { index in
        current.current = index
        return sources[index].map { $0 * 2 + index }
      }.observe { value in
        #expect(value % 2 == current.current, "round \(round)")
        received(value)
      }
      sources[0].emit(0)
      Threads.together(3) { thread in
        for value in 0..<20 { if thread == 0 { chosen.emit(value % 2) } else { sources[thread - 1].emit(value) } }
      }
      chosen.emit(1)
      sources[0].emit(50)
      sources[1].emit(60)
      #expect(received.values.last == 121)
      #expect(sources[0].diagnostics.count == 0 && sources[1].diagnostics.count == 1)
      token.cancel()
      #expect(sources[1].diagnostics.count == 0)
    }
  }

  @Test("Values of a source that wait when the next source is chosen do not pass `flatMapLatest`")
  func switchingInAHandler() {
    let (chosen, sources, received) = (Event<Int>(), [Event<Int>(), Event<Int>()], Recorder<Int>())
    let token = chosen.flatMapLatest { sources[$0] }.observe { value in
      received(value)
      if value == 1 {
        chosen.emit(1)
        sources[0].emit(2)
      }
    }
    chosen.emit(0)
    sources[0].emit(1)
    sources[1].emit(3)
    #expect(received.values == [1, 3])
    token.cancel()
  }

  @Test("switchToLatest follows the event that came last")
  func switchingToLatest() {
    let (outer, first, second, received) = (Event<Event<Int>>(), Event<Int>(), Event<Int>(), Recorder<Int>())
    let token = outer.switchToLatest().observe { received($0) }
    first.emit(0)
    outer.emit(first)
    first.emit(1)
    outer.emit(second)
    first.emit(2)
    second.emit(3)
    #expect(received.values == [1, 3])
    token.cancel()
  }

  @Test("32. The operators before `share` run once for all subscriptions; the first connects and the last disconnects.")
  func sharing() {
    let (event, runs, received) = (Event<Int>(), Recorder<Int>(), Recorder<String>())
    let shared = event.map { value in
      runs(value)
      return value
    }.share()
    event.emit(1)
    let first = shared.observe { received("first \($0)") }
    let second = shared.observe { received("second \($0)") }
    event.emit(2)
    first.cancel()
    event.emit(3)
    #expect(event.diagnostics.count == 1)
    second.cancel()
    #expect(event.diagnostics.count == 0)
    event.emit(4)
    let third = shared.observe { received("third \($0)") }
    event.emit(5)
    #expect(runs.values == [2, 3, 5])
    #expect(received.values == ["first 2", "second 2", "second 3", "third 5"])
    third.cancel()
  }

  @Test("32. A subscription to `replay` receives the last values that came before it and every later one, none twice.")
  func replaying() {
    let (event, received) = (Event<Int>(), Recorder<[Int]>())
    let recent = event.replay(2)
    event.emit(contentsOf: 1...3)
    let values = Recorder<Int>()
    let token = recent.observe { values($0) }
    event.emit(4)
    #expect(values.values == [2, 3, 4])
    token.cancel()
    #expect(event.diagnostics.count == 1, "it continues for those that come later")
    // While another thread emits.
    for _ in 0..<100 {
      let (event, all) = (Event<Int>(), Recorder<Int>())
      let recent = event.replay(3)
      let tokens = Recorder<Subscription>()
      Threads.together(2) { thread in
        if thread == 0 { event.emit(contentsOf: 0..<50) } else { tokens(recent.observe { all($0) }) }
      }
      event.emit(50)
      received(all.values)
      withExtendedLifetime(tokens) {}
    }
    for values in received.values {
      #expect(values == Array((values.first ?? 50)...50))
      #expect(values.count >= min(4, 51))
    }
  }

  @Test("3. What is emitted while `startWith` delivers its values follows them, also from a handler and another thread")
  func beginning() {
    for _ in 0..<100 {
      let (event, received) = (Event<Int>(), Recorder<Int>())
      let token = event.startWith(-2, -1).observe { value in
        if value == -2 {
          event.emit(0)
          Threads.elsewhere { event.emit(1) }
        }
        received(value)
      }
      event.emit(2)
      #expect(received.values == [-2, -1, 0, 1, 2])
      token.cancel()
    }
  }
}
