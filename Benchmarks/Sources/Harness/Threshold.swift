/// A figure, and the limit that it must meet.
public struct Threshold: Sendable {
  public struct Figure: Hashable, Sendable {
    public let row: String
    public let contender: String

    public init(_ contender: String, _ row: String) {
      self.row = row
      self.contender = contender
    }
  }

  public enum Bound: Sendable {
    case times(Double, Figure)
    case bytes(Double)
    /// The given number of bytes more than another figure.
    case grown(Double, Figure)
  }

  public let figure: Figure
  public let bound: Bound
  /// A figure that no code can beat on any machine, and the multiple of it that also meets the threshold.
  public private(set) var floor: (times: Double, figure: Figure)?

  public static func ratio(_ figure: Figure, to other: Figure, atMost limit: Double) -> Threshold {
    Threshold(figure: figure, bound: .times(limit, other))
  }

  /// The same, met also by a contender on the floor: a bound is a ratio between two prices, of which one machine asks more
  /// for this and another for that.
  public func or(within times: Double, of floor: Figure) -> Threshold {
    var threshold = self
    threshold.floor = (times, floor)
    return threshold
  }

  public static func bytes(_ figure: Figure, atMost limit: Double) -> Threshold {
    Threshold(figure: figure, bound: .bytes(limit))
  }

  public static func growth(from start: Figure, to end: Figure, atMost limit: Double) -> Threshold {
    Threshold(figure: end, bound: .grown(limit, start))
  }

  /// The figures that must be measured to judge the threshold.
  public var figures: [Figure] {
    let others: [Figure] =
      switch bound {
      case .times(_, let other), .grown(_, let other): [other]
      case .bytes: []
      }
    return [figure] + others + (floor.map { [$0.figure] } ?? [])
  }
}
