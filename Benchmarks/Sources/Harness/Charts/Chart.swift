/// A chart of a family of rows: each contender's cost against the size. Both axes are logarithmic, so that equal steps are equal
/// factors. A straight line at forty-five degrees is a cost in proportion.
public struct Chart {
  public struct Series {
    public let name: String
    public let isFloor: Bool
    public let points: [(size: Double, cost: Double)]
  }

  /// For a file.
  public let name: String
  public let title: String
  public let axis: String
  public let unit: String
  public let series: [Series]

  /// One for each family whose rows differ in a size that an axis can show.
  public static func all(of report: Report) -> [Chart] {
    var families: [String] = []
    for row in report.rows where row.axis != nil && !families.contains(row.family) { families.append(row.family) }
    return families.compactMap { family in Chart(family, report.rows.filter { $0.family == family }) }
  }

  private init?(_ family: String, _ rows: [Report.Row]) {
    guard let first = rows.first, let axis = first.axis, Set(rows.compactMap(\.size)).count > 1 else { return nil }
    var contenders: [String] = []
    for row in rows {
      for result in row.results where !contenders.contains(result.contender) { contenders.append(result.contender) }
    }
    name = family.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-").lowercased()
    title = family
    self.axis = axis
    unit = first.unit.rawValue
    // A single point is no line.
    series = contenders.map { contender in
      Series(
        name: contender, isFloor: contender == first.floor,
        points: rows.compactMap { row in
          guard let size = row.size, let result = row.results.first(where: { $0.contender == contender }) else {
            return nil
          }
          return (Double(size), result.median)
        })
    }.filter { $0.points.count > 1 }
    if series.isEmpty { return nil }
  }
}
