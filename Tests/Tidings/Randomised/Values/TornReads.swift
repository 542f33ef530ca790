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
    let round = TornRound(seed, threads)
    switch round.random.number(below: 5) {
    case 0: await round.run(String.self)
    case 1: await round.run([Int].self)
    case 2: await round.run(Token.self)
    default: await round.run(Int.self)
    }
    return round
  }
}

/// The worlds of one trial and the threads that use them.
final class TornRound {
  /// Whose values depend on each other's, so that they are of one graph.
  enum Worlds: CaseIterable {
    /// All threads use one world.
    case overlapping
    /// Each thread has a world, or shares one with some of the others.
    case disjoint
    /// Threads go from world to world, and derive values of several, so that graphs merge while others use them.
    case merging
  }

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
  var random: SplitMix64
  private let seed: UInt64
  private let threads: Int

  init(_ seed: UInt64, _ threads: Int) { (self.seed, self.threads, random) = (seed, threads, SplitMix64(seed)) }

  func run<Value: Coin>(_: Value.Type) async {
    let (seed, problems, done) = (seed, problems, Locked<[Counts]>([]))
    let kind = Worlds.allCases[random.number(below: 3)]
    let count = kind == .overlapping ? 1 : 2 + random.number(below: threads - 1)
    let worlds = (0..<count).map { TornWorld<Value>(seed &+ UInt64($0) << 32, problems) }
    let steps = (200 + random.number(below: 1500)) / (kind == .overlapping ? 1 : 2)
    await Threads.together(threads) { thread in
      let here = Here.with { here in
        var worker = TornWorker(worlds, kind, thread, here, SplitMix64(seed, thread + 1))
        worker.work(steps)
      }
      let counts = Counts(
        operations: here.operations, reads: here.reads, computations: here.computations,
        notifications: here.notifications)
      done.withLock { $0.append(counts) }
    }
    guard done.current.count == threads else { return problems("a thread is stuck") }
    for each in done.current { counts += each }
    for world in worlds where problems.isEmpty { await world.checkQuiet() }
  }
}
