import Harness

/// From one derived value to a hundred thousand, over one source and in one chain: what a set costs for each of them.
enum NodesGrowth {
  static func rows(quick: Bool) -> [Row] {
    let sizes = quick ? [1, 100, 1_000] : [1, 10, 100, 1_000, 10_000, 100_000]
    return sizes.map(wide) + sizes.map(deep)
  }

  private static func wide(_ count: Int) -> Row {
    let receives: (Int) -> Int = { count &* $0 &+ count &* (count &- 1) / 2 }
    return Row(
      RowName.wideEach(count), family: "set, per derived value, wide", size: count, axis: "values", floor: ByHand.name,
      [
        trial(ByHand.name, count, receives: { $0 &+ count &- 1 }, { ByHand.wide(count, $0) }),
        trial(ByHandWithHandlers.name, count, receives: receives) { ByHandWithHandlers.wide(count, $0) },
        trial(DerivedValue.name, count, receives: receives) { DerivedValue.wide(count, $0) },
        trial(OpenCombineOperators.name, count, receives: receives) { OpenCombineOperators.wide(count, $0) },
      ])
  }

  private static func deep(_ depth: Int) -> Row {
    let receives: (Int) -> Int = { $0 &+ depth }
    var trials = [
      trial(ByHand.name, depth, receives: receives) { ByHand.deep(depth, $0) },
      trial(DerivedValue.name, depth, receives: receives) { DerivedValue.deep(depth, $0) },
    ]
    // Deeper, it overflows the stack.
    if depth <= 100 {
      trials.append(
        trial(OpenCombineOperators.name, depth, receives: receives) { OpenCombineOperators.deep(depth, $0) })
    }
    return Row(
      RowName.deepEach(depth), family: "set, per derived value, deep", size: depth, axis: "values", floor: ByHand.name,
      trials)
  }

  private static func trial(
    _ name: String, _ size: Int, receives: @escaping (Int) -> Int, _ make: @escaping (Tally) -> Loop
  ) -> Trial {
    .loop(name, parts: size, maximumRounds: Growth.rounds(size), receives: receives, make)
  }
}
