/// What must hold: a figure, and the most it may be.
public struct Threshold: Sendable {
  public struct Figure: Sendable {
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
  }

  public let figure: Figure
  public let bound: Bound

  public static func ratio(_ figure: Figure, to other: Figure, atMost limit: Double) -> Threshold {
    Threshold(figure: figure, bound: .times(limit, other))
  }

  public static func bytes(_ figure: Figure, atMost limit: Double) -> Threshold {
    Threshold(figure: figure, bound: .bytes(limit))
  }
}

/// A threshold held against what was measured.
public struct Verdict: Codable, Sendable {
  public enum Outcome: String, Codable, Sendable { case pass, fail, missing }

  public let what: String
  public let against: String
  public let limit: Double
  public let found: Double?
  public let spread: Double?
  public let outcome: Outcome

  public init(_ threshold: Threshold, in measured: [Measured]) {
    func values(_ figure: Threshold.Figure) -> [Double]? {
      measured.first { $0.row.name == figure.row }?.values(of: figure.contender)
    }
    let figure = threshold.figure
    what = "\(figure.contender): \(figure.row)"
    let seen: [Double]?
    switch threshold.bound {
    case .bytes(let limit):
      self.limit = limit
      against = "bytes"
      seen = values(figure)
    case .times(let limit, let other):
      self.limit = limit
      against = other.row == figure.row ? other.contender : "\(other.contender): \(other.row)"
      seen = values(figure).flatMap { mine in values(other).map { ratios(mine, to: $0) } }
    }
    guard let seen, !seen.isEmpty else {
      found = nil
      spread = nil
      outcome = .missing
      return
    }
    let summary = Summary(seen)
    found = summary.median
    spread = seen.count > 1 ? summary.spread : nil
    // Written so that a figure that is not a number fails.
    outcome = summary.median <= limit ? .pass : .fail
  }
}
