#if TIDINGS_EXPLORED
@testable import Tidings
@testable import TidingsTesting

extension Scenario {
  /// Sources that are released while other threads use what is derived from them.
  static let finality: [Scenario] = [
    Scenario("43. A source is set and released while another thread observes what is derived from it") {
      let (source, twice) = derived { $0 * 2 }
      let (received, token) = (Recorder<Int>(), Locked<Subscription?>(nil))
      return Round(
        threads: [
          {
            source.current?.set(1)
            source.current = nil
          }, { token.current = twice.observe(.initial) { received($0.new) } },
        ],
        violation: { unended(token.current) ?? (received.values.last == 2 ? nil : "received \(received.values)") })
    },
    Scenario("43. A source is set and released beside a new handler, both notified by the thread that sets") {
      let (source, twice) = derived { $0 * 2 }
      let (received, token) = (Recorder<Int>(), Locked<Subscription?>(nil))
      let other = twice.observe { _ in }
      return Round(
        threads: [
          {
            source.current?.set(1)
            source.current = nil
          }, { token.current = twice.observe(.initial) { received($0.new) } },
        ],
        violation: {
          unended(token.current) ?? unended(other) ?? (received.values.last == 2 ? nil : "received \(received.values)")
        })
    },
    Scenario("43. A source is set and released while another thread recomputes an observed value") {
      let (source, twice) = derived { $0 * 2 }
      let received = Recorder<Int>()
      let token = twice.observe { received($0.new) }
      return Round(
        threads: [
          {
            source.current?.set(1)
            source.current = nil
          }, { _ = twice.value },
        ],
        violation: { unended(token) ?? (received.values == [2] ? nil : "received \(received.values)") })
    },
    // The handlers of derived values are called after the handler that sets.
    Scenario("43. A handler sets and releases a source while another thread recomputes an observed value") {
      let (source, twice) = derived { $0 * 2 }
      let (trigger, received) = (Observed(0), Recorder<Int>())
      let token = twice.observe { received($0.new) }
      let setting = trigger.observe { _ in
        source.current?.set(1)
        source.current = nil
      }
      return Round(
        threads: [{ trigger.set(1) }, { _ = twice.value }],
        violation: {
          setting.cancel()
          return unended(token) ?? (received.values == [2] ? nil : "received \(received.values)")
        })
    },
    Scenario("43. A source is set by one thread and released by another") {
      let (source, twice) = derived { $0 * 2 }
      let received = Recorder<Int>()
      let token = twice.map { $0 + 1 }.observe { received($0.new) }
      return Round(
        threads: [{ source.current?.set(1) }, { source.current = nil }],
        violation: {
          unended(token) ?? ([[], [3]].contains(received.values) ? nil : "received \(received.values)")
        })
    },
    Scenario("43. Two threads release the two sources of a value") {
      let ((one, first), (other, second)) = (derived { $0 }, derived { $0 })
      let token = combine(first, second).observe { _ in }
      return Round(
        threads: [{ one.current = nil }, { other.current = nil }], violation: { unended(token) })
    },
    Scenario("43. A source is released while a value first reads it") {
      let (source, twice) = derived { $0 * 2 }
      let token = Locked<Subscription?>(nil)
      return Round(
        threads: [{ source.current = nil }, { token.current = twice.observe { _ in } }],
        violation: { unended(token.current) })
    },
    Scenario("43. A source is released while another thread begins to read it in a graph of its own") {
      let (source, home) = derived { $0 }
      let (reader, own) = (source.current!.reader, Locked<Observed<Int>?>(Observed(0)))
      let (mine, token) = (own.current!.reader, Locked<Subscription?>(nil))
      let kept = home.observe { _ in }
      return Round(
        threads: [
          { source.current = nil },
          {
            token.current = Derived { mine.value + reader.value }.observe { _ in }
            own.current = nil
          },
        ],
        violation: { unended(token.current) ?? unended(kept) })
    },
    Scenario("43. A source is set and released beside a consumer of the latest value") {
      let (source, twice) = derived { $0 * 2 }
      let (received, hasEnded) = (Recorder<Int>(), Locked(false))
      let stream = twice.stream(.latest)
      return Round(
        threads: [
          {
            source.current?.set(1)
            source.current = nil
          },
          {
            Task.detached(executorPreference: interleaver.executor) {
              for await value in stream { received(value) }
              hasEnded.current = true
            }
          },
        ],
        violation: {
          if !hasEnded.current { return "the consumer was not woken" }
          return received.values.last == 2 ? nil : "received \(received.values)"
        })
    },
  ]

  private static func derived(
    _ transform: @escaping @Sendable (Int) -> Int
  ) -> (source: Locked<Observed<Int>?>, value: Derived<Int>) {
    let source = Observed(0)
    return (Locked(source), source.map(transform))
  }
  private static func unended(_ token: Subscription?) -> String? {
    token?.isActive == false ? nil : "a subscription has not ended"
  }
}
#endif
