import Testing
import Tidings
import TidingsTesting

/// A value waits in a handler's own queue because its actor is busy; then the actor emits another one in place, which empties
/// the queue first. What the handler does to its subscription in that moment must hold for the value in hand.
@Suite("Self-cancellation: a handler that is cancelled or paused while its queue is emptied in place")
struct SelfCancellationTests {
  @Test(
    "6. A handler that is cancelled or paused in its call is not called with the value that is delivered in place",
    arguments: [true, false])
  func stopped(byItself isOwn: Bool) async {
    for path in Path.all {
      for stop in Stop.allCases where path.allows(stop) {
        let received = await path.received { token, value in
          guard value == 1 else { return }
          if isOwn { stop(token, path) } else { Threads.elsewhere { stop(token, path) } }
        }
        #expect(received == [1], "\(path.name), \(stop)")
      }
    }
  }

  @Test(
    "3. A handler that pauses and resumes itself receives what is emitted after that, and nothing that was emitted before"
  )
  func pausedAndResumed() async {
    for path in Path.all {
      let received = await path.received { token, value in
        guard value == 1 else { return }
        token.current?.pause()
        token.current?.resume()
        Threads.elsewhere { path.emit(3, nil) }
      }
      #expect(received == [1, 3], "\(path.name): 2 was emitted before the resuming, 3 after it")
    }
  }
}

private enum Stop: CaseIterable {
  case cancel, pause, dropToken, cancelAll

  func callAsFunction(_ token: Locked<Subscription?>, _ path: Path) {
    switch self {
    case .cancel: token.current?.cancel()
    case .pause: token.current?.pause()
    case .dropToken: token.current = nil
    case .cancelAll: path.event.cancelAll()
    }
  }
}

/// A way from a source to a handler on an actor.
private struct Path: Sendable {
  enum Kind: CaseIterable {
    case observe, map, merge, onError, observed
  }

  let kind: Kind
  let event: Event<Int>
  private let value = Observed(0)
  let name: String

  init(_ kind: Kind, _ policy: DeliveryPolicy) {
    self.kind = kind
    event = Event(policy: policy)
    name = "\(kind), \(policy)"
  }

  static var all: [Path] {
    Kind.allCases.flatMap { kind in
      kind == .observed ? [Path(kind, .serial)] : [Path(kind, .serial), Path(kind, .immediate)]
    }
  }

  /// A value has no such verb; of a merge it would end the subscription to one source.
  func allows(_ stop: Stop) -> Bool { stop != .cancelAll || (kind != .observed && kind != .merge) }

  func emit(_ number: Int, _ isolation: isolated (any Actor)?) {
    if kind == .observed { value.set(number, isolation: isolation) } else { event.emit(number, isolation: isolation) }
  }

  private func observe(_ actor: isolated TestActor, _ handler: @escaping @Sendable (Int) -> Void) -> Subscription {
    let onActor: @Sendable (Int) -> Void = { value in
      #expect(actor.isHere)
      handler(value)
    }
    switch kind {
    case .observe:
      return event.observe { value in
        actor.preconditionIsolated()
        onActor(value)
      }
    case .map:
      return event.map { $0 }.filter { _ in true }.observe { value in
        actor.preconditionIsolated()
        onActor(value)
      }
    case .merge:
      return event.merge(Event<Int>()).observe { value in
        actor.preconditionIsolated()
        onActor(value)
      }
    case .onError:
      return event.observe(
        onError: { (_: Oops) in },
        { value throws(Oops) in
          actor.preconditionIsolated()
          onActor(value)
          throw Oops()
        })
    case .observed:
      return value.observe { change in
        actor.preconditionIsolated()
        onActor(change.new)
      }
    }
  }

  /// Returns the values that the handler receives when 1 waits in its queue and 2 is emitted on its actor.
  func received(_ act: @escaping @Sendable (Locked<Subscription?>, Int) -> Void) async -> [Int] {
    let (actor, received, token) = (TestActor(), Recorder<Int>(), Locked<Subscription?>(nil))
    await actor.run { actor in
      token.current = observe(actor) { value in
        received(value)
        act(token, value)
      }
      Threads.elsewhere { emit(1, nil) }
      emit(2, actor)
    }
    // Wait for the values of a subscription that continues, and then for the remaining jobs of its queue.
    await token.current?.drained()
    for _ in 0..<3 { await actor.run { _ in } }
    return received.values
  }
}

private struct Oops: Error {}
