#if SQLite && NATS && os(Linux)
/// The kills and changes of a run and their times: the same for the same seed.
struct Plan {
  enum What {
    /// A slot, and the pause before its next process.
    case kill(Int, Moment)
    case end(Int)
    case empty(Int)
    case copy
    case restore(Int)
    /// The seconds by which the clock is moved.
    case clock(Int64)
  }
  struct Act {
    let time: Moment
    let what: What
  }
  let acts: [Act]

  /// - Parameter slots: How many processes there are to kill; the broker counts twice.
  init(seconds: Double, slots: Int, seed: UInt64) {
    var random = Random(seed)
    var acts: [Act] = []
    var time = 2.0
    while time < seconds {
      let slot = Int.random(in: 0..<slots, using: &random)
      let pause = Moment.seconds(.random(in: 0...0.8, using: &random))
      let ends = Int.random(in: 0..<5, using: &random) == 0
      acts.append(Act(time: .seconds(time), what: ends ? .end(slot) : .kill(slot, pause)))
      time += .random(in: 0.5...4.5, using: &random)
    }
    // Twice each, and again every five minutes.
    let rounds = max(1, Int(seconds / 300))
    let length = seconds / Double(rounds)
    for round in 0..<rounds {
      for (place, what) in [
        What.empty(0), .clock(86_400), .copy, .restore(0), .empty(1), .clock(-3_600), .copy, .restore(1),
      ].enumerated() {
        let share = (Double(place) + .random(in: 0.6...1.4, using: &random)) / 9
        acts.append(Act(time: .seconds((Double(round) + share) * length), what: what))
      }
    }
    self.acts = acts.sorted { $0.time < $1.time }
  }
}

/// SplitMix64: the same decisions for the same seed.
struct Random: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
#endif
