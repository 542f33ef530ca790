import Foundation
import Synchronization
import Tidings

/// Very many subscriptions and values, and very large payloads: what each takes, and that all of it is freed.
enum Growth {
  static func run(subscriptions: Int, values: Int, megabytes: Int) async {
    await payloads(megabytes: megabytes)
    // The first run keeps one-time allocations of the runtime and the library out of the difference.
    await subscribe(1_000, isQuiet: true)
    await derive(1_000, isQuiet: true)
    let start = Memory.resident ?? 0
    await subscribe(subscriptions)
    await freed(start, "the subscriptions")
    await derive(values)
    await released("the derived values")
    // The slabs of their nodes are never given back, and used again: a second time nothing is added.
    let kept = Memory.resident ?? 0
    say("  \(Memory.text(kept - start)) are kept for later values, \((kept - start) / values) B each")
    await derive(values, isQuiet: true)
    await freed(kept, "derived values, made a second time,")
    say("✔ everything is freed, or used again")
  }

  private static func released(_ what: String) async {
    for _ in 0..<1_000 where Ballast.alive > 0 { try? await Task.sleep(for: .milliseconds(2)) }
    check(Ballast.alive == 0, "\(Ballast.alive) objects are left of \(what)")
  }
  private static func freed(_ start: Int, _ what: String) async {
    await released(what)
    guard let resident = Memory.resident else { return }
    say("  resident before \(Memory.text(start)), afterwards \(Memory.text(resident))")
    check(resident <= start + max(start / 20, 32_000_000), "\(what) left \(Memory.text(resident - start))")
  }

  /// A measurement, for each of a number of objects.
  private struct Cost {
    let isQuiet: Bool
    private var time = now()
    private var bytes = Memory.resident

    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    mutating func line(_ text: String, _ count: Int) {
      let (time, resident) = (now() - time, Memory.resident)
      var line = "  \(text): \(time / UInt64(count)) ns each"
      if let resident, let bytes { line += ", \((resident - bytes) / count) B each" }
      if !isQuiet { say(line) }
      (self.time, bytes) = (now(), resident)
    }
  }

  private static func subscribe(_ count: Int, isQuiet: Bool = false) async {
    if !isQuiet { say("\(count) subscriptions of one event") }
    let event = Event<Int>("growth.event")
    let (ballast, calls) = (Ballast(.handler), Counter())
    var tokens: [Subscription] = []
    tokens.reserveCapacity(count)
    var cost = Cost(isQuiet: isQuiet)
    for _ in 0..<count {
      tokens.append(
        event.observe { _ in
          calls.add()
          withExtendedLifetime(ballast) {}
        })
    }
    cost.line("subscribing", count)
    event.emit(1)
    cost.line("emitting to each", count)
    check(calls.value == count, "\(calls.value) of \(count) handlers were called")
    for place in stride(from: 0, to: count, by: 2) { tokens[place].cancel() }
    cost.line("cancelling every second one", count / 2)
    event.emit(2)
    check(calls.value == count + count / 2, "\(calls.value - count) of \(count / 2) handlers were called")
    cost.line("emitting to the others", count / 2)
    tokens = []
    cost.line("releasing all", count)
    check(event.diagnostics.count == 0, "\(event.diagnostics.count) subscriptions are left")
  }

  private static func derive(_ count: Int, isQuiet: Bool = false) async {
    if !isQuiet { say("\(count) derived values of one value") }
    let source = Observed(0)
    let (ballast, calls) = (Ballast(.handler), Counter())
    var values: [Derived<Int>] = []
    var tokens: [Subscription] = []
    values.reserveCapacity(count)
    tokens.reserveCapacity(count)
    var cost = Cost(isQuiet: isQuiet)
    for number in 0..<count {
      values.append(
        Derived {
          withExtendedLifetime(ballast) {}
          return source.value + number
        })
    }
    cost.line("making", count)
    for value in values { _ = value.value }
    cost.line("reading each", count)
    for value in values { tokens.append(value.observe { _ in calls.add() }) }
    cost.line("observing each", count)
    source.set(1)
    cost.line("notifying each of one set", count)
    check(calls.value == count, "\(calls.value) of \(count) handlers were notified")
    for (number, value) in values.enumerated() where value.value != number + 1 {
      check(false, "value \(number) is \(value.value)")
    }
    cost.line("reading each again", count)
    tokens = []
    cost.line("cancelling each", count)
    values = []
    cost.line("releasing each", count)
    withExtendedLifetime(source) {}
  }

  /// Payloads of up to 1 MB through handlers, the queue of an actor and a bounded stream: none is copied, none is kept.
  private static func payloads(megabytes: Int) async {
    say("\(megabytes) MB in payloads of each size")
    for size in [1_000, 64_000, 1_000_000] {
      let count = megabytes * 1_000_000 / size
      let (event, received, ahead) = (Event<Ballast>("growth.payloads"), Counter(), Counter())
      let receiver = Receiver()
      let stream = event.stream(buffering: .newest(8))
      let tokens = [
        event.observe { if $0.isIntact { received.add() } },
        event.observe(with: receiver) { _, ballast in if ballast.isIntact { ahead.add() } },
      ]
      let time = now()
      var most = 0
      for number in 0..<count {
        event.emit(Ballast(.payload, bytes: size))
        if number % 16 == 0 {
          await event.drained()
          most = max(most, Ballast.alive)
        }
      }
      await event.drained()
      let elapsed = now() - time
      check(received.value == count && ahead.value == count, "\(received.value), \(ahead.value) of \(count) arrived")
      check(most <= 8 + 1, "\(most) payloads were alive where eight are kept")
      check(stream.droppedCount == count - 8, "\(stream.droppedCount) of \(count - 8) were dropped")
      say("  \(Memory.text(size)): \(elapsed / UInt64(count)) ns each, with making it")
      for token in tokens { token.cancel() }
      stream.subscription.cancel()
      check(Ballast.alive == 0, "\(Ballast.alive) payloads are left")
    }
  }

  private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    func add() { count.wrappingAdd(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
  }
}
