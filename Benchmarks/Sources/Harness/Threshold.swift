/// What must hold: a figure, and the most it may be.
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
    /// So many bytes more than another figure.
    case grown(Double, Figure)
  }

  public let figure: Figure
  public let bound: Bound

  public static func ratio(_ figure: Figure, to other: Figure, atMost limit: Double) -> Threshold {
    Threshold(figure: figure, bound: .times(limit, other))
  }

  public static func bytes(_ figure: Figure, atMost limit: Double) -> Threshold {
    Threshold(figure: figure, bound: .bytes(limit))
  }

  public static func growth(from start: Figure, to end: Figure, atMost limit: Double) -> Threshold {
    Threshold(figure: end, bound: .grown(limit, start))
  }

  /// What must be measured to judge.
  public var figures: [Figure] {
    switch bound {
    case .times(_, let other), .grown(_, let other): [figure, other]
    case .bytes: [figure]
    }
  }
}
