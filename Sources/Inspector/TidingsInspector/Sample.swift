#if Inspector
import TidingsRegistry

/// All objects at one moment, with what has happened since earlier samples.
struct Sample: Sendable {
  struct Row: Sendable {
    let object: ObjectSnapshot
    /// Deliveries a second, over the last two seconds.
    var rate = 0.0
    /// Deliveries between one sample and the next, oldest first.
    var history: [UInt32] = []

    /// The mean time of a call of its handlers, or of a computation of a derived value.
    var mean: Double {
      let calls = object.handlers.reduce(object.computations) { $0 + $1.calls }
      let total = object.handlers.reduce(object.computingNanoseconds) { $0 + $1.nanoseconds }
      return calls == 0 ? 0 : Double(total) / Double(calls)
    }
    var slowest: Int64 { object.handlers.reduce(object.slowestComputation) { max($0, $1.slowest) } }
  }

  let number: Int
  let time: ContinuousClock.Instant
  let rows: [Row]
  let indices: [UInt: Int]
  let warnings: [Warning]

  static let empty = Sample(number: 0, time: .now, rows: [], warnings: [])

  init(number: Int, time: ContinuousClock.Instant, rows: [Row], warnings: [Warning]) {
    self.number = number
    self.time = time
    self.rows = rows
    self.warnings = warnings
    indices = Dictionary(uniqueKeysWithValues: rows.indices.map { (rows[$0].object.number, $0) })
  }
  func row(_ number: UInt) -> Row? { indices[number].map { rows[$0] } }
}
#endif
