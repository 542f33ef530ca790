import Foundation

/// The report for programs. Holds every sample, so that charts and comparisons need no second run.
public struct Report: Codable, Sendable {
  public struct Row: Codable, Sendable {
    public let name: String
    public let family: String
    public let size: Int?
    public let axis: String?
    public let unit: Harness.Row.Unit
    public let floor: String
    public let results: [Result]
  }

  public struct Result: Codable, Sendable {
    public let contender: String
    public let median: Double
    public let spread: Double
    public let low: Double
    public let high: Double
    /// To the row's floor, round by round; nil where the floor has no figure.
    public let ratio: Double?
    public let samples: [Double]
  }

  public struct Machine: Codable, Sendable {
    public let system: String
    public let processor: String?
    public let processors: Int
    /// The load of the system when the report was written.
    public let load: Double?

    init() {
      system = ProcessInfo.processInfo.operatingSystemVersionString
      processor = System.processor
      processors = ProcessInfo.processInfo.activeProcessorCount
      load = System.load
    }
  }

  public let date: String
  /// The version of the `swift` that this environment finds.
  public let swift: String?
  public let machine: Machine
  public let rows: [Row]
  public let checks: [Verdict]

  public init(_ measured: [Measured], checks: [Verdict]) {
    date = Date.now.formatted(.iso8601)
    swift = Toolchain.version
    machine = Machine()
    self.checks = checks
    rows = measured.map { measured in
      let row = measured.row
      let floor = measured.values(of: row.floor)
      return Row(
        name: row.name, family: row.family, size: row.size, axis: row.axis, unit: row.unit, floor: row.floor,
        results: measured.samples.map { contender, values in
          let summary = Summary(values)
          return Result(
            contender: contender, median: summary.median, spread: summary.spread, low: summary.low, high: summary.high,
            ratio: floor.map { Summary(ratios(values, to: $0)).median }, samples: values)
        })
    }
  }

  public init(json: Data) throws {
    self = try JSONDecoder().decode(Report.self, from: json)
  }

  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(self)
  }
}
