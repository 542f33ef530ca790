/// Random numbers that a seed repeats.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  /// A generator of its own for one part of a run.
  package init(_ seed: UInt64, _ part: Int, _ step: Int = 0) {
    var mixer = SplitMix64(seed &+ UInt64(part) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(step) &* 0xD1B5_4A32_D192_ED03)
    self.init(mixer.next())
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  package mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  package mutating func isOne(in count: Int) -> Bool { number(below: count) == 0 }
}
