import Foundation
import Tidings
import TidingsTesting

/// Sources whose sum, modulo a small number, never changes, and what is derived from them.
///
/// The numbers are tiny, so that values often return to what they were: a version that looks at values alone is fooled.
final class TornWorld<Value: Coin>: Sendable {
  let seed: UInt64
  let problems: Problems
  /// A source's number is below twice this; a move changes it modulo this.
  let modulus: Int
  let total: Int
  let initial: [Int]
  let sources: [Observed<Value>]
  let pointer: Observed<Int>
  /// The same number in all worlds of a trial.
  let mark = Observed(0)
  /// All that can be read and watched, with what must hold of it.
  let subjects: [Subject]
  /// The checks of the handlers that stay. Each returns nil once the last notification is the current value.
  private let lasting: [@Sendable () -> String?]
  private let tokens: Locked<[Subscription]>

  /// A derived value, its kind forgotten.
  struct Subject: Sendable {
    let name: String
    let read: @Sendable () -> Void
    /// Adds a handler; the closure is to be called after it was cancelled.
    let watch: @Sendable (_ initial: Bool) -> (Subscription, @Sendable () -> Void)
    /// Adds a handler that stays; the closure says what is wrong when all is quiet.
    let watchLastingly:
      @Sendable (_ react: @escaping @Sendable (Int) -> Void) -> (Subscription, @Sendable () -> String?)
  }

  init(_ seed: UInt64, _ problems: Problems) {
    self.seed = seed
    self.problems = problems
    var random = SplitMix64(seed, 1000)
    let modulus = 2 + random.number(below: 3)
    self.modulus = modulus
    let count = 2 + random.number(below: 9)
    let initial = (0..<count).map { _ in random.number(below: 2 * modulus) }
    self.initial = initial
    total = initial.reduce(0, +) % modulus
    let policies: [ChangePolicy<Value>] = [.every, .distinct, .by { $0 == $1 }]
    let chosen = (0..<count).map { _ in random.number(below: 3) }
    let sources = zip(initial, chosen).map { Observed(Value($0), changes: policies[$1]) }
    self.sources = sources
    pointer = Observed(0)
    var build = TornGraph(sources, pointer, problems, modulus: modulus, total: total, random)
    build.make()
    subjects = build.subjects
    random = build.random

    var (lasting, tokens): ([@Sendable () -> String?], [Subscription]) = ([], [])
    var reacting = 2
    let reactor = TornReactor(sources, modulus, seed)
    for subject in build.subjects where random.isOne(in: 2) {
      let reacts = reacting > 0 && random.isOne(in: 3)
      if reacts { reacting -= 1 }
      let (token, isQuiet) = subject.watchLastingly { if reacts { reactor.react($0) } }
      tokens.append(token)
      lasting.append(isQuiet)
    }
    for (index, source) in sources.enumerated() where random.isOne(in: 2) {
      func watch(_ name: String, _ notified: some EventSource<Change<Value>>) {
        let watch = Watch(name, problems, isDistinct: chosen[index] != 0, first: source.value)
        tokens.append(notified.observe(watch.receives))
        lasting.append {
          let (last, now) = (watch.last, source.value)
          return last == now ? nil : "\(name) last received \(last!), is \(now)"
        }
      }
      watch("source \(index)", source)
      // If another thread overtakes a change, the handlers are notified of it again. So there is no chain to check.
      if random.isOne(in: 2) { tokens.append(source.willChange.observe { _ in }) }
    }
    self.lasting = lasting
    self.tokens = Locked(tokens)
  }

  /// All threads have ended. A task may still be delivering for them.
  func checkQuiet() async {
    var wrong: [String] = []
    _ = await eventually {
      Here.with { _ in wrong = lasting.compactMap { $0() } }
      return wrong.isEmpty
    }
    for problem in wrong { problems("quiet: \(problem)") }
    Here.with { _ in
      let numbers = sources.map(\.value.number)
      if numbers.reduce(0, +) % modulus != total { problems("quiet: the sources are \(numbers)") }
      for subject in subjects { subject.read() }
    }
    var invariants = InvariantsCheck()
    for source in sources { invariants.check(source) }
    if !invariants.broken.isEmpty { problems("invariants: \(invariants.broken)") }
    tokens.current = []
  }
}

/// Moves something in a handler now and then.
final class TornReactor<Value: Coin>: Sendable {
  private let sources: [Observed<Value>]
  private let modulus: Int
  private let seed: UInt64

  init(_ sources: [Observed<Value>], _ modulus: Int, _ seed: UInt64) {
    self.sources = sources
    self.modulus = modulus
    self.seed = seed
  }

  func react(_ call: Int) {
    var random = SplitMix64(seed, 2000, call)
    guard random.isOne(in: 8) else { return }
    let (from, to) = (random.number(below: sources.count), random.number(below: sources.count))
    transaction {
      sources[from].update { [modulus] in $0 = Value(moved($0.number, by: modulus - 1, modulus)) }
      sources[to].update { [modulus] in $0 = Value(moved($0.number, by: 1, modulus)) }
    }
  }
}

/// A number modulo `modulus` moved, its upper half kept.
func moved(_ number: Int, by amount: Int, _ modulus: Int) -> Int {
  (number + amount) % modulus + (number >= modulus ? modulus : 0)
}
