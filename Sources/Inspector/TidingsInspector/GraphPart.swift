#if Inspector
import TidingsRegistry

/// The part of the graph of values that is drawn: all that is connected, or what is around one value if that is too much.
struct GraphPart: Sendable {
  private(set) var rows: [Sample.Row] = []
  private(set) var edges: [(from: UInt, to: UInt)] = []
  /// The values that the last propagation reached.
  private(set) var lit: Set<UInt> = []
  private(set) var hidden = 0

  private static let limit = 80

  init(of sample: Sample, around selected: UInt?, _ log: ActivityLog) {
    var readers: [UInt: [UInt]] = [:]
    for row in sample.rows {
      for dependency in row.object.dependencies { readers[dependency, default: []].append(row.object.number) }
    }
    let connected = sample.rows.filter { !$0.object.dependencies.isEmpty || readers[$0.object.number] != nil }
    let numbers: Set<UInt>
    if connected.count <= Self.limit {
      numbers = Set(connected.map(\.object.number))
    } else {
      let start = selected.flatMap { sample.row($0) } ?? Self.busiest(connected)
      numbers = Self.neighbourhood(of: start, sample, readers)
    }
    rows = connected.filter { numbers.contains($0.object.number) }
    hidden = connected.count - rows.count
    for row in rows {
      for dependency in row.object.dependencies where numbers.contains(dependency) {
        edges.append((dependency, row.object.number))
      }
    }
    lit = lastPropagation(in: sample, log)
  }

  /// Returns the connected values that were computed last, back to the second computation of one of them. Adds the observed values
  /// that they read and that were written last.
  private func lastPropagation(in sample: Sample, _ log: ActivityLog) -> Set<UInt> {
    var found: Set<UInt> = []
    for entry in log.latest(256) {
      guard case .computation(let number, _) = entry.activity else { continue }
      if found.contains(number) { break }
      let reads = sample.row(number)?.object.dependencies ?? []
      let isConnected = edges.contains {
        found.contains($0.to) && $0.from == number || found.contains($0.from) && $0.to == number
      }
      let hasSource = reads.contains { read in
        found.contains { sample.row($0)?.object.dependencies.contains(read) ?? false }
      }
      if found.isEmpty || isConnected || hasSource { found.insert(number) }
    }
    let sources = rows.filter { row in
      row.object.kind == .observed && edges.contains { $0.from == row.object.number && found.contains($0.to) }
    }
    let latest = sources.map(\.object.validFrom).max()
    return found.union(sources.filter { $0.object.validFrom == latest }.map(\.object.number))
  }

  private static func busiest(_ rows: [Sample.Row]) -> Sample.Row? {
    rows.max { ($0.rate, $1.object.number) < ($1.rate, $0.object.number) }
  }
  /// Returns the values that `start` reads and those that read it, nearest first, up to the limit.
  private static func neighbourhood(
    of start: Sample.Row?, _ sample: Sample, _ readers: [UInt: [UInt]]
  ) -> Set<UInt> {
    guard let start else { return [] }
    var found: Set<UInt> = [start.object.number]
    var queue = [start.object.number]
    var index = 0
    while index < queue.count, found.count < limit {
      let number = queue[index]
      index += 1
      for next in (sample.row(number)?.object.dependencies ?? []) + (readers[number] ?? [])
      where found.count < limit && found.insert(next).inserted {
        queue.append(next)
      }
    }
    return found
  }
}
#endif
