/// Runs rows. Every round takes one sample of every contender of every row of a family, A B C A B C …. A machine that becomes
/// slower or faster meanwhile does so for all of them.
public struct Runner {
  public var rounds: Int
  /// How long one sample should take. Long against the clock's grain, short against the scheduler's.
  public var sampleNanoseconds: Double
  /// Exactly the given number of operations a sample, without warm-up: for counting instructions, not for measuring time.
  public var count: Int?
  public var progress: (String) -> Void

  public init(rounds: Int, sampleNanoseconds: Double, count: Int? = nil, progress: @escaping (String) -> Void) {
    self.rounds = rounds
    self.sampleNanoseconds = sampleNanoseconds
    self.count = count
    self.progress = progress
  }

  public func run(_ rows: [Row]) -> [Measured] { Self.families(of: rows).flatMap(runFamily) }

  /// Groups the rows that are sampled together.
  public static func families(of rows: [Row]) -> [[Row]] {
    var families: [String] = []
    for row in rows where !families.contains(row.family) { families.append(row.family) }
    return families.map { family in rows.filter { $0.family == family } }
  }

  private func runFamily(_ rows: [Row]) -> [Measured] {
    var samples = rows.map { $0.trials.map { _ in [Double]() } }
    var counts = rows.map { $0.trials.map { _ in 0 } }
    for round in 0..<rounds {
      for (r, row) in rows.enumerated() {
        for (t, trial) in row.trials.enumerated() where round < trial.maximumRounds {
          progress("round \(round + 1) of \(rounds): \(row.name), \(trial.contender)")
          if let sample = sample(trial, &counts[r][t]) { samples[r][t].append(sample) }
        }
      }
    }
    return zip(rows, samples).map { row, samples in
      Measured(row: row, samples: zip(row.trials.map(\.contender), samples).filter { !$0.1.isEmpty })
    }
  }

  private func sample(_ trial: Trial, _ count: inout Int) -> Double? {
    switch trial.work {
    case .counted(let figure):
      return figure()
    case .whole(let work):
      return work().perOperation
    case .timed(let make) where self.count != nil:
      return make()(self.count!).perOperation
    case .timed(let make):
      if count == 0 { count = calibrate(make()) }
      let work = make()
      _ = work(max(1, count / 8))  // warm-up
      return work(count).perOperation
    }
  }

  /// How often the work fits into a sample. A time that is long enough is measured again: where a single one counted, a thread that
  /// was suspended for some milliseconds made each later sample a few microseconds long.
  private func calibrate(_ work: (Int) -> Timing) -> Int {
    var count = 1
    while true {
      var time = work(count).nanoseconds
      if time >= sampleNanoseconds / 4 { time = min(time, work(count).nanoseconds, work(count).nanoseconds) }
      if time >= sampleNanoseconds { return count }
      if time >= sampleNanoseconds / 4 { return Int(Double(count) * (sampleNanoseconds / time)) }
      count *= 2
    }
  }
}
