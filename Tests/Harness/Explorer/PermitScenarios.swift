#if TIDINGS_EXPLORED
@testable import Tidings
@testable import TidingsTesting

/// Calls that may begin no more, and calls that are waited for, while another thread emits.
extension Scenario {
  static let permits = policies.flatMap { policy in
    [
      stopped(policy, "6. An asynchronous handler is cancelled on its actor beside emit") { $0.cancel() },
      stopped(policy, "6, 10. An asynchronous handler is paused on its actor beside emit") { $0.pause() },
      cancelledAll(
        policy, "6. All handlers of an event are cancelled beside emit, and one is behind a merge that goes on"),
      cancelledAll(policy, "6. The same, and a third thread cancels another handler of the merge", withThird: true),
      cancelledTwice(policy),
      drained(policy),
      dropped(policy),
      droppedPlain(policy),
      waiting(policy, "6. A handler behind an operator that waits is cancelled on its actor beside emit") {
        $1.cancel()
      },
      waiting(policy, "6, 10. A handler behind an operator that waits is paused and resumed on its actor beside emit") {
        $1.pause()
        $1.resume()
      },
      waiting(policy, "6. All handlers of an event are cancelled beside emit, and one is behind an operator that waits")
      {
        event, _ in event.cancelAll()
      },
      waitingDrained(policy),
      replacedDrained(policy),
    ]
  }

  /// The source, with an operator that has a queue of its own and waits for nothing.
  private static func waiting(on source: Event<Int>, replacing: Bool = false) -> AnyEventSource<Int> {
    .waiting(on: source) {
      (receive: { ($0, { replacing }) }, wait: { item, _ in item }, wake: {}, end: {})
    }
  }

  /// Nothing that was emitted before the stop begins after it.
  private static func waiting(
    _ policy: DeliveryPolicy, _ name: String, _ stop: @escaping @Sendable (Event<Int>, Subscription) -> Void
  ) -> Scenario {
    Scenario(name + ", \(policy)") {
      let (event, actor) = (Event<Int>(policy: policy), ExploredActor(interleaver))
      let (emitted, stopped, late) = (Locked(false), Locked(false), Locked(0))
      let behind = waiting(on: event).observe(with: actor) { _, _ in
        if stopped.current { late.withLock { $0 += 1 } }
      }
      return Round(
        threads: [
          {
            event.emit(1)
            emitted.current = true
          },
          {
            actor.submit { _ in
              let wasEmitted = emitted.current
              stop(event, behind)
              stopped.current = wasEmitted
            }
          },
        ],
        violation: {
          withExtendedLifetime((event, behind)) {}
          return late.current == 0 ? nil : "a call began after its subscription was stopped"
        })
    }
  }

  private static func waitingDrained(_ policy: DeliveryPolicy) -> Scenario {
    Scenario(
      "26. An event is finished and drained beside emit, and its handler is behind an operator that waits, \(policy)"
    ) {
      let (event, actor, handled) = (Event<Int>(policy: policy), ExploredActor(interleaver), Recorder<Int>())
      let (atReturn, hasReturned) = (Locked(0), Locked(false))
      let token = waiting(on: event).prefix(2).observe(with: actor) { _, value in handled(value) }
      return Round(
        threads: [
          { for value in 1...2 { event.emit(value) } },
          {
            event.finish()
            Task.detached(executorPreference: interleaver.executor) {
              await event.drained()
              atReturn.current = handled.values.count
              hasReturned.current = true
            }
          },
        ],
        violation: {
          withExtendedLifetime((actor, token)) {}
          if !hasReturned.current { return "drained() has not returned" }
          return handled.values.count == atReturn.current ? nil : "handled after drained() had returned"
        })
    }
  }

  /// The barrier waits for the value that has taken the place of the others.
  private static func replacedDrained(_ policy: DeliveryPolicy) -> Scenario {
    Scenario(
      "26, 46. An event is drained beside emit, and each value takes the place of the last that waits, \(policy)"
    ) {
      let (event, handled) = (Event<Int>(policy: policy), Recorder<Int>())
      let (hasEmitted, isEarly, hasReturned) = (Locked(false), Locked(false), Locked(false))
      let token = waiting(on: event, replacing: true).observe { handled($0) }
      return Round(
        threads: [
          {
            for value in 1...3 { event.emit(value) }
            hasEmitted.current = true
          },
          {
            Task.detached(executorPreference: interleaver.executor) {
              let isWhole = hasEmitted.current
              await event.drained()
              isEarly.current = isWhole && handled.values.last != 3
              hasReturned.current = true
            }
          },
        ],
        violation: {
          withExtendedLifetime((event, token)) {}
          if !hasReturned.current { return "drained() has not returned" }
          if handled.values.last != 3 || handled.values != handled.values.sorted() {
            return "handled \(handled.values)"
          }
          return isEarly.current ? "drained() returned before the last value was handled" : nil
        })
    }
  }

  private static func stopped(
    _ policy: DeliveryPolicy, _ name: String, _ stop: @escaping @Sendable (Subscription) -> Void
  ) -> Scenario {
    Scenario(name + ", \(policy)") {
      let (event, actor) = (Event<Int>(policy: policy), ExploredActor(interleaver))
      let (isStopped, late) = (Locked(false), Locked(0))
      let token = event.observe(with: actor) { _, _ async in
        if isStopped.current { late.withLock { $0 += 1 } }
      }
      return Round(
        threads: [
          { event.emit(1) },
          {
            actor.submit { _ in
              stop(token)
              isStopped.current = true
            }
          },
        ],
        violation: {
          withExtendedLifetime((event, token)) {}
          return late.current == 0 ? nil : "a call began after the handler was stopped on its actor"
        })
    }
  }

