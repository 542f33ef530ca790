import Foundation

/// Random numbers that a seed repeats.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// A generator of its own for one part of a run.
  init(_ seed: UInt64, _ part: Int, _ step: Int = 0) {
    var mixer = SplitMix64(seed &+ UInt64(part) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(step) &* 0xD1B5_4A32_D192_ED03)
    self.init(mixer.next())
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  mutating func isOne(in count: Int) -> Bool { number(below: count) == 0 }
}

/// Which runs are made: the environment may ask for one again, or for more.
enum Runs {
  /// The seeds of a test's rounds. The first is printed, and `TIDINGS_SEED` makes it the first again.
  static func seeds(_ rounds: Int, of test: String) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["TIDINGS_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let rounds = environment["TIDINGS_ROUNDS"].flatMap(Int.init) ?? rounds
    print("\(test): \(rounds) rounds from TIDINGS_SEED=\(first)")
    return (0..<UInt64(rounds)).map { first &+ $0 }
  }
}
