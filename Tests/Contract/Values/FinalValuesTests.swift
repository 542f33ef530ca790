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
}
