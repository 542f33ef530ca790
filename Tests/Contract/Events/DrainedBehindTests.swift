import Testing
import Tidings
import TidingsTesting

@Suite(
  "25, 26. What was emitted has been handled when a caller that waits for it goes on, whatever is behind the event")
struct DrainedBehindTests {
  /// Handlers of an actor that is busy while the values are emitted.
  enum Handler: CaseIterable, Sendable {
    case plain, once, async, newest, oldest, queue

    func observe(
      _ source: some EventSource<Int>, on actor: isolated TestActor, _ queue: ManualQueue, _ received: Recorder<Int>
    ) -> Subscription {
      switch self {
      case .plain:
        source.observe {
          _ = actor
          received($0)
        }
      case .once: source.once(with: actor) { received($1) }
      case .async:
        source.observe { value async in
          _ = actor
          received(value)
        }
      case .newest:
        source.observe(buffering: .newest(1)) { value async in
          _ = actor
          received(value)
        }
      case .oldest:
        source.observe(buffering: .oldest(1)) { value async in
          _ = actor
          received(value)
        }
      case .queue: source.observe(on: .manual(queue)) { received($0) }
      }
    }
    /// The values that the handler has handled in the end.
    var handled: [Int] {
      switch self {
      case .once: [1]
      case .newest: [1, 5]
      case .oldest: [1, 2]
      default: [1, 2, 3, 4, 5]
      }
    }
  }

  /// How the caller waits.
  enum Way: CaseIterable, Sendable {
    case drained, subscriptionDrained, finishedAndDrained, completedAndDrained, emitAndWait
  }

  @Test("every kind of handler, behind every operator", arguments: [DeliveryPolicy.serial, .immediate], Way.allCases)
  func cells(policy: DeliveryPolicy, way: Way) async {
    let actor = TestActor()
    for chain in OperatorChain.allCases {
      for handler in Handler.allCases {
        if !applies(way, chain, handler) { continue }
        let early = await wait(actor, policy, chain, handler, way)
        #expect(early == nil, "\(policy), \(chain), \(handler), \(way)")
      }
    }
  }

  @Test("a subscription to a value, behind every operator", arguments: [PermitTests.Source.observed, .derived])
  func values(_ source: PermitTests.Source) async {
    let actor = TestActor()
    for chain in OperatorChain.allCases {
      for handler in Handler.allCases where handler != .once {
        let (values, emit, _) = source.make()
        let (received, queue, gate, living) = (Recorder<Int>(), ManualQueue(), Gate(), Event<Int>())
        let subscription = await actor.run {
          handler.observe(chain.over(values, beside: living), on: $0, queue, received)
        }
        await actor.occupy(until: gate)
        await Threads.elsewhere {
          let before = actor.jobCount
          emit(1)
          if handler != .queue { actor.waitForJob(after: before) }
          for value in 2..<6 { emit(value) }
        }
        let handled = await drain(queue, gate, received) { await subscription.drained() }
        withExtendedLifetime(living) {}
        #expect(handled == handler.handled, "\(source), \(chain), \(handler)")
      }
    }
  }

  private func applies(_ way: Way, _ chain: OperatorChain, _ handler: Handler) -> Bool {
    switch way {
    // The subscription that handles a value once has ended when it does.
    case .subscriptionDrained: handler != .once
    // The caller waits for the last value alone. A full buffer may have dropped this value, and a `once` handler has ended before
    // it. The source that `flatMapLatest` follows is a different one, with its own values.
    case .emitAndWait: handler != .once && handler != .newest && handler != .oldest && chain != .flatMapLatest
    default: true
    }
  }

  /// Returns what was handled when the caller went on, if that is not all.
  private func wait(
    _ actor: TestActor, _ policy: DeliveryPolicy, _ chain: OperatorChain, _ handler: Handler, _ way: Way
  ) async -> [Int]? {
    let (event, living) = (Event<Int>(policy: policy), Event<Int>())
    let (received, queue, gate) = (Recorder<Int>(), ManualQueue(), Gate())
    let subscription = await actor.run { actor in
      let source =
        way == .completedAndDrained ? chain.over(event.prefix(5), beside: living) : chain.over(event, beside: living)
      return handler.observe(source, on: actor, queue, received)
    }
    await actor.occupy(until: gate)
    // On a thread of its own, which it holds up until the first call has come to the actor.
    await Threads.elsewhere {
      let before = actor.jobCount
      event.emit(1, isolation: nil)
      if handler != .queue { actor.waitForJob(after: before) }
      event.emit(contentsOf: way == .emitAndWait ? 2..<5 : 2..<6)
    }
    if way == .finishedAndDrained { event.finish() }
    let handled = await drain(queue, gate, received) {
      switch way {
      case .subscriptionDrained: await subscription.drained()
      case .emitAndWait: await event.emitAndWait(5)
      default: await event.drained()
      }
    }
    withExtendedLifetime((subscription, living)) {}
    return handled == handler.handled ? nil : handled
  }

  /// Returns the values handled when `wait` returned. The call of `wait` begins while the actor is busy.
  private func drain(
    _ queue: ManualQueue, _ gate: Gate, _ received: Recorder<Int>, _ wait: @escaping @Sendable () async -> Void
  ) async -> [Int] {
    let hasReturned = Locked(false)
    let waiting = Task {
      defer { hasReturned.withLock { $0 = true } }
      await wait()
      return received.values
    }
    for _ in 0..<20 { await Task.yield() }
    gate.open()
    while !hasReturned.current {
      queue.runAll()
      await Task.yield()
    }
    return await waiting.value
  }
}
