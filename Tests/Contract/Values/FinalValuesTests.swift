import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  43. A value that can never change again has ended, like an event that has finished: an `Observed` when it is deinitialized, \
  the result of `hold` and `reduce` with its event, a derived value when everything that its last computation has read has \
  ended. What it was notified of is still delivered; then its subscriptions and streams end.
  """, .serialized, .timeLimit(.minutes(20)))
struct FinalValuesTests {
  typealias Derivation = EndingSource.Derivation
  typealias Ending = EndingSource.Ending

  enum Follower: CaseIterable {
    case plain, initial, operators, merged, shared, owner, actor, queue, awaiting, awaitingOnActor
  }
  @Test(
    "43. Its handlers receive the last value, then they end and release their captures", arguments: EndingSource.all)
  func handlers(_ derivation: Derivation, _ ending: Ending) async {
    for follower in Follower.allCases {
      let name = Comment(rawValue: "\(follower)")
      let (source, received, canaries) = (EndingSource(for: derivation), Recorder<Int>(), Canaries())
      let value = source.value(derivation)
      let (owner, listener) = (Owner(), Listener())
      let token = observe(value, follower, owner, listener, [canaries.make()]) { received($0) }
      source.write(1)
      source.end(ending, with: 2, of: value)
      #expect(!token.isActive, name)
      await token.drained()
      #expect(received.values == (follower == .initial ? [0, 1, 2] : [1, 2]), name)
      #expect(await canaries.quiesce(), name)
      #expect(value.value == 2, name)
    }
  }
  private func observe(
    _ value: ReadOnly<Int>, _ follower: Follower, _ owner: Owner, _ listener: Listener, _ captured: [Canary],
    _ receive: @escaping @Sendable (Int) -> Void
  ) -> Subscription {
    @Sendable func note(_ change: Change<Int>) {
      captured[0].touch()
      receive(change.new)
    }
    switch follower {
    case .plain: return value.observe { note($0) }
    case .initial: return value.observe(.initial) { note($0) }
    case .operators: return value.map(\.new).filter { _ in true }.observe { note(Change(old: nil, new: $0)) }
    case .merged: return value.changes.merge(Event()).observe { note($0) }
    case .shared: return value.changes.share().observe { note($0) }
    case .owner: return value.observe(with: owner) { _, change in note(change) }
    case .actor: return value.observe(with: listener) { _, change in note(change) }
    case .queue: return value.observe(on: DeliveryTarget { job in Task { job() } }) { note($0) }
    case .awaiting:
      return value.observe { change async in
        await Task.yield()
        note(change)
      }
    case .awaitingOnActor:
      return value.observe(with: listener) { _, change async in
        await Task.yield()
        note(change)
      }
    }
  }

  @Test("43. Its streams give what they have buffered, and end", arguments: EndingSource.all)
  func streams(_ derivation: Derivation, _ ending: Ending) async {
    for (buffering, expected) in [(BufferingPolicy.unbounded, [1, 2]), (.oldest(1), [1]), (.newest(1), [2])] {
      let source = EndingSource(for: derivation)
      let value = source.value(derivation)
      let stream = value.stream(buffering: buffering)
      source.write(1)
      source.end(ending, with: 2, of: value)
      #expect(!stream.subscription.isActive)
      #expect(await stream.map(\.new).all() == expected)
      #expect(await value.next() == nil)
    }
  }

  /// The consumers begin before the end, and most of them are suspended then.
  @Test(
    "43. The loops over its streams end, with the last value last", arguments: EndingSource.all)
  func loops(_ derivation: Derivation, _ ending: Ending) async {
    for values in [ValueStreaming.every, .latest] {
      let source = EndingSource(for: derivation)
      let value = source.value(derivation)
      let stream = value.stream(values)
      let begun = Latch()
      let loop = Task {
        var seen: [Int] = []
        for await value in stream {
          seen.append(value)
          if value == 1 { begun.open() }
        }
        return seen
      }
      source.write(1)
      await begun.wait()
      source.end(ending, with: 2, of: value)
      let seen = await loop.value
      #expect(seen.last == 2 && seen == seen.sorted())
      #expect(!stream.subscription.isActive)
    }
  }

  @Test("43. An effect ends that has read nothing else", arguments: EndingSource.all)
  func effects(_ derivation: Derivation, _ ending: Ending) async {
    let (source, seen, canaries) = (EndingSource(for: derivation), Recorder<Int>(), Canaries())
    let value = source.value(derivation)
    let token = effect { [canary = canaries.make()] in
      canary.touch()
      seen(value.value)
    }
    source.write(1)
    source.end(ending, with: 2, of: value)
    #expect(!token.isActive)
    #expect(seen.values == [0, 1, 2])
    #expect(await canaries.quiesce())
  }

  @Test(
    "43. Handlers that are added afterwards receive the initial value at most, and have ended",
    arguments: EndingSource.all)
  func afterwards(_ derivation: Derivation, _ ending: Ending) async {
    let (source, canaries) = (EndingSource(for: derivation), Canaries())
    let value = source.value(derivation)
    // Nothing has read it before.
    source.end(ending, with: 2, of: value)
    for follower in Follower.allCases where follower != .initial {
      let token = observe(value, follower, Owner(), Listener(), [canaries.make()]) { _ in Issue.record("called") }
      #expect(!token.isActive)
      #expect(await canaries.quiesce())
    }
    let (received, listener) = (Recorder<Int>(), Listener())
    let token = value.observe(.initial) { received($0.new) }
    #expect(!token.isActive && received.values == [2])
    let late = value.observe(.initial, with: listener) { listener, change in listener.note(change.new) }
    await late.drained()
    #expect(await listener.received == [2] && !late.isActive)
    #expect(await value.stream(.every).all() == [2])
    #expect(await value.stream(.latest).all() == [2])
    #expect(await value.next() == nil)
    #expect(await value.stream().all().isEmpty)
    let once = value.once { _ in Issue.record("called") }
    #expect(!once.isActive)
  }

  @Test("43. A value that has read nothing has ended from the beginning")
  func constants() async {
    let (constant, hidden, received) = (Derived { 7 }, Observed(1), Recorder<Int>())
    let unnoticed = Derived { untracked { hidden.value } + constant.value }
    for value in [constant, unnoticed] {
      #expect(!value.observe { received($0.new) }.isActive)
      #expect(!value.observe(.initial) { received($0.new) }.isActive)
      #expect(await value.stream(.latest).all() == [value.value])
    }
    #expect(received.values == [7, 8])
  }

  @Test("43. A value that reads several sources ends with the last of them, in whichever order they end")
  func lastSource() {
    let count = 4
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
      var sources = (0..<count).map { Observed($0) as Observed<Int>? }
      let readers = sources.map { $0!.reader }
      let received = Recorder<Int>()
      let sum = Derived { readers.reduce(0) { $0 + $1.value } }
      let token = sum.observe { received($0.new) }
      for index in order {
        #expect(token.isActive)
        sources[index]?.set(10)
        sources[index] = nil
      }
      #expect(!token.isActive && received.values.last == 40)
    }
  }

  @Test("43. A value ends when it turns away from its last living source, and lives when it turns to one")
  func dynamicDependencies() {
    var (flag, first): (Observed<Bool>?, Observed<Int>?) = (Observed(false), Observed(1))
    let (second, received) = (Observed(2), Recorder<Int>())
    let (isSecond, one, other) = (flag!.reader, first!.reader, second.reader)
    let chosen = Derived { isSecond.value ? other.value : one.value }
    let token = chosen.observe { received($0.new) }
    first = nil
    #expect(token.isActive, "its flag may turn")
    flag?.set(true)
    flag = nil
    #expect(token.isActive, "it reads a source that lives")
    second.set(3)
    #expect(token.isActive && received.values == [2, 3])

    var gate: Observed<Bool>? = Observed(true)
    let (isOpen, ended) = (gate!.reader, Recorder<Int>())
    let last = Derived { isOpen.value ? other.value : -1 }.observe { ended($0.new) }
    gate?.set(false)
    #expect(last.isActive, "its gate may open")
    gate = nil
    #expect(!last.isActive && ended.values == [-1])
  }

  @Test("43. A chain follows the values that replace each other, and ends with both of its links")
  func chains() {
    var (outer, first, second): (Observed<Int>?, Observed<String>?, Observed<String>?) = (
      Observed(0), Observed("a"), Observed("b")
    )
    let (inner, received) = ([first!.map { $0 }, second!.map { $0 }], Recorder<String>())
    let chain = outer!.chain { inner[$0] }
    let token = chain.observe { received($0.new) }
    first?.set("c")
    first = nil
    #expect(token.isActive, "another may replace it")
    outer?.set(1)
    outer = nil
    #expect(token.isActive, "its inner source lives")
    second?.set("d")
    second = nil
    #expect(!token.isActive && received.values == ["c", "b", "d"])
  }

  @Test("43. A value whose closure retains its source does not end")
  func retainedSource() {
    let (canaries, received) = (Canaries(), Recorder<Int>())
    func make() -> Derived<Int> {
      let (source, canary) = (Observed(1), canaries.make())
      return Derived {
        canary.touch()
        return source.value
      }
    }
    let token = make().observe { received($0.new) }
    #expect(token.isActive && canaries.alive == 1)
    token.cancel()
  }

  @Test("43. What is derived from a value ends after it")
  func order() async {
    let ends = Recorder<String>()
    var source: Observed<Int>? = Observed(1)
    let twice = source!.map { $0 * 2 }
    let sum = combine(twice, source!).map { $0.0 + $0.1 }
    var tokens: [Subscription] = []
    tokens.append(sum.observe { [end = DeinitCallback { ends("sum") }] _ in end.touch() })
    tokens.append(twice.observe { [end = DeinitCallback { ends("twice") }] _ in end.touch() })
    tokens.append(source!.observe { [end = DeinitCallback { ends("source") }] _ in end.touch() })
    source = nil
    #expect(ends.values == ["source", "twice", "sum"])
    withExtendedLifetime(tokens) {}
  }

  @Test("43. A long chain of values ends without taking the stack")
  func longChain() {
    var source: Observed<Int>? = Observed(1)
    var last = source!.map { $0 }
    let tokens = (0..<20_000).map { _ in
      let before = last
      last = before.map { $0 + 1 }
      return last.observe { _ in }
    }
    source?.set(2)
    source = nil
    #expect(tokens.allSatisfy { !$0.isActive } && last.value == 20_002)
  }

  @Test("43. A paused stream of the latest value gives it when it is resumed, and ends")
  func pausedLatest() async {
    var source: Observed<Int>? = Observed(1)
    let stream = source!.map { $0 }.stream(.latest)
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    stream.subscription.pause()
    source?.set(2)
    source = nil
    stream.subscription.resume()
    #expect(await iterator.next() == 2)
    #expect(await iterator.next() == nil)
  }

  @Test("43. The end of a value that another replaces does not take its notification from the actor that sets")
  @MainActor func replaced() {
    final class Person: Sendable {
      let name: Observed<String>
      init(_ name: String) { self.name = Observed(name) }
    }
    let (person, shown) = (Observed(Person("Ada")), Recorder<String>())
    let token = person.chain { $0.name }.observe { change in
      MainActor.preconditionIsolated()
      shown(change.new)
    }
    let own = person.observe { _ in }
    person.set(Person("Grace"))
    #expect(shown.values == ["Grace"])
    withExtendedLifetime((token, own)) {}
  }

  @Test("43. What the captures of an ended handler destroy may write and observe")
  func writingCaptures() {
    var source: Observed<Int>? = Observed(1)
    let (other, received) = (Observed(0), Recorder<Int>())
    let value = source!.map { $0 }
    let follower = other.observe { received($0.new) }
    let token = value.observe {
      [end = DeinitCallback { _ = value.observe(.initial) { other.set($0.new) } }] _ in end.touch()
    }
    source?.set(5)
    source = nil
    #expect(received.values == [5] && !token.isActive)
    follower.cancel()
  }

  /// Threads release the sources while others write, read, observe and recompute what is derived from them.
  @Test("43. Values end with their sources while other threads read, observe and recompute them", arguments: 0..<20)
  func races(round: Int) async {
    for _ in 0..<50 {
      let sources = (0..<2).map { Locked<Observed<Int>?>(Observed($0)) }
      let readers = sources.map { $0.current!.reader }
      let sum = Derived { readers[0].value + readers[1].value }
      let twice = sum.map { $0 * 2 }
      let (received, initials, tokens) = (Recorder<Int>(), Recorder<Int>(), Recorder<Subscription>())
      tokens(twice.observe { received($0.new) })
      let stream = twice.stream(.latest)
      await Threads.together(4) { thread in
        switch thread {
        case 0, 1:
          sources[thread].current?.set(10)
          sources[thread].current = nil
        case 2: tokens(twice.observe(.initial) { initials($0.new) })
        default: _ = twice.value
        }
      }
      #expect(tokens.values.allSatisfy { !$0.isActive })
      #expect(received.values.last == 40 && initials.values.last == 40)
      #expect(await stream.all().last == 40)
    }
  }
}
