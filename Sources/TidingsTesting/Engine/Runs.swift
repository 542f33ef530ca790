/// Which runs are made: the environment may ask for one again, or for more.
package enum Runs {
  /// The size of a test that is long on one thread: `full` when `TIDINGS_FULL` is 1, which is for long checks such as
  /// `.ci/full`, and else `usual`, at which the test still finds the faults that it is there for.
  package static func size(_ usual: Int, full: Int) -> Int { Platform.variable("TIDINGS_FULL") == "1" ? full : usual }

  /// The seeds of a test's rounds. The first is printed, and `TIDINGS_SEED` makes it the first again.
  package static func seeds(_ rounds: Int, of test: String) -> [UInt64] {
    let first = firstSeed
    let rounds = Platform.variable("TIDINGS_ROUNDS").flatMap(Int.init) ?? rounds
    print("\(test): \(rounds) rounds from TIDINGS_SEED=\(first)")
    return (0..<UInt64(rounds)).map { first &+ $0 }
  }

  /// Runs `body` with one seed after the other until it returns false: the given number of rounds or, when `TIDINGS_MINUTES`
  /// is set, for that time.
  package static func forEachSeed(_ rounds: Int, of test: String, _ body: (UInt64) async -> Bool) async {
    guard let minutes = Platform.variable("TIDINGS_MINUTES").flatMap(Double.init) else {
      for seed in seeds(rounds, of: test) where await !body(seed) { return }
      return
    }
    let limit = ContinuousClock.now + .seconds(minutes * 60)
    var (seed, count) = (firstSeed, 0)
    print("\(test): \(minutes) minutes from TIDINGS_SEED=\(seed)")
    while ContinuousClock.now < limit {
      guard await body(seed) else { return print("\(test): stopped by TIDINGS_SEED=\(seed) after \(count) rounds") }
      (seed, count) = (seed &+ 1, count + 1)
    }
    print("\(test): \(count) rounds without a violation")
  }

  private static var firstSeed: UInt64 {
    Platform.variable("TIDINGS_SEED").flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64(UInt32.max))
  }
}
