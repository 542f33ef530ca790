import Harness

/// The cost of keeping computed values up to date: the time of one set, with everything that it causes.
///
/// The sums that handlers compute of the received values are compared with the expected sums. So no notification is left out,
/// delivered twice or delivered for half a change.
enum DerivedRows {
  private static let depths = [(10, "10"), (100, "100"), (1000, "1000"), (10_000, "10,000"), (100_000, "100,000")]

  static func rows() -> [Row] {
    [diamond(), wide(1000)] + depths.map(deep) + [cellx(5), cellx(1000), dynamic(), read()]
  }

  /// 1 → 2 → 1, one handler.
  private static func diamond() -> Row {
    let receives: (Int) -> Int = { 3 &* $0 &+ 1 }
    return Row(
      RowName.diamond, family: "diamond", floor: ByHand.name,
      [
        .loop(ByHand.name, receives: receives) { ByHand.diamond($0) },
        .loop(DerivedValue.name, receives: receives) { DerivedValue.diamond($0) },
        .loop(OpenCombineOperators.name, receives: receives) { OpenCombineOperators.diamond($0) },
      ])
  }

  private static func wide(_ count: Int) -> Row {
    let receives: (Int) -> Int = { count &* $0 &+ count &* (count &- 1) / 2 }
    return Row(
      RowName.wide(count), family: "wide", size: count, floor: ByHand.name,
      [
        .loop(ByHand.name, receives: { $0 &+ count &- 1 }, { ByHand.wide(count, $0) }),
        .loop(ByHandWithHandlers.name, receives: receives) { ByHandWithHandlers.wide(count, $0) },
        .loop(DerivedValue.name, receives: receives) { DerivedValue.wide(count, $0) },
        .loop(OpenCombineOperators.name, receives: receives) { OpenCombineOperators.wide(count, $0) },
      ])
  }

  private static func deep(_ depth: Int, _ label: String) -> Row {
    let receives: (Int) -> Int = { $0 &+ depth }
    var trials: [Trial] = [
      .loop(ByHand.name, receives: receives) { ByHand.deep(depth, $0) },
      .loop(DerivedValue.name, receives: receives) { DerivedValue.deep(depth, $0) },
    ]
    // Each of its links takes 14 kilobytes of stack to subscribe.
    if depth <= 100 {
      trials.append(.loop(OpenCombineOperators.name, receives: receives) { OpenCombineOperators.deep(depth, $0) })
    }
    return Row(RowName.deep(label), family: "deep", size: depth, axis: "values", floor: ByHand.name, trials)
  }

  private static func cellx(_ layers: Int) -> Row {
    let (all, last) = cellxSums(layers)
    let receives: (Int) -> Int = { all &* $0 }
    return Row(
      RowName.cellx(layers), family: "cellx", size: layers, floor: ByHand.name,
      [
        .loop(ByHand.name, receives: { last &* $0 }, { ByHand.cellx(layers, $0) }),
        .loop(ByHandWithHandlers.name, receives: receives) { ByHandWithHandlers.cellx(layers, $0) },
        .loop(DerivedValue.name, receives: receives) { DerivedValue.cellx(layers, $0) },
        .loop(OpenCombineOperators.name, receives: receives) { OpenCombineOperators.cellx(layers, $0) },
      ])
  }

  /// The sum of all values, and the last, where the sources are 1, 2, 3 and 4. Times the payload for others; and none is 0
  /// in any layer, so all of them change every time.
  private static func cellxSums(_ layers: Int) -> (all: Int, last: Int) {
    var (a, b, c, d) = (1, 2, 3, 4)
    var all = 0
    for _ in 0..<layers {
      (a, b, c, d) = (b, a - c, b + d, c)
      precondition(a != 0 && b != 0 && c != 0 && d != 0)
      all += a + b + c + d
    }
    return (all, d)
  }

  private static func dynamic() -> Row {
    let receives: (Int) -> Int = { payload in payload &+ (payload & 1 == 0 ? 45 : 135) }
    return Row(
      RowName.dynamic, family: "dynamic", floor: ByHand.name,
      [
        .loop(ByHand.name, receives: receives) { ByHand.dynamic($0) },
        .loop(DerivedValue.name, receives: receives) { DerivedValue.dynamic($0) },
      ])
  }

  private static func read() -> Row {
    Row(
      RowName.readDerived, family: "read derived", floor: ByHand.name,
      [
        .loop(ByHand.name, receives: { _ in 7 }, { ByHand.read($0) }),
        .loop(DerivedValue.name, receives: { _ in 7 }, { DerivedValue.read($0) }),
        .loop(OpenCombineOperators.name, receives: { _ in 7 }, { OpenCombineOperators.read($0) }),
      ])
  }
}
