import Harness

/// The cost of one cancel when many handlers are cancelled, in the order in which they were added and in random order.
enum Cancel {
  private static let sizes = [(10, "10"), (10_000, "10,000"), (1_000_000, "1,000,000")]

  static func rows(quick: Bool) -> [Row] {
    sizes.flatMap { size, label in
      [row(size, label, shuffled: false, quick), row(size, label, shuffled: true, quick)]
    }
  }

  private static func row(_ size: Int, _ label: String, shuffled: Bool, _ quick: Bool) -> Row {
    var trials = [
      trial(Serial.self, size, shuffled),
      trial(Immediate.self, size, shuffled),
      trial(Local.self, size, shuffled),
    ]
    // A million cancels of the peers take seconds.
    if size <= 10_000 || !quick {
      trials += [
        trial(OpenCombinePeer.self, size, shuffled, rounds: 2),
        trial(NotificationCenterPeer.self, size, shuffled, rounds: 2),
      ]
    }
    let order = shuffled ? "random order" : "in order"
    return Row(
      RowName.cancel(label, order), family: "cancel, \(order)", size: size, axis: "handlers", floor: Serial.name, trials
    )
  }

  private static func trial<C: Cancelling>(_: C.Type, _ size: Int, _ shuffled: Bool, rounds: Int = 5) -> Trial {
    if size > 10_000 { return .whole(C.name, maximumRounds: rounds) { cancelAll(of: C.self, size, 1, shuffled) } }
    // Many small contenders at a time, so that reading the clock weighs nothing.
    let copies = max(1, 1_000 / size)
    return .timed(C.name) {
      { count in
        var timing = Timing()
        while timing.operations < count { timing += cancelAll(of: C.self, size, copies, shuffled) }
        return timing
      }
    }
  }

  /// Only the cancelling is timed; handlers' contexts are freed by it, tokens afterwards.
  private static func cancelAll<C: Cancelling>(of: C.Type, _ size: Int, _ copies: Int, _ shuffled: Bool) -> Timing {
    let tally = Tally()
    let contenders = (0..<copies).map { _ in C() }
    var tokens = contenders.map { contender in (0..<size).map { _ in contender.subscribe(tally) } }
    if shuffled {
      var random = SplitMix()
      for copy in tokens.indices { tokens[copy].shuffle(using: &random) }
    }
    let watch = Stopwatch()
    for copy in contenders.indices {
      for token in tokens[copy] { contenders[copy].cancel(token) }
    }
    let time = watch.nanoseconds
    withExtendedLifetime(tokens) {}
    return Timing(nanoseconds: time, operations: copies * size)
  }
}

/// The same order in every run.
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
