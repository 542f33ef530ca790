import Foundation
import Synchronization
import Testing

@testable import ValueEngine

/// Random programs beside a plain oracle. `TIDINGS_SEED` replays a run, `TIDINGS_ROUNDS` makes it longer.
extension ValueEngineTests {
  @Suite struct RandomisedValueTests {
    // MARK: One thread, an exact oracle

    /// A derived value reads sources and derived values before it, in one of four ways, as a number, a pair or a text.
    private struct Plan {
      enum Kind: Int { case sum, choice, parity, text }
      let kind: Kind
      let reads: [Int]
    }
    private final class Graph: @unchecked Sendable {  // one thread at a time uses it
      var sources: [Source<Int>] = []
      var numbers: [Int: Computed<Int>] = [:]
      var texts: [Int: Computed<String>] = [:]
      var plans: [Plan] = []
      var truth: [Int] = []
      var runs: [Int] = []

      func read(_ index: Int) -> Int {
        if index < sources.count { return sources[index].value }
        return numbers[index]?.value ?? Int(texts[index]!.value)!
      }
      func evaluate(_ plan: Plan, _ read: (Int) -> Int) -> Int {
        switch plan.kind {
        case .sum: plan.reads.reduce(0) { $0 &+ read($1) } % 1_000
        case .choice: read(plan.reads[0]) & 1 == 0 ? read(plan.reads.last!) : read(plan.reads[plan.reads.count / 2]) + 1
        case .parity: plan.reads.reduce(0) { $0 ^ read($1) } & 3
        case .text: plan.reads.reduce(0) { max($0, read($1)) }
        }
      }
      func add(_ plan: Plan) {
        let index = sources.count + plans.count
        plans.append(plan)
        runs.append(0)
        let number = plans.count - 1
        let compute: @Sendable () -> Int = { [unowned self] in
          self.runs[number] += 1
          return self.evaluate(plan) { self.read($0) }
        }
        if plan.kind == .text {
          texts[index] = Computed { String(compute()) }
        } else {
          numbers[index] = Computed(compute)
        }
      }
      func expected(_ index: Int, _ memo: inout [Int: Int]) -> Int {
        if index < sources.count { return truth[index] }
        if let known = memo[index] { return known }
        var inner = memo
        let result = evaluate(plans[index - sources.count]) { expected($0, &inner) }
        memo = inner
        memo[index] = result
        return result
      }
    }

    @Test func eachValueIsThatOfThePlainProgram() {
      let seed = SeededRandom.seed
      var random = SeededRandom(seed)
      for round in 0..<SeededRandom.rounds(300) {
        let graph = Graph()
        for number in 0..<1 + random.next(5) {
          graph.sources.append(Source(number))
          graph.truth.append(number)
        }
        for _ in 0..<1 + random.next(14) {
          let count = graph.sources.count + graph.plans.count
          let kind = Plan.Kind(rawValue: random.next(4))!
          graph.add(Plan(kind: kind, reads: (0..<1 + random.next(4)).map { _ in random.next(count) }))
        }
        for step in 0..<40 {
          graph.runs = graph.runs.map { _ in 0 }
          for _ in 0..<random.next(3) {
            let (index, value) = (random.next(graph.sources.count), random.next(8))
            switch random.next(3) {
            case 0: graph.sources[index].set(value)
            case 1: graph.sources[index].update { $0 = value }
            default:
              let other = (index + 1) % graph.sources.count
              commitTogether {
                $0.set(graph.sources[index], value)
                if other != index { $0.set(graph.sources[other], value) }
              }
              graph.truth[other] = value
            }
            graph.truth[index] = value
          }
          var memo: [Int: Int] = [:]
          for _ in 0..<random.next(5) {
            let index = random.next(graph.sources.count + graph.plans.count)
            let (found, expected) = (graph.read(index), graph.expected(index, &memo))
            if found != expected {
              Issue.record("seed \(seed) round \(round) step \(step): value \(index) is \(found), expected \(expected)")
              return
            }
          }
          if graph.runs.contains(where: { $0 > 1 }) {
            Issue.record("seed \(seed) round \(round) step \(step): computed twice for one change: \(graph.runs)")
            return
          }
        }
      }
    }

    // MARK: Threads, sums that stay

