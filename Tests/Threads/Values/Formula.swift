import TidingsTesting

/// How a value of a random graph is computed from others: the same for the library and for the oracle.
///
/// The values that are read, and their order, depend on the values read before. Numbers stay below seven, so that many changes
/// change nothing.
enum Formula: CaseIterable {
  case sum, branch, index, firstPositive, isSome, remainder, twice, detour
  /// The first, if it is positive, lets the second be read; or not.
  case guarded
  /// Must not be computed unless the first is positive.
  case behindGuard

  /// How many values it reads at the most.
  func inputCount(_ random: inout SplitMix64) -> Int {
    switch self {
    case .sum, .firstPositive: 1 + random.number(below: 5)
    case .branch, .index: 3 + random.number(below: 4)
    case .isSome, .remainder, .behindGuard: 1
    case .twice, .guarded: 2
    case .detour: 4
    }
  }

  func value(of count: Int, _ read: (Int) -> Int) -> Int {
    switch self {
    case .sum: return (0..<count).reduce(0) { $0 + read($1) } % 7
    case .branch:
      let isEven = read(0) % 2 == 0
      let half = 1 + (count - 1) / 2
      return (isEven ? 1..<half : half..<count).reduce(0) { $0 + read($1) } % 7
    case .index: return read(1 + read(0) % (count - 1))
    case .firstPositive:
      for input in 0..<count {
        let value = read(input)
        if value > 0 { return value }
      }
      return 0
    case .isSome: return read(0) > 0 ? 1 : 0
    case .remainder: return read(0) % 3
    case .twice: return (read(0) + read(1) + read(0)) % 7
    case .detour:
      if read(0) > 2 { return read(1) }
      return read(2) > 2 ? (read(3) + read(1)) % 7 : read(2)
    case .guarded: return read(0) > 0 ? read(1) : 0
    case .behindGuard: return read(0)
    }
  }
}
