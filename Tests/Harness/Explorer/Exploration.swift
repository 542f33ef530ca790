#if TIDINGS_EXPLORED
@testable import Tidings
@testable import TidingsTesting

/// Runs a scenario through its interleavings, as CHESS does (Musuvathi and Qadeer, PLDI 2007). It explores all interleavings with
/// up to a number of preemptions while there are not too many. Then it makes a random choice of those with more.
struct Exploration {
  let interleaver: Interleaver
  /// How many preemptions all interleavings are tried with.
  let bound: Int
  /// How many interleavings one scenario may take.
  let limit: Int
  let seed: UInt64

  struct Result {
    var count = 0
    /// Up to the given number of preemptions there is no other interleaving.
    var exhausted = 0
    var mostPoints = 0
    var violation: (text: String, first: Int, schedule: [Choice])?
  }

  /// - Parameter deadline: The time after which no further interleaving is begun, regardless of the limit.
  func explore(_ scenario: Scenario, until deadline: ContinuousClock.Instant? = nil) -> Result {
    func isOver() -> Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }
    var result = Result()
    let threads = scenario.round().threads.count
    // The first runs make what threads keep for good.
    for first in 0..<threads { _ = run(scenario, first, []) }
    var level: [(first: Int, schedule: [Choice])] = (0..<threads).map { ($0, []) }
    for preemptions in 0...bound {
      var next: [(first: Int, schedule: [Choice])] = []
      while let (first, schedule) = level.popLast() {
        if isOver() { return result }
        if result.count >= limit { return random(scenario, threads, &result, until: isOver) }
        let outcome = run(scenario, first, schedule)
        note(outcome, first, schedule, &result)
        if result.violation != nil { return result }
        let from = schedule.last.map { $0.point + 1 } ?? 0
        for point in from..<max(outcome.points.count, from) {
          let (others, isForced, delays) = outcome.points[point]
          if others == 0 || (preemptions == bound && !isForced) { continue }
          for thread in 0..<8 where others & 1 << thread != 0 {
            for delay in 0...delays {
              let longer = (first, schedule + [Choice(point: point, thread: thread, delay: delay)])
              // A switch where the running thread cannot continue is no preemption.
              if isForced { level.append(longer) } else { next.append(longer) }
            }
          }
        }
      }
      result.exhausted = preemptions
      level = next
    }
    return result
  }

  /// Uses the rest of the limit for interleavings with up to twice as many preemptions, chosen by the seed.
  private func random(
    _ scenario: Scenario, _ threads: Int, _ result: inout Result, until isOver: () -> Bool
  ) -> Result {
    var random = SplitMix64(seed, result.count)
    let all = result.count + limit
    while result.count < all, result.violation == nil, !isOver() {
      let count = random.number(below: 2 * bound) + 1
      let points = (0..<count).map { _ in random.number(below: result.mostPoints) }.sorted()
      let schedule = points.map { point in
        Choice(
          point: point, thread: random.number(below: threads + 2),
          delay: interleaver.isWeak ? random.number(below: 2) * (1 + random.number(below: 12)) : 0)
      }
      let first = random.number(below: threads)
      note(run(scenario, first, schedule), first, schedule, &result)
    }
    return result
  }

  private func note(
    _ outcome: (points: [(others: UInt8, isForced: Bool, delays: Int)], violation: String?), _ first: Int,
    _ schedule: [Choice],
    _ result: inout Result
  ) {
    result.count += 1
    result.mostPoints = max(result.mostPoints, outcome.points.count)
    if let violation = outcome.violation { result.violation = (violation, first, schedule) }
  }

  func run(_ scenario: Scenario, _ first: Int, _ schedule: [Choice]) -> (
    points: [(others: UInt8, isForced: Bool, delays: Int)], violation: String?
  ) {
    let round = scenario.round()
    let outcome = interleaver.run(round.threads, from: first, schedule)
    return (outcome.points, outcome.stuck ?? round.violation())
  }
}
#endif
