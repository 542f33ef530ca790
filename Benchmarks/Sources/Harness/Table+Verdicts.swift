extension Table {
  private static let whatWidth = 68

  /// A line for each threshold: the verdict, the figure it is about, what was found and what was asked for, then both
  /// figures by themselves.
  public static func verdicts(_ verdicts: [Verdict]) -> String {
    let columns = [("found", 14), ("spread", 9), ("at most", 10), ("median", 13), ("spread", 9), ("against", 13)]
    let head = pad("", whatWidth + 6) + columns.map { padLeft($0.0, $0.1) }.joined() + padLeft("spread", 9) + "\n"
    return head + verdicts.map(line).joined(separator: "\n")
  }

  private static func line(_ verdict: Verdict) -> String {
    let figure = verdict.figure
    var line = sign(of: verdict.outcome) + "  " + pad("\(figure.row): \(figure.contender)", whatWidth)
    line += padLeft(verdict.found.map { amount($0, verdict.kind) } ?? "not measured", 14)
    line += padLeft(spread(verdict.spread), 9) + padLeft(amount(verdict.limit, verdict.kind), 10)
    line += side(figure)
    if let against = verdict.against {
      line += side(against) + "  " + against.contender
      if against.row != figure.row { line += ": \(against.row)" }
    }
    if let floor = verdict.floor, let times = verdict.timesFloor { line += "; \(ratio(times)) × \(floor.contender)" }
    if verdict.attempts > 1 { line += "; measured \(verdict.attempts) times" }
    return line
  }

  private static func side(_ figure: Verdict.Figure) -> String {
    padLeft(figure.median.map(number) ?? "", 13) + padLeft(spread(figure.spread), 9)
  }

  private static func amount(_ value: Double, _ kind: Verdict.Kind) -> String {
    switch kind {
    case .ratio: ratio(value)
    case .bytes: number(value) + " B"
    case .growth: (value < 0 ? "" : "+") + number(value) + " B"
    }
  }

  private static func sign(of outcome: Verdict.Outcome) -> String {
    switch outcome {
    case .pass: "pass"
    case .floor: "flr "
    case .fail: "FAIL"
    case .missing: "----"
    }
  }
}
