import Testing
import Tidings
import TidingsTesting
import TidingsTime

@Suite("Operators with a clock")
struct TimeOperatorTests {
  static let diagrams: [(TimeModel.Operator, String, String)] = [
    (.debounced, "a-b-c-----d-|", "c@5 d@8 |@8"),
    (.debounced, "a---b---|", "a@3 b@6 |@6"),
    (.debounced, "a-P-R---b---", "b@8"),
    (.debounced, "a-X-----", ""),
    (.throttled, "a-b-c----d--|", "a@0 c@3 d@6 |@8"),
    (.throttled, "a-b-|", "a@0 b@2 |@2"),
    (.throttledFirst, "a-b--c---d-|", "a@0 c@3 d@6 |@7"),
    (.delayed, "a-b---c|----", "a@3 b@4 c@7 |@7"),
    (.delayed, "a-b-P-R-----", ""),
    (.sampled, "a-b----c----|", "b@3 c@6 |@9"),
    (.sampled, "-a--b-|", "a@3 b@4 |@4"),
    (.timeout, "a-b-----c", "a@0 b@1 |@4"),
    (.timeout, "----a", "|@3"),
  ]

  @Test("The diagrams of the documentation", arguments: diagrams)
  func diagram(_ kind: TimeModel.Operator, _ script: String, _ expected: String) async {
    var model = TimeModel(kind, 3)
    for act in script { model.perform(act) }
    #expect(model.output.joined(separator: " ") == expected)
    await run(kind, 3, script)
  }

  @Test(
    """
    46. An operator with a clock delivers each value at its time and in the order of its source; the last value before the end of \
    the source is not dropped. A value that waits for its time is dropped by `cancel()`, `cancelAll()` and `pause()`, and \
    `drained()` and `emitAndWait` wait for it.
    """, arguments: TimeModel.Operator.allCases)
  func courses(_ kind: TimeModel.Operator) async {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed)
    for _ in 0..<60 {
      let interval = Int.random(in: 1...4, using: &random)
      var script = ""
      for _ in 0..<40 {
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<8: script.append(Character(UnicodeScalar(UInt8.random(in: 97...122, using: &random))))
        case 8..<21: script += "-"
        case 21: script += "P-R"
        case 22: script += "PR"
        default: script += Int.random(in: 0..<3, using: &random) == 0 ? "|" : "-"
        }
      }
      script += Bool.random(using: &random) ? "|-----" : "X-----"
      if await !run(kind, interval, script) {
        Issue.record("seed \(seed)")
        return
      }
    }
  }

  /// Runs the operator and the model step by step, each `-` being one second.
  @discardableResult
  private func run(_ kind: TimeModel.Operator, _ interval: Int, _ script: String) async -> Bool {
    let (source, clock, seen) = (Event<Character>(), ManualClock(), Locked<[String]>([]))
    var model = TimeModel(kind, interval)
    let token = kind.made(of: source, .seconds(interval), clock).observe { value in
      let time = clock.now.offset.components.seconds
      seen.withLock { $0.append("\(value)@\(time)") }
    }
    var hasEnded = false
    for act in script {
      model.perform(act)
      switch act {
      case "-": clock.advance(by: .seconds(1))
      case "|": source.finish()
      case "P": token.pause()
      case "R": token.resume()
      case "X": token.cancel()
      default: source.emit(act)
      }
      let isRight = await eventually {
        if !hasEnded, !token.isActive, model.output.last?.first == "|" {
          hasEnded = true
          let time = clock.now.offset.components.seconds
          seen.withLock { $0.append("|@\(time)") }
        }
        // The clock moves on only when the operator's task sleeps: until then it has not looked at the value.
        return seen.current.count >= model.output.count && (!model.isWaiting || clock.sleeperCount > 0)
      }
      if !isRight || seen.current != model.output || token.isActive == model.hasEnded {
        Issue.record("\(kind) \(interval) \(script): \(seen.current), expected \(model.output)")
        return false
      }
    }
    return true
  }
}

extension TimeModel.Operator {
  func made<Payload: Sendable>(
    of source: some EventSource<Payload>, _ interval: Duration, _ clock: some Clock<Duration>
  ) -> AnyEventSource<Payload> {
    switch self {
    case .debounced: source.debounced(for: interval, clock: clock)
    case .throttled: source.throttled(for: interval, clock: clock)
    case .throttledFirst: source.throttled(for: interval, latest: false, clock: clock)
    case .delayed: source.delayed(for: interval, clock: clock)
    case .sampled: source.sampled(every: interval, clock: clock)
    case .timeout: source.timeout(after: interval, clock: clock)
    }
  }
}

/// Makes the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
