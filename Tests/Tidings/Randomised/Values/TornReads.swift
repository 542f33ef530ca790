import Foundation
import Testing
import Tidings
import TidingsTesting

/// Several threads move amounts between sources, so that the sum stays; a thread that sees another sum has seen half of something.
///
/// `TIDINGS_TORN_SECONDS` says how long each number of threads is tried.
@Suite("Torn reads", .slow, .serialized)
struct TornReads {
  @Test("21. A derived value never shows a mixture of old and new inputs", arguments: [2, 3, 4])
  func mixes(threads: Int) async {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["TIDINGS_TORN_SECONDS"].flatMap(Double.init) ?? 1
    let end = Date(timeIntervalSinceNow: seconds)
    let first = Runs.seeds(1, of: "torn reads, \(threads) threads")[0]
    var (seed, total) = (first, TornRound.Counts())
    repeat {
      let round = await run(seed, threads)
      total += round.counts
      guard round.problems.isEmpty else {
        Issue.record("\(threads) threads, TIDINGS_SEED=\(seed): \(round.problems.all.joined(separator: "\n"))")
        break
      }
      seed += 1
    } while Date() < end
    print("torn reads, \(threads) threads: \(seed - first) rounds, \(total)")
  }

  private func run(_ seed: UInt64, _ threads: Int) async -> TornRound {
    var random = SplitMix64(seed)
    let steps = 200 + random.number(below: 1500)
    let round = TornRound(seed)
    switch random.number(below: 5) {
    case 0: await round.run(TornWorld<String>(seed, round.problems), threads, steps)
    case 1: await round.run(TornWorld<[Int]>(seed, round.problems), threads, steps)
    case 2: await round.run(TornWorld<Token>(seed, round.problems), threads, steps)
    default: await round.run(TornWorld<Int>(seed, round.problems), threads, steps)
    }
    return round
  }
}

/// One world and the threads that use it.
final class TornRound {
  struct Counts: CustomStringConvertible {
    var (operations, reads, computations, notifications) = (0, 0, 0, 0)

    static func += (left: inout Counts, right: Counts) {
      left.operations += right.operations
      left.reads += right.reads
      left.computations += right.computations
      left.notifications += right.notifications
    }
    var description: String {
      "\(operations) operations, \(reads) reads, \(computations) computations, \(notifications) notifications"
    }
  }

  let problems = Problems()
  private(set) var counts = Counts()
  private let seed: UInt64

  init(_ seed: UInt64) { self.seed = seed }

  func run<Value: Coin>(_ world: TornWorld<Value>, _ threads: Int, _ steps: Int) async {
    let (seed, problems, done) = (seed, problems, Locked<[Counts]>([]))
    await Threads.together(threads) { thread in
      let here = Here.with { here in
        var worker = TornWorker(world, here, SplitMix64(seed, thread + 1))
        worker.work(steps)
      }
      let counts = Counts(
        operations: here.operations, reads: here.reads, computations: here.computations,
        notifications: here.notifications)
      done.withLock { $0.append(counts) }
    }
    guard done.current.count == threads else { return problems("a thread is stuck") }
    for each in done.current { counts += each }
    if problems.isEmpty { await world.checkQuiet() }
  }
}
