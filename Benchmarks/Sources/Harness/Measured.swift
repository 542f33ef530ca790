/// The samples of one row.
public struct Measured {
  public let row: Row
  /// By contender, one sample a round, in the order of the rounds.
  public let samples: [(contender: String, values: [Double])]

  public func values(of contender: String) -> [Double]? {
    samples.first { $0.contender == contender }?.values
  }
  public func has(_ figure: Threshold.Figure) -> Bool { row.name == figure.row && values(of: figure.contender) != nil }
}

/// Samples in short. Medians and quartiles, because a sample that the scheduler interrupted is an outlier, not noise.
public struct Summary: Sendable {
  public let median: Double
  public let low: Double
  public let high: Double
  /// Half the distance between the quartiles, as a share of the median: the middle half of all samples is about this
  /// far around it.
  public let spread: Double
  public let count: Int
  /// Nil for a single sample, which has none.
  public var knownSpread: Double? { count > 1 ? spread : nil }

  public init(_ values: [Double]) {
    let sorted = values.sorted()
    count = sorted.count
    low = sorted.first ?? .nan
    high = sorted.last ?? .nan
    median = Self.quantile(0.5, of: sorted)
    let middle = Self.quantile(0.75, of: sorted) - Self.quantile(0.25, of: sorted)
    spread = median == 0 ? 0 : middle / 2 / median
  }

  private static func quantile(_ share: Double, of sorted: [Double]) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let place = share * Double(last)
    let below = Int(place)
    let above = min(last, below + 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}

/// Sample by sample, what one contender cost in terms of another. Taken round by round and summarised afterwards:
/// the two samples of a round are taken one right after the other, so most of what disturbs the machine cancels out.
public func ratios(_ values: [Double], to others: [Double]) -> [Double] {
  zip(values, others).map { $0 / $1 }
}
