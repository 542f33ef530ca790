import Testing
import Tidings
import TidingsState
import TidingsTesting

@Suite("The end of a propagation, in random programs")
struct RandomisedPropagationTests {
  /// `TIDINGS_ROUNDS` or `TIDINGS_MINUTES` makes more.
  @Test("An act of a thread makes at most one step, and when it has returned, no propagation is under way there")
  func ends() async {
    await Runs.forEachSeed(300, of: "propagations") { seed in
      let program = PropagationProgram(seed)
      for step in 0..<40 {
        let steps = program.steps
        program.act(depth: 0)
        if Propagation.isUnderWay || program.isOnePropagation && program.steps > steps + 1 {
          Issue.record(
            """
            \(steps) steps, then \(program.steps) after act \(step), \(program.trace.joined(separator: " ")): \
            TIDINGS_SEED=\(seed)
            """)
          return false
        }
      }
      return true
    }
  }
}

/// Values, events and handlers of one thread, whose handlers act as the thread does.
private final class PropagationProgram: Sendable {
  private actor Home {}
  /// Acts when its last reference is dropped.
  private final class Ending: Sendable {
    let act: @Sendable () -> Void
    init(_ act: @escaping @Sendable () -> Void) { self.act = act }
    deinit { act() }
  }
  private struct Stop: Error {}

  private let random: Locked<SplitMix64>
  /// How many acts handlers may still begin.
  private let left = Locked(0)
  private let log = Locked<[String]>([])
  private let values = [
    Observed(0), Observed(0, changes: .distinct), Observed(0, maximumDepth: 3), Observed(0),
  ]
  private let endings = Observed<Ending?>(nil)
  private let sums: [Derived<Int>]
  private let events = [Event<Int>(), Event<Int>(policy: .immediate), Event<Int>(maximumDepth: 3)]
  /// Its values wait in the queue of an actor, of an asynchronous handler, of a stream.
  private let queued = Event<Int>()
  private let fixed: [Subscription]
  private let tokens = Locked<[Subscription]>([])
  private let history: History

  init(_ seed: UInt64) {
    random = Locked(SplitMix64(seed))
    sums = [Derived { [values] in values[0].value + values[1].value }, Derived { [values] in values[2].value / 2 }]
    history = History(of: values[3], values[1])
    let home = Home()
    fixed = [
      queued.observe(with: home) { _, _ in }, queued.observe { _ async in }, queued.stream().subscription,
      queued.observe(on: .manual(ManualQueue())) { _ in },
    ]
  }
  /// The acts since the outermost one began.
  var trace: [String] { log.current }

  /// Whether they are a write or a transaction with what it causes. An undo moves steps, and what the end of an object writes is a
  /// step of its own.
  var isOnePropagation: Bool {
    let acts = log.current
    return ["0", "1", "2", "7"].contains(acts[0]) && !acts.contains { $0.hasSuffix("17") || $0.hasSuffix("15") }
  }
  /// How many steps can be undone.
  var steps: Int { Mirror(reflecting: history).children.first { $0.label == "undo" }?.value as? Int ?? 0 }

  private func number(below limit: Int) -> Int { random.withLock { $0.number(below: limit) } }
  /// The body of each handler.
  private func react() {
    let mayAct = left.withLock { left in
      left -= 1
      return left >= 0
    }
    if mayAct { act(depth: 1) }
  }
  private func keep(_ subscription: Subscription) {
    let dropped = tokens.withLock { tokens in
      tokens.append(subscription)
      return tokens.count > 6 ? tokens.removeFirst() : nil
    }
    withExtendedLifetime(dropped) {}
  }

  func act(depth: Int) {
    if depth == 0 {
      left.current = 12
      log.current = []
    }
    let (kind, value, event) = (number(below: 18), values[number(below: 4)], events[number(below: 3)])
    log.withLock { $0.append(String(repeating: ">", count: depth) + "\(kind)") }
    switch kind {
    case 0, 1: value.set(number(below: 4))
    case 2: value.update { $0 += 1 }
    case 3, 4: event.emit(number(below: 4))
    case 5, 6: queued.emit(1)
    case 7: transaction { for _ in 0...number(below: 3) { act(depth: depth + 1) } }
    case 8:
      try? transaction {
        act(depth: depth + 1)
        throw Stop()
      }
    case 9: keep(value.observe { [weak self] _ in self?.react() })
    case 10: keep(event.observe { [weak self] _ in self?.react() })
    case 11: keep(sums[number(below: 2)].observe { [weak self] _ in self?.react() })
    case 12: keep(value.willChange.observe { [weak self] _ in self?.react() })
    case 13: keep(value.observe(.initial) { [weak self] _ in self?.react() })
    case 14:
      keep(
        effect { [weak self] in
          _ = value.value
          untracked { self?.react() }
        })
    case 15: endings.set(Ending { [weak self] in self?.react() })
    case 16: if depth == 0 { history.group { act(depth: 1) } } else { _ = sums[0].value }
    default: if number(below: 2) == 0 { history.undo() } else { history.redo() }
    }
  }
}
