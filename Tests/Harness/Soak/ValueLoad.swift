import Synchronization
import Tidings

/// The load of values that live as long as the program: updates, transactions of which some throw, derived sums, chains of changes,
/// streams and an effect. Beside them, other values are destroyed while they are delivered.
final class ValueLoad: Sendable {
  private let counter = Observed(0, label: "soak.counter")
  private let accounts = (0..<4).map { Observed(1_000, label: "soak.account \($0)") }
  private let pairs: [Derived<Int>]
  private let sum: Derived<Int>
  private let stamped = Observed(Payload(0, -1, .stamp), label: "soak.stamped")
  private let renumbered: Derived<Payload>
  private let receiver = Receiver()
  private let statistics: Statistics
  private static let total = 4_000

  private struct Regret: Error {}

  init(_ statistics: Statistics) {
    self.statistics = statistics
    pairs = [accounts.prefix(2), accounts.suffix(2)].map { accounts in
      Derived("soak.pair") { accounts.reduce(0) { $0 + $1.value } }
    }
    sum = Derived("soak.sum") { [pairs] in pairs[0].value + pairs[1].value }
    renumbered = Derived("soak.renumbered") { [stamped] in stamped.value }
  }

  /// The unbroken chain of a handler: `old` of a change is `new` of the one before.
  private final class Chain: Sendable {
    private let last: Mutex<Int>
    init(_ first: Int) { last = Mutex(first) }
    func receive(_ change: Change<Int>) {
      last.withLock { last in
        check(change.old == nil || change.old == last, "a change began with \(change.old ?? 0), not with \(last)")
        last = change.new
      }
    }
    var value: Int { last.withLock { $0 } }
  }