  private static func cancelledAll(_ policy: DeliveryPolicy, _ name: String, withThird: Bool = false) -> Scenario {
    Scenario(name + ", \(policy)") {
      let (event, other, received) = (Event<Int>(policy: policy), Event<Int>(), Recorder<Int>())
      let (isCancelled, late, isOver, jobs) = (
        Locked(false), Locked(0), Locked(false), Locked<[@Sendable () -> Void]>([])
      )
      // A job may run at any time: also before the emitting thread has noticed that its value was revoked.
      let queue = DeliveryTarget { job in
        if isOver.current { return jobs.withLock { $0.append(job) } }
        Task.detached(executorPreference: interleaver.executor) { job() }
      }
      let merged = event.merge(other).share()
      let first = merged.observe { _ in }
      let second = merged.observe(on: queue) { value in
        received(value)
        if isCancelled.current { late.withLock { $0 += 1 } }
      }
      let cancel: @Sendable () -> Void = {
        event.cancelAll()
        isCancelled.current = true
      }
      let threads: [@Sendable () -> Void] = [{ event.emit(1) }, cancel, { first.cancel() }]
      return Round(
        threads: withThird ? threads : Array(threads.prefix(2)),
        violation: {
          if late.current > 0 { return "a call began after cancelAll() had returned" }
          isOver.current = true
          other.emit(2)
          for job in jobs.current { job() }
          return withExtendedLifetime((first, second)) {
            received.values.last == 2 ? nil : "the other source is not received"
          }
        })
    }
  }

  private static func cancelledTwice(_ policy: DeliveryPolicy) -> Scenario {
    Scenario("6. Two threads cancel all, while values wait behind a relay and in a queue, \(policy)") {
      let event = Event<Int>(policy: policy)
      let (isCancelled, late) = (Locked(false), Locked(0))
      let jobs = Locked<[@Sendable () -> Void]>([])
      let queue = DeliveryTarget { job in jobs.withLock { $0.append(job) } }
      let note: @Sendable (Int) -> Void = { _ in if isCancelled.current { late.withLock { $0 += 1 } } }
      let tokens = [
        event.share().observe(on: queue, note), event.observe(on: queue, note),
        event.prefix(1).observe(on: queue, note),
      ]
      event.emit(1)
      return Round(
        threads: [
          { event.cancelAll() },
          {
            event.cancelAll()
            isCancelled.current = true
            for job in jobs.current { job() }
          },
        ],
        violation: {
          withExtendedLifetime(tokens) {}
          return late.current == 0 ? nil : "\(late.current) calls began after cancelAll() had returned"
        })
    }
  }

  private static func dropped(_ policy: DeliveryPolicy) -> Scenario {
    Scenario("14. A subscription is dropped beside its end by `prefix`, while a value waits for it, \(policy)") {
      let (event, token) = (Event<Int>(policy: policy), Locked<Subscription?>(nil))
      let (isDropped, late) = (Locked(false), Locked(0))
      let jobs = Locked<[@Sendable () -> Void]>([])
      let queue = DeliveryTarget { job in jobs.withLock { $0.append(job) } }
      token.current = event.prefix(1).observe(on: queue) { _ in
        if isDropped.current { late.withLock { $0 += 1 } }
      }
      return Round(
        threads: [
          { event.emit(1) },
          {
            token.current = nil
            isDropped.current = true
            for job in jobs.current { job() }
          },
        ],
        violation: {
          for job in jobs.current { job() }
          return late.current == 0 ? nil : "the handler was called after its subscription was dropped"
        })
    }
  }

  /// The token is freed where there is nothing to cancel any more, while the other thread ends the subscription.
  private static func droppedPlain(_ policy: DeliveryPolicy) -> Scenario {
    Scenario("14. A subscription is dropped beside its end by `prefix`, and its handler has no queue, \(policy)") {
      let (event, token) = (Event<Int>(policy: policy), Locked<Subscription?>(nil))
      let others = (0..<2).map { _ in event.observe { _ in } }
      token.current = event.prefix(1).observe { _ in }
      let last = event.observe { _ in }
      return Round(
        threads: [{ event.emit(1) }, { token.current = nil }],
        violation: {
          withExtendedLifetime((others, last)) {}
          return event.diagnostics.count == 3 ? nil : "\(event.diagnostics.count) subscriptions are left"
        })
    }
  }

  private static func drained(_ policy: DeliveryPolicy) -> Scenario {
    Scenario("26. An event is finished and drained beside emit, and its handler is behind a merge, \(policy)") {
      let (event, actor, handled) = (Event<Int>(policy: policy), ExploredActor(interleaver), Recorder<Int>())
      let (atReturn, hasReturned) = (Locked(0), Locked(false))
      event.map { $0 }.merge(Event<Int>()).observe(with: actor) { _, value in handled(value) }
      return Round(
        threads: [
          { for value in 1...2 { event.emit(value) } },
          {
            event.finish()
            Task.detached(executorPreference: interleaver.executor) {
              await event.drained()
              atReturn.current = handled.values.count
              hasReturned.current = true
            }
          },
        ],
        violation: {
          withExtendedLifetime(actor) {}
          if !hasReturned.current { return "drained() has not returned" }
          return handled.values.count == atReturn.current ? nil : "handled after drained() had returned"
        })
    }
  }
}
#endif
