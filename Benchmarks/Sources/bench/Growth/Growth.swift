import Harness

/// The costs as things grow in number, in size and in age. A cost that does not grow is level in its chart.
enum Growth {
  /// The churn first: what others have given back to the allocator would hide what it loses.
  static func rows(quick: Bool) -> [Row] {
    Churn.rows(quick: quick) + HandlersGrowth.rows(quick: quick) + NodesGrowth.rows(quick: quick)
      + EventsGrowth.rows(quick: quick) + PayloadGrowth.rows() + CollectionsGrowth.rows(quick: quick)
  }

  static func thresholds(quick: Bool) -> [Threshold] { Churn.thresholds(quick: quick) }

  /// Returns fewer rounds for fixtures that take long to build.
  static func rounds(_ size: Int) -> Int { size < 10_000 ? 7 : size < 1_000_000 ? 5 : 3 }
}
