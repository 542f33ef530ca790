/// A threshold held against what was measured.
public struct Verdict: Codable, Sendable {
  public enum Outcome: String, Codable, Sendable { case pass, floor, fail, missing }
  public enum Kind: String, Codable, Sendable { case ratio, bytes, growth }

  /// One side of it.
  public struct Figure: Codable, Sendable {
    public let row: String
    public let contender: String
    public let median: Double?
    public let spread: Double?
  }

  public let kind: Kind
  public let figure: Figure
  /// The figure that it is compared with; nil if the limit is a number of bytes.
  public let against: Figure?
  public let found: Double?
  public let spread: Double?
  public let limit: Double
  public let outcome: Outcome
  /// The figure that no code can beat, if the threshold names one. `timesFloor` is the ratio to this figure.
  public let floor: Figure?
  public let timesFloor: Double?
  /// How often it was measured until this was found.
  public let attempts: Int

  public init(_ threshold: Threshold, in measured: [Measured], attempts: Int = 1) {
    self.attempts = attempts
    func values(_ figure: Threshold.Figure) -> [Double]? {
      measured.first { $0.row.name == figure.row }?.values(of: figure.contender)
    }
    func side(_ figure: Threshold.Figure) -> Figure {
      let summary = values(figure).map(Summary.init)
      return Figure(
        row: figure.row, contender: figure.contender, median: summary?.median, spread: summary?.knownSpread)
    }
    let seen = values(threshold.figure)
    floor = threshold.floor.map { side($0.figure) }
    figure = side(threshold.figure)
    let judged: [Double]?
    switch threshold.bound {
    case .bytes(let limit):
      (kind, self.limit, against) = (.bytes, limit, nil)
      judged = seen
    case .times(let limit, let other):
      (kind, self.limit, against) = (.ratio, limit, side(other))
      judged = seen.flatMap { mine in values(other).map { ratios(mine, to: $0) } }
    case .grown(let limit, let start):
      (kind, self.limit, against) = (.growth, limit, side(start))
      judged = seen.flatMap { mine in values(start).map { zip(mine, $0).map { $0 - $1 } } }
    }
    guard let judged, !judged.isEmpty else {
      (found, spread, outcome, timesFloor) = (nil, nil, .missing, nil)
      return
    }
    let summary = Summary(judged)
    found = summary.median
    spread = summary.knownSpread
    let below = threshold.floor.flatMap { floor in values(floor.figure).map { ratios(seen ?? [], to: $0) } }
    timesFloor = below.map { Summary($0).median }
    // Written so that a figure that is not a number fails.
    let isOnFloor = timesFloor.map { $0 <= threshold.floor?.times ?? 0 } ?? false
    outcome = summary.median <= limit ? .pass : isOnFloor ? .floor : .fail
  }
}
