import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

/// Several threads move amounts between sources, so that the sum stays; a thread that sees another sum has seen half of something.
///
/// Each number of threads is tried for a few rounds, or for as long as `TIDINGS_TORN_SECONDS` says.
@Suite("Torn reads", .slow, .serialized)
struct TornReads {
  @Test("21. A derived value never shows a mixture of old and new inputs", arguments: [2, 3, 4])
  func mixes(threads: Int) async {
    let seconds = ProcessInfo.processInfo.environment["TIDINGS_TORN_SECONDS"].flatMap(Double.init)
    let (end, rounds) = (Date(timeIntervalSinceNow: seconds ?? 0), Runs.size(3, full: 100))
    let first = Runs.seeds(1, of: "torn reads, \(threads) threads")[0]
    var seed = first
    repeat {
      let round = await run(seed, threads)
      guard round.problems.isEmpty else {
        Issue.record("\(threads) threads, TIDINGS_SEED=\(seed): \(round.problems.all.joined(separator: "\n"))")
        break
      }
      seed += 1
    } while seconds == nil ? seed < first + UInt64(rounds) : Date() < end
    print("torn reads, \(threads) threads: \(seed - first) rounds")
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
  /// How the threads share worlds. Values that depend on each other are in one graph.
  enum Worlds: CaseIterable {
    /// All threads use one world.
    case overlapping
    /// Each thread has a world, or shares one with some of the others.
    case disjoint
    /// Threads go from world to world, and derive values of several, so that graphs merge while others use them.
    case merging
  }

  let problems = Problems()
  var random: SplitMix64
  private let seed: UInt64
  private let threads: Int

  init(_ seed: UInt64, _ threads: Int) { (self.seed, self.threads, random) = (seed, threads, SplitMix64(seed)) }

  func run<Value: Coin>(_: Value.Type) async {
    let (seed, problems) = (seed, problems)
    let kind = Worlds.allCases[random.number(below: 3)]
    let count = kind == .overlapping ? 1 : 2 + random.number(below: threads - 1)
    let worlds = (0..<count).map { TornWorld<Value>(seed &+ UInt64($0) << 32, problems) }
    let steps = (200 + random.number(below: 1500)) / (kind == .overlapping ? 1 : 2)
    let isDone = await Threads.together(threads) { thread in
      Here.with { here in
        var worker = TornWorker(worlds, kind, thread, here, SplitMix64(seed, thread + 1))
        worker.work(steps)
      }
    }
    guard isDone else { return problems("a thread is stuck") }
    for world in worlds where problems.isEmpty { await world.checkQuiet() }
  }
}
