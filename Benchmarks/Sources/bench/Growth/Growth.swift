import Harness

/// What becomes of the costs as things grow in number, in size and in age. A cost that does not grow stands level in its
/// chart.
enum Growth {
  static func rows(quick: Bool) -> [Row] {
    HandlersGrowth.rows(quick: quick) + NodesGrowth.rows(quick: quick) + EventsGrowth.rows(quick: quick)
      + PayloadGrowth.rows() + Churn.rows(quick: quick)
  }

  static func thresholds(quick: Bool) -> [Threshold] { Churn.thresholds(quick: quick) }

  /// What takes long to build is measured less often.
  static func rounds(_ size: Int) -> Int { size < 10_000 ? 7 : size < 1_000_000 ? 5 : 3 }
}
