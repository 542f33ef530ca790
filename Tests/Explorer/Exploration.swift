#if TIDINGS_EXPLORED
import Tidings
import TidingsTesting

/// Runs a scenario through its interleavings: all with up to a number of preemptions while there are not too many, as CHESS does
/// (Musuvathi and Qadeer, PLDI 2007), and then a random choice of those with more.
struct Exploration {
  let interleaver: Interleaver
  /// How many preemptions all interleavings are tried with.
  let bound: Int
  /// How many interleavings one scenario may take.
  let limit: Int
  let seed: UInt64

  struct Result {
    var count = 0
    /// Up to so many preemptions there is no other interleaving.
    var exhausted = 0
    var mostPoints = 0
    var violation: (text: String, first: Int, schedule: [Preemption])?
  }

  func explore(_ scenario: Scenario) -> Result {
    var result = Result()
    let threads = scenario.round().threads.count
    // The first runs make what threads keep for good.
    for first in 0..<threads { _ = run(scenario, first, []) }
    var level: [(first: Int, schedule: [Preemption])] = (0..<threads).map { ($0, []) }
    for preemptions in 0...bound {
      var next: [(first: Int, schedule: [Preemption])] = []
      for (first, schedule) in level {
        if result.count >= limit { return random(scenario, threads, &result) }
        let outcome = run(scenario, first, schedule)
        note(outcome, first, schedule, &result)
        if result.violation != nil { return result }
        if preemptions == bound { continue }
        for point in ((schedule.last?.point ?? -1) + 1)..<max(outcome.ready.count, (schedule.last?.point ?? -1) + 1) {
          for thread in 0..<8 where outcome.ready[point] & 1 << thread != 0 {
            next.append((first, schedule + [Preemption(point: point, thread: thread)]))
          }
        }
      }
      result.exhausted = preemptions
      level = next
    }
    return result
  }

  /// What is left of the limit goes to interleavings with up to twice as many preemptions, chosen by the seed.
  private func random(_ scenario: Scenario, _ threads: Int, _ result: inout Result) -> Result {
    var random = SplitMix64(seed, result.count)
    let all = result.count + limit
    while result.count < all, result.violation == nil {
      let count = random.number(below: 2 * bound) + 1
      let points = (0..<count).map { _ in random.number(below: result.mostPoints) }.sorted()
      let schedule = points.map { Preemption(point: $0, thread: random.number(below: threads + 2)) }
      let first = random.number(below: threads)
      note(run(scenario, first, schedule), first, schedule, &result)
    }
    return result
  }

  private func note(
    _ outcome: (ready: [UInt8], violation: String?), _ first: Int, _ schedule: [Preemption], _ result: inout Result
  ) {
    result.count += 1
    result.mostPoints = max(result.mostPoints, outcome.ready.count)
    if let violation = outcome.violation { result.violation = (violation, first, schedule) }
  }

  func run(_ scenario: Scenario, _ first: Int, _ schedule: [Preemption]) -> (ready: [UInt8], violation: String?) {
    let round = scenario.round()
    let outcome = interleaver.run(round.threads, from: first, schedule)
    return (outcome.ready, outcome.stuck ?? round.violation())
  }
}
#endif