  func round(values: Int, seed: UInt64) async {
    let before = counter.value
    let chains = (0..<4).map { _ in Chain(before) }
    let tokens = [
      counter.observe { chains[0].receive($0) },
      counter.observe { @MainActor change in chains[1].receive(change) },
      counter.observe(with: receiver) { _, change in chains[2].receive(change) },
      counter.observe(.initial) { chains[3].receive($0) },
      sum.observe { check($0.new == Self.total, "a sum of \($0.new) was seen") },
      combine(pairs[0], pairs[1]).observe { check($0.new.0 + $0.new.1 == Self.total, "pairs of \($0.new) were seen") },
      effect("soak.effect") { [sum] in check(sum.value == Self.total, "an effect saw a sum of \(sum.value)") },
    ]
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<2 {
        group.addTask { await onThread { [self] in write(values, number, seed) } }
      }
      group.addTask { [self] in await stamp(values, seed) }
      group.addTask { [self] in await destroyDuringDelivery(seed) }
    }
    for token in tokens { await token.drained() }
    check(counter.value == before + 2 * values, "\(counter.value - before) of \(2 * values) updates were applied")
    for (number, chain) in chains.enumerated() {
      check(chain.value == counter.value, "handler \(number) was last notified of \(chain.value), not \(counter.value)")
    }
    check(sum.value == Self.total, "the sum is \(sum.value)")
    for token in tokens { token.cancel() }
    statistics.count("updates", 2 * values)
  }

  private func write(_ count: Int, _ thread: Int, _ seed: UInt64) {
    var random = Random(seed, 50 + thread)
    for number in 0..<count {
      counter.update { $0 += 1 }
      if number % 4 > 0 { continue }
      let (from, to, amount) = (random.number(below: 4), random.number(below: 4), random.number(below: 10))
      let regrets = random.isOne(in: 5)
      do throws(Regret) {
        try transaction { () throws(Regret) in
          accounts[from].update { $0 -= amount }
          check(sum.value == Self.total - amount, "a transaction does not read what it has written")
          accounts[to].update { $0 += amount }
          if regrets {
            accounts[0].set(-1)
            throw Regret()
          }
        }
      } catch {
        check(regrets, "a transaction threw")
      }
      check(sum.value == Self.total, "a sum of \(sum.value) was read")
      if random.isOne(in: 30) { stall(microseconds: random.number(below: 500)) }
    }
    statistics.count("transactions", count / 4)
  }

  /// One writer; every receiver is given each value, in order, and those of the latest alone the last one.
  private func stamp(_ count: Int, _ seed: UInt64) async {
    var random = Random(seed, 52)
    let (every, latest) = (stamped.stream(.every), renumbered.stream(.latest))
    let last = count - 1
    let consumers = Task { [statistics] in
      await withTaskGroup(of: Void.self) { group in
        for (stream, kind) in [(every, DeliveryKind.every), (latest, .latest)] {
          group.addTask {
            let reception = Reception(kind, allowsGaps: kind == .latest)
            for await payload in stream {
              // The first is what the value was before.
              if reception.count == 0, payload.emitter != seed.emitter { continue }
              reception.receive(payload)
              if payload.number == last { break }
            }
            reception.report(to: statistics)
            if kind == .every { check(reception.count == count, "a stream gave \(reception.count) of \(count) states") }
          }
        }
      }
    }
    let kinds: [DeliveryKind] = [.valueInPlace, .valueMainActor, .valueActor, .derived]
    let receptions = kinds.map { Reception($0) }
    let seen = Reception(.effect, allowsGaps: true)
    let tokens = [
      stamped.observe { receptions[0].receive($0.new) },
      stamped.observe { @MainActor change in receptions[1].receive(change.new) },
      stamped.observe(with: receiver) { _, change in receptions[2].receive(change.new) },
      renumbered.observe { receptions[3].receive($0.new) },
      effect { [stamped] in
        let payload = stamped.value
        if payload.emitter == seed.emitter { seen.receive(payload) }
      },
    ]
    for number in 0..<count {
      stamped.set(Payload(seed.emitter, number, .stamp))
      if random.isOne(in: 30) { try? await Task.sleep(for: .microseconds(random.number(below: 300))) }
    }
    await consumers.value
    for token in tokens { await token.drained() }
    for reception in receptions {
      check(reception.count == count, "\(reception.count) of \(count) values: \(reception.kind.rawValue)")
      reception.report(to: statistics)
    }
    check(seen.range(of: seed.emitter).upperBound == count, "an effect did not see the last value")
    seen.report(to: statistics)
    for token in tokens { token.cancel() }
    statistics.count("sets", count)
  }

  /// Values, what is derived from them, and subscriptions, released by one thread while another sets.
  private func destroyDuringDelivery(_ seed: UInt64) async {
    var random = Random(seed, 53)
    for turn in 0..<40 {
      let ballast = Ballast(.derivation)
      let calls = Mutex(0)
      var source: Observed<Payload>? = Observed(Payload(0, 0, .setPayload))
      var derived: Derived<Payload>? = Derived { [source = source!] in
        check(ballast.isIntact, "a derived value is computed after its end")
        return source.value
      }
      var tokens: [Subscription]? = [
        source!.observe { _ in calls.withLock { $0 += 1 } },
        derived!.observe { check(ballast.isIntact && $0.new.ballast.isIntact, "a destroyed value was delivered") },
        derived!.map(\.number).observe { _ in check(ballast.isIntact, "a handler was called after its end") },
        source!.observe(with: receiver) { _, change in
          check(change.new.ballast.isIntact, "a destroyed value was delivered")
        },
      ]
      let setting = Task { [weak source] in
        for number in 1...20 { source?.set(Payload(0, number, .setPayload)) }
      }
      if random.isOne(in: 2) { await Task.yield() }
      switch turn % 4 {
      case 0: tokens = nil
      case 1: derived = nil
      // The derived value, which its handlers keep, keeps it.
      case 2: source = nil
      default: (tokens, derived, source) = (nil, nil, nil)
      }
      await setting.value
      if let tokens {
        for token in tokens { await token.drained() }
        check(calls.withLock { $0 } == 20, "a handler received \(calls.withLock { $0 }) of 20 changes")
      }
      withExtendedLifetime((source, derived, tokens)) {}
      (source, derived, tokens) = (nil, nil, nil)
    }
    statistics.count("values destroyed during deliveries", 40)
  }
}

extension UInt64 {
  /// A number of an emitter that no other round uses.
  fileprivate var emitter: Int { Int(self & 0xFFFF_FFFF) + 100 }
}