    /// Amounts that commits move between sources, so that their sum stays, seen through values of every kind.
    private final class Accounts: @unchecked Sendable {
      let count = 6
      let sources: [Source<Int>]
      let texts: [Source<String>]
      let pairs: [Computed<Int>]
      let total: Computed<Int>
      let rotated: Computed<Int>
      let long: Computed<Sums>
      let text: Computed<String>
      let chain: [Computed<Int>]
      let own: [Source<Int>]
      let all: Computed<[Int]>
      /// Commits of several threads meet below it.
      let above: Computed<[Int]>
      struct Sums: Equatable { var a, b, c: Int }

      init() {
        let sources = (0..<6).map { _ in Source(100) }
        let texts = (0..<2).map { _ in Source("100") }
        let pairs = (0..<3).map { index in Computed { sources[2 * index].value + sources[2 * index + 1].value } }
        let total = Computed {
          pairs.reduce(0) {
            letOthersRun()
            return $0 + $1.value
          }
        }
        let rotated = Computed {
          let start = sources[0].value & 3
          return (0..<6).reduce(0) { $0 + sources[(start + $1) % 6].value }
        }
        let long = Computed {
          let sums = Sums(a: pairs[0].value, b: pairs[1].value, c: sources[4].value)
          letOthersRun()
          return Sums(a: sums.a, b: sums.b, c: sums.c + sources[5].value)
        }
        let text = Computed {
          let first = Int(texts[0].value)!
          letOthersRun()
          return String(first + Int(texts[1].value)!)
        }
        var chain = [Computed { rotated.value }]
        for index in 0..<4 {
          let below = chain[index]
          chain.append(Computed { below.value + sources[index].value - sources[index].value })
        }
        let own = (0..<4).map { _ in Source(0) }
        let all = Computed { own.map { $0.value } }
        let above = Computed { all.value }
        (self.sources, self.texts, self.pairs, self.total) = (sources, texts, pairs, total)
        (self.rotated, self.long, self.text, self.chain, self.own, self.all) = (rotated, long, text, chain, own, all)
        self.above = above
      }
    }

    @Test(arguments: [2, 4]) func threadsSeeNoMixture(threads: Int) async {
      let seed = SeededRandom.seed
      let findings = Findings()
      for round in 0..<SeededRandom.rounds(4) {
        let accounts = Accounts()
        await together(threads) { index in
          var random = SeededRandom(seed &+ UInt64(round * 8 + index))
          func check(_ sum: Int, _ what: String, _ expected: Int = 600) {
            findings.check(sum == expected, "seed \(seed) round \(round): \(what) \(sum)")
          }
          for step in 1...1_500 {
            if random.next(4) == 0 {
              accounts.own[index % 4].set(step)
              let seen = accounts.above.value[index % 4]
              findings.check(seen == step, "seed \(seed) round \(round): own write \(step) seen as \(seen)")
            }
            switch random.next(index & 1 == 0 ? 4 : 12) {
            case 0, 1:
              let from = random.next(6)
              let to = (from + 1 + random.next(5)) % 6
              let amount = random.next(9)
              commitTogether {
                $0.update(accounts.sources[from]) { $0 -= amount }
                $0.update(accounts.sources[to]) { $0 += amount }
              }
            case 2:
              commitTogether {
                $0.update(accounts.texts[0]) { $0 = String(Int($0)! - 1) }
                $0.update(accounts.texts[1]) { $0 = String(Int($0)! + 1) }
              }
            case 3: accounts.sources[random.next(6)].update { $0 += 0 }
            case 4: check(accounts.total.value, "total")
            case 5: check(accounts.rotated.value, "rotated")
            case 6:
              let sums = accounts.long.value
              check(sums.a + sums.b + sums.c, "long")
            case 7: check(Int(accounts.text.value)!, "text", 200)
            case 8: check(accounts.chain[random.next(5)].value, "chain")
            case 9:
              let first = random.next(6)
              let fresh = Computed { (0..<6).reduce(0) { $0 + accounts.sources[(first + $1) % 6].value } }
              let above = Computed { (fresh.value, accounts.total.value).0 }
              check(above.value, "fresh")
            case 10:
              let both = Computed { [accounts.total.value, accounts.rotated.value, Int(accounts.text.value)!] }
              let found = both.value
              findings.check(found == [600, 600, 200], "seed \(seed) round \(round): both \(found)")
            default: _ = accounts.pairs[random.next(3)].value
            }
          }
        }
        #expect(accounts.total.value == 600 && accounts.rotated.value == 600 && accounts.text.value == "200")
        for index in 0..<3 {
          #expect(
            accounts.pairs[index].value == accounts.sources[2 * index].value + accounts.sources[2 * index + 1].value)
        }
      }
      #expect(findings.all == [])
    }
  }
}
